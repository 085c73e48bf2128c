// The scheduler-level model: what a set of Kueue objects means, whoever wrote them. `plan` makes it from a policy,
// `observe` from YAML alone, and `build` goes on only if both are equal in normal form (normal_form.h).
// Fields and defaults: kueue.x-k8s.io/v1beta2 CRDs of Kueue v0.19.2 (config/components/crd/bases); quantities are in
// base units: cpu in millicores, every other resource in whole units, rounded up (pkg/resources/amount.go).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/cluster/gateway.h"
#include "compiler/cluster/partition.h"
#include "compiler/model/volcano/setup.h"
#include "compiler/source/span.h"
#include "compiler/source/special_members.h"

namespace gpol {

// What one queue or cohort says about one (flavor, resource).
struct Quota {
  std::int64_t nominal = 0;
  std::optional<std::int64_t> borrowing, lending;  // absent: unlimited
  friend bool operator==(const Quota&, const Quota&) = default;
};

struct FlavorQuotas {
  std::uint32_t flavor = 0;   // into Cluster::flavors
  std::vector<Quota> quotas;  // one per covered resource of the group, in the group's order
  friend bool operator==(const FlavorQuotas&, const FlavorQuotas&) = default;
};

struct ResourceGroup {
  std::vector<std::uint32_t> covered;  // into Cluster::resources
  std::vector<FlavorQuotas> flavors;   // in order of preference
  friend bool operator==(const ResourceGroup&, const ResourceGroup&) = default;
};

struct Taint {
  std::string key, value, effect;
  friend auto operator<=>(const Taint&, const Taint&) = default;
};

struct Toleration {
  std::string key, op, value, effect;  // op: Equal | Exists
  std::optional<std::int64_t> seconds;
  friend auto operator<=>(const Toleration&, const Toleration&) = default;
};

struct Flavor {
  std::string name;
  std::map<std::string, std::string> node_labels;
  std::vector<Taint> taints;
  std::vector<Toleration> tolerations;
  std::string topology;           // empty: no topology-aware scheduling
  bool taints_tolerated = false;  // observed: whom Kueue admits with it tolerates its taints, be it by itself
};

enum class QueueingStrategy : std::uint8_t { BestEffortFIFO, StrictFIFO };
enum class Within : std::uint8_t { Never, LowerPriority, LowerOrNewerEqualPriority };
enum class Reclaim : std::uint8_t { Never, LowerPriority, Any };
enum class BorrowWithin : std::uint8_t { Never, LowerPriority };
enum class Search : std::uint8_t { MayStopSearch, TryNextFlavor };
enum class StopPolicy : std::uint8_t { None, Hold, HoldAndDrain };

// A label selector. `present` false is Kueue's null: it matches no namespace. Present and empty matches all.
struct Selector {
  bool present = false;
  std::map<std::string, std::string> match_labels;
  struct Expression {
    std::string key, op;  // In, NotIn, Exists, DoesNotExist
    std::vector<std::string> values;
    friend auto operator<=>(const Expression&, const Expression&) = default;
  };
  std::vector<Expression> expressions;
  friend bool operator==(const Selector&, const Selector&) = default;
};

struct Preemption {
  Within within_cluster_queue = Within::Never;
  Reclaim reclaim_within_cohort = Reclaim::Never;
  BorrowWithin borrow_within_cohort = BorrowWithin::Never;
  std::optional<std::int64_t> max_priority_threshold;
};

struct Queue {
  std::string name;
  std::string cohort;  // empty: none
  std::vector<ResourceGroup> groups;
  QueueingStrategy strategy = QueueingStrategy::BestEffortFIFO;
  Preemption preemption;
  Search when_can_borrow = Search::MayStopSearch;
  Search when_can_preempt = Search::TryNextFlavor;
  std::string fungibility_preference;  // empty: unset
  StopPolicy stop = StopPolicy::None;
  Selector namespaces;
  std::vector<std::string> admission_checks;
  std::string fair_weight;                    // empty: unset (1)
  std::map<std::string, std::string> labels;  // gpol.dev/ only: role, class, tenant
};

// It has quota of the flavor, be it 0.
inline bool lists(const Queue& queue, std::uint32_t flavor) {
  for (const ResourceGroup& group : queue.groups)
    for (const FlavorQuotas& row : group.flavors)
      if (row.flavor == flavor) return true;
  return false;
}

// Its users can have some of what the quota is of: by themselves, or borrowed.
inline bool can_have(const Queue& queue, const Quota& quota) {
  return quota.nominal > 0 || (!queue.cohort.empty() && quota.borrowing != 0);
}

struct CohortNode {
  std::string name;
  std::string parent;  // empty: a root
  std::vector<ResourceGroup> groups;
  std::string fair_weight;
};

struct LocalQueue {
  std::string ns, name, cluster_queue;
  std::map<std::string, std::string> labels;  // gpol.dev/ only
  StopPolicy stop = StopPolicy::None;
};

struct WorkloadPriorityClass {
  std::string name;
  std::int64_t value = 0;
  std::map<std::string, std::string> labels;  // gpol.dev/ only
};

struct Namespace {
  std::string name;
  std::map<std::string, std::string> labels;  // those of gpol.dev/ and kubernetes.io/metadata.name
};

// What a ValidatingAdmissionPolicy or one of its bindings is about (admissionregistration.k8s.io/v1 MatchResources). An
// empty list of rules: nothing (of a policy), everything that the policy matches (of a binding).
struct MatchResources {
  struct Rule {
    std::vector<std::string> groups, versions, operations, resources;  // "*" stands for all; "pods/binding"
    std::vector<std::string> names;                                    // empty: all
    std::string scope = "*";                                           // Cluster, Namespaced, *
    friend auto operator<=>(const Rule&, const Rule&) = default;
  };
  std::vector<Rule> rules, excluded;
  Selector namespaces = {true, {}, {}}, objects = {true, {}, {}};
  bool equivalent = true;  // matchPolicy Equivalent, the default: other versions of the resource count as well
};

// Its expressions are CEL over `request`, `object`, `oldObject`, `namespaceObject` and `variables`.
struct AdmissionPolicy {
  std::string name;
  bool fails_closed = true;  // failurePolicy Fail, the default: an expression that cannot be evaluated denies
  bool params = false;       // it takes parameters, which are not modelled: it is taken to deny nothing
  MatchResources match;
  struct Named {
    std::string name, expression;
    friend bool operator==(const Named&, const Named&) = default;
  };
  std::vector<Named> conditions;  // all must hold, or the request is none of its business
  std::vector<Named> variables;   // in order: one may use those before it
  struct Validation {
    std::string expression, message;
    friend bool operator==(const Validation&, const Validation&) = default;
  };
  std::vector<Validation> validations;  // a request of which one is false is denied
};

struct AdmissionBinding {
  std::string name, policy;
  std::vector<std::string> actions;  // Deny, Warn, Audit
  MatchResources match;
};

// scheduling.k8s.io/v1: for pods, where a WorkloadPriorityClass is for Kueue's queues.
struct PriorityClass {
  std::string name;
  std::int64_t value = 0;
  bool global_default = false;
  bool preempts = true;                       // preemptionPolicy PreemptLowerPriority, the default
  std::map<std::string, std::string> labels;  // gpol.dev/ only
};

// v1, without scopes: how many objects of a kind a namespace holds, those that have ended included.
struct ResourceQuota {
  std::string ns, name;
  std::map<std::string, std::int64_t> hard;
};
inline constexpr const char* kCountOfJobs = "count/jobs.batch";  // of apiserver's object count quotas

// rbac.authorization.k8s.io/v1. RBAC only grants: no proof rests on it.
struct ClusterRole {
  std::string name;
  struct Rule {
    std::vector<std::string> groups, resources, verbs;
    std::vector<std::string> names;  // resourceNames; empty: all
  };
  std::vector<Rule> rules;
  // Observed: its labels, and of which labels its aggregationRule gathers the rules of other roles.
  std::map<std::string, std::string> labels = {};
  std::vector<Selector> gathers = {};
  std::string ns = {};  // of a Role, which counts there alone
};

struct ClusterRoleBinding {
  std::string name, role;
  struct Subject {
    std::string kind, ns, name;  // User, Group, or ServiceAccount, which alone has a namespace
    friend auto operator<=>(const Subject&, const Subject&) = default;
  };
  std::vector<Subject> subjects;
  std::string ns = {};         // observed, of a RoleBinding: what it grants counts there alone
  bool role_of_there = false;  // it grants a Role of that namespace
};

// Nodes that are alike: what the schedulers see of them. How many there are, and what each has, is Intent's.
struct NodePool {
  std::string name;
  std::map<std::string, std::string> labels;
  std::vector<Taint> taints;
};

// What requests for `input` make of the requests that Kueue counts (Configuration: resources.transformations).
struct Transformation {
  std::string input;
  bool replace = false;                        // strategy Replace: the input itself does not count; else Retain
  std::string multiply_by;                     // a resource whose request multiplies the input's; empty: none
  std::map<std::string, std::string> outputs;  // per unit of the input: plain decimals, which may be negative
  friend bool operator==(const Transformation&, const Transformation&) = default;
};

// The controller's Configuration, as far as it changes a verdict (kueue.md 3.4, 4.2, 5; config.kueue.x-k8s.io/v1beta2).
struct KueueConfig {
  std::string version = "0.19.2";
  bool fair_sharing = false;
  enum class FairStrategies : std::uint8_t { Both, LessThanOrEqualToFinalShare, LessThanInitialShare };
  FairStrategies fair_strategies = FairStrategies::Both;  // fairSharing.preemptionStrategies; Both: in this order
  struct WaitForPodsReady {
    std::string timeout, recovery_timeout;  // durations as written; empty: upstream's default
    bool block_admission = false;
    bool requeue_at_creation = false;  // requeuingStrategy.timestamp Creation instead of Eviction
    bool gives_up = false;             // it has a backoffLimitCount: then a workload is deactivated
    friend bool operator==(const WaitForPodsReady&, const WaitForPodsReady&) = default;
  };
  std::optional<WaitForPodsReady> wait_for_pods_ready;  // absent: upstream's default (on since v0.19, 30 min)
  bool manage_jobs_without_queue_name = false;
  Selector managed_namespaces;
  std::vector<Selector> webhook_namespaces;  // observed: all must let a namespace in, or what runs there is never seen
  std::vector<std::string> frameworks;
  std::vector<std::string> external_frameworks;  // Kind.version.group; whose Workloads other controllers make
  std::map<std::string, bool> gates;
  std::string quota_check_strategy;  // empty: BlockUndeclared
  std::vector<Transformation> transformations;
  std::vector<std::string> excluded_prefixes;  // resources that begin so do not count at all
};

// Limits that differ from the base while a set of windows is in force: (queue, flavor, resource) names to its quota.
struct Mode {
  std::string name;
  struct Key {
    std::string queue, flavor, resource;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  std::map<Key, Quota> changed;
};

struct Cluster {
  KueueConfig config;
  std::optional<volcano::Setup> volcano;  // its scheduler is Volcano: then nothing here is Kueue's
  std::vector<std::string> resources;
  std::vector<Flavor> flavors;  // of Volcano: one for each pool of nodes, which is no object
  std::vector<CohortNode> cohorts;
  std::vector<Queue> queues;
  std::vector<LocalQueue> local_queues;
  std::vector<WorkloadPriorityClass> priority_classes;
  std::vector<Namespace> namespaces;
  std::vector<PriorityClass> pod_priority_classes;
  std::vector<ResourceQuota> resource_quotas;
  std::vector<AdmissionPolicy> admission_policies;
  std::vector<AdmissionBinding> admission_bindings;
  std::vector<ClusterRole> roles;
  std::vector<ClusterRoleBinding> role_bindings;
  std::vector<NodePool> node_pools;
  std::vector<MigConfigMap> mig_config_maps;
  std::vector<PluginConfigMap> plugin_config_maps;
  std::vector<OperatorPolicy> operator_policies;
  std::vector<TrafficPolicy> traffic_policies;
  std::vector<HttpRoute> http_routes;
  std::vector<IngressPolicy> ingress_policies;
  std::vector<CutNodes> cut_nodes;  // commands for people: read back by node_commands.h, and in no list of objects
  std::vector<Mode> modes;          // at least one: the base, with nothing changed, when there are no windows

  GPOL_SPECIAL_MEMBERS(Cluster);
};

// Every list of objects, in the order of the normal form (normal_form.cpp): what stands in none of them ships unproven.
// An object of a kind with a header of its own gives its lines by a `Block block_of(const Kind&)` there (fact_lines.h).
template <class Visit>
void each_list(const Cluster& cluster, const Visit& visit) {
  if (!cluster.volcano) visit(cluster.flavors);  // else they are pools by another name, and no object says so
  visit(cluster.cohorts);
  visit(cluster.queues);
  visit(cluster.local_queues);
  visit(cluster.priority_classes);
  visit(cluster.namespaces);
  visit(cluster.pod_priority_classes);
  visit(cluster.resource_quotas);
  visit(cluster.admission_policies);
  visit(cluster.admission_bindings);
  visit(cluster.roles);
  visit(cluster.role_bindings);
  visit(cluster.node_pools);
  visit(cluster.mig_config_maps);
  visit(cluster.plugin_config_maps);
  visit(cluster.operator_policies);
  visit(cluster.traffic_policies);
  visit(cluster.http_routes);
  visit(cluster.ingress_policies);
  visit(cluster.modes);
}

// Without regard to modes: of the resource in that flavor; no flavor: in any.
inline bool can_have(const Cluster& cluster, const Queue& queue, const std::string& resource,
                     std::optional<std::uint32_t> flavor = std::nullopt) {
  for (const ResourceGroup& group : queue.groups)
    for (const FlavorQuotas& row : group.flavors)
      for (std::size_t i = 0; i < row.quotas.size(); ++i)
        if ((!flavor || row.flavor == *flavor) && cluster.resources[group.covered[i]] == resource &&
            can_have(queue, row.quotas[i]))
          return true;
  return false;
}

}  // namespace gpol
