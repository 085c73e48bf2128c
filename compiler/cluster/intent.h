// What must hold of a cluster: who is protected, by how much, by when. `plan` makes it from a policy beside the
// Cluster; the families of checker/ read it. It never enters the emitted files.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/cluster/cluster.h"
#include "compiler/model/volcano/roles.h"
#include "compiler/plan/partition/node_kinds.h"
#include "compiler/policy/terms.h"
#include "compiler/source/special_members.h"

namespace gpol {

// The devices that a pod asks for in one container: so many of one kind, neither more nor fewer, and of no other kind.
struct PodShape {
  std::uint32_t resource = 0;  // into Cluster::resources
  std::int64_t amount = 0;
  friend auto operator<=>(const PodShape&, const PodShape&) = default;
};

// The role a queue plays, by index into Cluster::queues.
struct QueueRole {
  // Batch holds whatever it can get; a bounded queue holds no more than its own nominal quota (trusted); None: nobody
  // serves, so nobody is promised anything.
  enum class Kind { None, Serving, Batch, Bounded } kind = Kind::None;
  bool assumed = false;  // nobody gave it this role: it is batch because others serve
  Isolation isolation = Isolation::C;
  std::string tenant;
  std::uint32_t policy_tenant = kNone;  // into Policy::tenants

  // Serving only. Parallel to the queue's (flavor, resource) pairs in order of groups, flavors, covered resources.
  std::vector<std::int64_t> reserve;
  // What `allow`s let others hold of it at most, over all windows. 0 for class A, and where a `prove X never holds Y`
  // says so.
  std::vector<std::int64_t> permitted;

  std::optional<TimeConstant> deadline;     // class B
  std::optional<TimeConstant> back_within;  // the tightest `back within` of its allows
  Span back_span;
  std::vector<TimeConstant> deadlines, backs;  // every statement of one: those above are the tightest
  // Largest number of its workloads that may each need victims: W of docs/promise.md. Absent: no replica is declared.
  std::optional<std::int64_t> victims_in_turn;
  std::vector<std::int64_t> replica;  // by index into Cluster::resources; empty: none is declared
  // Of pods among the manifests, where nobody declares a replica: other sizes in which pods of the queue come, too.
  std::vector<std::vector<std::int64_t>> other_shapes;
  StartTerms start;
  std::optional<TimeConstant> grace, kill_margin;  // of its class: how long its pods may take to end

  // Without a policy (compiler/cluster/roles.h). The one priority that its workloads have; absent: a policy's queue, or
  // any priority. And what it may ask: that many single pods, each of one unit of every resource it covers; absent:
  // anything within its reserve.
  std::optional<std::int64_t> priority;
  std::optional<std::int64_t> unit_demand;
  std::vector<std::uint32_t> not_asked;  // resources that it covers and that those pods leave out, sorted
  // Each demand that it may have, where it covers several devices: pods, and what they leave out. The one above is the
  // first of them.
  std::vector<std::pair<std::int64_t, std::vector<std::uint32_t>>> demands;

  // Likewise, serving or bounded: the most that its objects may hold, parallel to `reserve`, where that is more than it
  // owns; and who asks, by flavor and resource. Empty: no more than that, as far as it was read.
  std::vector<std::int64_t> overreach;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> overreaching;
  // Batch only: the most that it holds, parallel to `reserve`; empty: whatever it can get.
  std::vector<std::int64_t> at_most;

  // Batch only: by flavor, what each of its pods asks for there; absent: any devices.
  std::map<std::uint32_t, PodShape> pod_shapes;

  // Where its protection comes from, for `core` and `location`.
  Span name_span, reserve_span, class_span, deadline_span;
  std::vector<Span> allow_spans;
  Span never_held_span;  // of the `prove` that takes back what an `allow` permits; unknown: none does
  std::optional<int> asks_at;

  GPOL_SPECIAL_MEMBERS(QueueRole);
};

// What a flavor's nodes surely have (serving, anything lent) and at most have (class C alone), per resource.
struct PoolCapacity {
  std::uint32_t flavor = 0;  // into Cluster::flavors
  bool has_serving = false;  // someone's reserve stands on it
  // By index into Cluster::resources, less what is reserved there outside the queue (negative: more than there is).
  std::vector<std::int64_t> surely, at_most;
  Span span;

  // The nodes themselves: allocatable of one (the least of all), less the daemons' share, by resource; how many there
  // are, and how many of them may be lost at once.
  std::uint32_t nodes = kNone;  // into Cluster::node_pools
  std::vector<std::int64_t> of_one;
  std::int64_t nodes_min = 0, nodes_max = 0, lost = 0;
  bool spot = false;
  Millis notice = 0;                       // of spot nodes: how long before they go it is told
  std::vector<std::string> cordoned = {};  // nodes of it that take no pod now: counted nowhere
  // Of Nodes as they are: whose pods have been taken off them, by resource ("DaemonSet `ns/name`").
  std::map<std::string, std::set<std::string>> daemons = {};
};

// The worst that batch may do in time, over all classes C that have tenants.
struct BatchTimes {
  std::optional<TimeConstant> round;
  std::optional<TimeConstant> release_reaction;
  std::optional<TimeConstant> grace, kill_margin;  // the longest
  bool only_jobs = false;                          // every class C runs Jobs only
  bool only_pods = false;                          // every class C runs Pods only
  // A class C with tenants that states no grace or no kill margin, or that may run something else than Jobs; unknown:
  // there is none.
  Span no_grace = {}, no_kill_margin = {}, other_than_jobs = {};
};

// An `allow` as it was planned, for whether it can ever be used.
struct PlannedAllow {
  std::uint32_t borrower = 0, lender = 0;  // into Cluster::queues
  std::uint32_t flavor = 0;
  std::vector<std::uint32_t> modes;  // in which it is in force, into Cluster::modes
  Span span;
  Span whole = {};  // what is to be taken out to take it out; unknown: that cannot be told
};

// A serving tenant whose pods Kueue never sees (plain Deployments), on one pool: its reserve is taken off the nodes.
struct OutsideReserve {
  std::string tenant;
  Isolation isolation = Isolation::A;
  std::vector<std::string> namespaces;
  std::uint32_t flavor = 0;              // the pool's, into Cluster::flavors; its pods select the same nodes
  std::vector<std::int64_t> reserve;     // by index into Cluster::resources
  std::vector<std::int64_t> replica;     // likewise; empty: none is declared
  std::optional<TimeConstant> deadline;  // class B
  StartTerms start;
  std::optional<TimeConstant> grace, kill_margin;  // of its class: how long its pods may take to end
  // The priority of its pods, by which kube-scheduler evicts others for them; absent: nothing is said of it.
  std::optional<std::int64_t> preempts_at;
  // Of what is there, with no policy: why its place is not known, and whether that is because nobody looked.
  std::string doubt, doubt_fix;
  bool not_analysed = false;
  Span name_span, reserve_span, class_span, outside_span;
};

// Classes A and B: something is promised of it.
inline bool promised(const QueueRole& role) {
  return role.kind == QueueRole::Kind::Serving && role.isolation != Isolation::C;
}
inline bool promised(const OutsideReserve& tenant) { return tenant.isolation != Isolation::C; }

// What one replica of the queue takes of a resource, by index into Cluster::resources.
inline std::int64_t per_replica(const QueueRole& role, std::uint32_t resource) {
  return resource < role.replica.size() ? role.replica[resource] : 0;
}

// The devices among amounts by index into Cluster::resources: a policy lets a pod have one kind of them. Nothing: none.
inline std::optional<PodShape> devices_in(const Cluster& cluster, const std::vector<std::int64_t>& amounts) {
  for (std::uint32_t r = 0; r < amounts.size(); ++r)
    if (amounts[r] > 0 && is_gpu_or_slice(cluster.resources[r])) return PodShape{r, amounts[r]};
  return std::nullopt;
}

// A pool whose devices are cut: what they are, and how each kind of its nodes is cut.
struct CutPool {
  std::uint32_t flavor = 0;  // into Cluster::flavors
  Hardware device;
  std::vector<NodeKind> kinds;
  Span span;                        // of `as mig`
  std::string none = {};            // why no layout gives what was asked for; empty: one does
  bool unknown = false;             // it is not known whether one does
  bool managed = true;              // false: others cut them
  bool counted = false;             // what the pool offers was stated, and how each device is cut was worked out
  std::vector<Instance> held = {};  // of each device, of what it is cut into: it holds them already, and they stay
  std::optional<std::int64_t> changed =
      {};  // GPUs that are cut otherwise than an earlier build said; absent: none said
  // How many slices a node has, by index into Cluster::resources: each that differs, once.
  std::set<std::vector<std::int64_t>> nodes = {};
  std::vector<std::int64_t> least = {};  // what every node has at least of each resource
  // What goes with one slice of each profile on a node, by index into Cluster::resources: the slice, its part of the
  // node's cpu and memory by compute slices, and a pod.
  std::map<std::uint32_t, std::vector<std::int64_t>> shares = {};
  // Of Nodes as they are: the first that offers more slices than its configuration gives, by resource.
  struct Beyond {
    std::string node, config;
    bool absent = false;  // there is no such configuration
    std::int64_t offered = 0, given = 0;
    Span span;
  };
  std::map<std::string, Beyond> beyond = {};
};

// A pool whose devices several pods have at once, and who they are.
struct SharedPool {
  std::uint32_t flavor = 0;  // into Cluster::flavors
  bool mps = false;          // else time-slicing
  std::int64_t shares = 0;   // of a device
  std::int64_t devices = 0;  // of a node
  struct Client {
    std::string tenant, owner, latency_class;
    Isolation isolation = Isolation::C;
    Span span;  // of what it has there
  };
  std::vector<Client> clients;
  Span span;            // of `as mps`, `as time-slices`
  bool managed = true;  // false: others have them shared
};

// A layout among the manifests, for whatever nodes: of one entry of a configuration of mig-parted.
struct GivenLayout {
  std::string object, config;        // "ConfigMap `ns/name`", the configuration
  std::vector<std::string> filters;  // device-filter
  std::vector<Slices> slices;
  Span span;
};

// What is wrong by itself with a file about devices.
struct GivenFault {
  enum class About : std::uint8_t { Layout, Sharing, Quota } about = About::Layout;
  std::string object, message, fix;  // "ConfigMap `ns/name`"
  Span span;
  bool unknown = false;  // it is not understood: whether it is wrong is not known
};

// How many Jobs a namespace of batch may hold.
struct JobLimit {
  std::string ns, tenant;
  std::int64_t most = 0;
  Span span;
};

// What a gateway lets in for a tenant on one route, and how many proxies it has.
struct PlannedLimit {
  std::string gateway, route;  // "public" or "edge/public"; "ns/name" of the HTTPRoute; empty: not stated
  std::string leads;           // of an HTTPRoute that is written: "chat.example.com/v1 on `https` to `assistant:8000`"
  std::string refusal;         // "429 after 1s"; empty: Envoy's own
  std::optional<std::int64_t> longest_request;  // bytes
  struct Amount {
    std::int64_t most = 0;
    std::int64_t window_ms = 0;  // of requests
    bool per_proxy = false;      // else nobody said how it is counted
  };
  std::optional<Amount> streams, requests;
  std::optional<Amount> shared;         // requests of all proxies, as the rate-limit service counts them
  bool unlimited = false;               // said: nobody limits it
  std::vector<std::string> classes;     // of requests; empty: not stated
  std::optional<std::int64_t> proxies;  // that run at most
  std::optional<Amount> queue;          // what waits
  std::optional<std::int64_t> timeout_ms, deadline_ms;  // of the gateway, of the client
  std::int64_t retries = 0;
  Span span, waits_span;  // of `at most`; of `queue`, `timeout` or `deadline`: unknown where none is stated
};

// What a tenant's service does, and what is let in to it.
struct PlannedEdge {
  std::string tenant, service;             // no service: nobody stated one
  std::optional<std::int64_t> streams;     // of one replica, at once
  std::optional<std::int64_t> requests;    // of one replica, within any second, in thousandths
  std::optional<std::int64_t> replicas;    // that stand, of the reserve, less those that an update takes away
  std::int64_t unavailable = 0;            // during an update
  bool may_lose = false;                   // nodes of its reserve, and replicas with them
  std::optional<std::int64_t> start_ms;    // of a replica, all terms; absent: some are not stated
  std::optional<std::int64_t> longest_ms;  // answer
  std::vector<std::pair<std::string, std::int64_t>>
      classes;  // of requests, with the streams that each has of a replica
  struct Caller {
    std::string service, who;  // "a pod of `monitoring` with app=prometheus"
    std::string tenant;        // whose namespace it is; empty: of none of the policy
    std::string pods;          // of the service, by labels: "app=assistant"
    Span span;
  };
  std::vector<Caller> callers;   // who reaches its pods beside themselves; empty: nobody said
  std::string why_unknown, add;  // how many stand, and the clause that would tell; may be empty
  std::vector<Span> sources;     // what they follow from
  std::vector<PlannedLimit> limits;
  Span span;
};

// A `prove` clause and the classes that it speaks of, for whether it says anything: whether tenants are of them.
struct PlannedProve {
  std::string text, nobody;  // the clause, and a class without tenants; empty: none is
  Span span;
};

struct Intent {
  std::set<std::string> remote_checks;    // AdmissionChecks of MultiKueue: what they let in runs in other clusters
  std::set<std::string> inactive_checks;  // AdmissionChecks of which it is known that they are not active
  std::set<std::string> inactive_queues;  // ClusterQueues, likewise: nobody can evict from them
  bool of_policy = true;         // else from what is there: exposure of class B is told, and nothing permits it
  std::vector<QueueRole> roles;  // parallel to Cluster::queues
  std::vector<volcano::QueueRole> volcano_roles;  // parallel to the queues of Cluster::volcano
  std::vector<PoolCapacity> capacities;
  // By index into Cluster::flavors; null where the nodes are not known.
  const PoolCapacity* capacity_of(std::uint32_t flavor) const {
    for (const PoolCapacity& capacity : capacities)
      if (capacity.flavor == flavor) return &capacity;
    return nullptr;
  }
  // Likewise; null where the devices are not cut.
  const CutPool* cut_of(std::uint32_t flavor) const {
    for (const CutPool& pool : cut_pools)
      if (pool.flavor == flavor) return &pool;
    return nullptr;
  }
  BatchTimes batch;
  std::vector<OutsideReserve> outside;
  std::vector<CutPool> cut_pools;
  std::vector<SharedPool> shared_pools;
  std::vector<GivenFault> faults;
  std::vector<GivenLayout> layouts;  // that nobody wrote a policy for
  std::vector<JobLimit> job_limits;
  std::vector<PlannedEdge> edges;
  std::vector<PlannedAllow> allows;
  std::vector<PlannedProve> proves;
  std::vector<Trust> trusts;
  std::vector<Trust> ended;     // trusts whose last day is over, where a day was given
  std::vector<Writer> writers;  // the principals of the pipeline
  std::vector<GuardMode> guards;
  std::set<std::string> exempt{kExemptNamespaces.begin(), kExemptNamespaces.end()};  // namespaces that guards leave out
  std::vector<Window> windows;
  std::vector<PlannedUse> planned;
  std::vector<Approval> approvals;

  GPOL_SPECIAL_MEMBERS(Intent);
};

// All guards of the policy tell what they would refuse, and do not refuse it yet.
bool rolls_out(const Intent& intent);

// Where a fact of the cluster was written: for messages, cores and fixes. Keys are stable texts such as
// "ClusterQueue/search spec.preemption.reclaimWithinCohort"; only facts that the policy itself states have a span
// (what the safe pattern adds has none).
struct Origins {
  std::vector<Span> queue;                // parallel to Cluster::queues
  std::vector<Span> cohort;               // parallel to Cluster::cohorts
  std::vector<Span> priority_class;       // parallel to Cluster::priority_classes
  std::vector<Span> local_queue;          // parallel to Cluster::local_queues
  std::vector<Span> guard;                // parallel to Cluster::admission_policies
  std::vector<std::vector<Span>> quotas;  // parallel to Cluster::queues: the reserves and quotas that each was made of
  Span cluster;                           // what no other clause asks for is there because there is a cluster
  std::map<std::string, Span> field;
};

struct Policy;

struct Planned {
  Cluster cluster;
  Intent intent;
  Origins origins;
};

// What a plan is made of beside the policy.
struct PlanInputs {
  const Cluster* earlier = nullptr;           // of an earlier build: GPUs stay cut as they were where they can
  const MigConfigMap* mig_configs = nullptr;  // configurations of mig-parted that stay; without a name: in ours
};
// Cluster names it makes: flavor = pool, cohort = policy cohort or the cluster's name, ClusterQueue = tenant (or
// tenant-pool for a serving tenant with several pools), LocalQueue = tenant (likewise), priority class = latency class.
// Of Volcano: Queue = tenant (likewise).
Planned plan(const Policy& policy, const PlanInputs& inputs = {});  // compiler/plan/plan.cpp

}  // namespace gpol
