// Premises of what is there, with no policy that could accept them. In: what the families proved. Out: an assumption
// for each premise that something rests on: enforced where guards among the manifests keep it, else trusted, since the
// manifests may be a part of a cluster, or open where the input is taken for the whole (`strict`). What the manifests
// themselves break is open either way: one refuted obligation each.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "checker/families/families.h"
#include "compiler/cluster/node_facts.h"
#include "compiler/cluster/pod_facts.h"

namespace gpol {

// ResourceQuotas and LimitRanges of the namespaces that serving or batch asks from.
struct LimitsFound {
  struct Broken {  // by one of them, as it is written
    std::string kind, name, message, remedy;
    PodFacts::Ask at;
  };
  std::string of_serving, of_batch;  // what they are taken not to do, in words: which; empty: none
  std::vector<Broken> serving, batch;
};
// Those that are of no consequence stay in `limits`.
LimitsFound look_at_limits(const Proof& proof, std::span<const OutsideFacts> outside, std::span<const NodeFacts> nodes,
                           std::span<const PodFacts> pods, std::vector<PodLimits>& limits);

struct Given {
  bool strict = false;                    // what nothing enforces is open
  std::string absent;                     // objects that are named and not there, in words; empty: none
  const LimitsFound* limits = nullptr;    // ResourceQuotas and LimitRanges that concern serving or batch; null: none
  std::string shared;                     // flavors whose nodes may be the same, in words; empty: none
  std::span<const PodFacts> pods = {};    // of the manifests, that ask for devices
  std::span<const PodFacts> rooms = {};   // of the manifests, that request anything
  std::span<const NodeFacts> nodes = {};  // all that there are; empty: they were not given
  std::span<const Span> bindings = {};    // where Cluster::role_bindings stand
  std::span<const Span> ranks = {};       // where the values of Cluster::pod_priority_classes stand
  bool configured = false;                // a Configuration is among the manifests
  std::span<const QuotaWayUse> quota_ways = {};  // of queues and cohorts
  std::string admission = {};                    // webhooks that are not Kueue's and the like, in words; empty: none
};

// A binding of RBAC that lets everybody, or a service account of a namespace of batch, write what proofs rest on.
struct OpenAccess {
  std::string_view kind;  // of the binding
  std::string binding, message, remedy;
  Span at;
};
struct AccessFound {
  std::vector<OpenAccess> objects;  // Kueue's
  std::vector<OpenAccess> guards;   // policies and bindings, where something rests on them
  bool denied = false;              // a guard keeps somebody away whom RBAC lets write Kueue's objects
  std::set<std::string> unknown;    // roles of everybody, or of who runs where batch does, that were not read
};
AccessFound open_access(const Proof& proof, std::span<const Span> bindings);

// What is taken for granted of the manifests alone, and is no premise of a policy; and who could give what is missing.
struct Assumed {
  std::string text, remedy;
  std::string by = {};  // what enforces it; empty: nothing
  bool open = false;    // something among the manifests contradicts it, which was told
};
struct Contradicted {
  const std::set<std::string>& unknown_roles;      // AccessFound
  const std::set<QueueRole::Kind>& misranked;      // roles whose stated priority does not hold
  const std::vector<std::string_view>& open_ways;  // round quota, that nobody is seen to use (quota_ways.h)
  std::string pinned = {};                         // guards that pin the priorities of batch; empty: none
};
std::vector<Assumed> assumed_of(const Proof& proof, const Given& given, const Contradicted& found);

// Vacuity and priority, where nobody wrote a policy: a serving queue owns something of everything that its pods need,
// and the labelled WorkloadPriorityClasses of batch are below those of serving.
void judge_given_vacuity(const Proof& proof, Report& report);
// Pods of serving that its queue never lets in, and flavors of it that select different nodes for one pod: after
// vacuity. `configured`: a Configuration says which requests count.
void judge_unadmitted(const Proof& proof, std::span<const PodFacts> pods, std::span<const NodeFacts> nodes,
                      bool configured, Report& report);
// Workloads of serving that are larger than all their queue can have, and, as warnings, replicas beyond that.
void judge_oversize(const Proof& proof, std::span<const PodFacts> pods, Report& report);
// Fragmentation, where Nodes are given: of the demand of each queue that serves, and of its pods among the manifests.
void judge_fragments(const Proof& proof, std::span<const PodFacts> pods, std::span<const NodeFacts> nodes,
                     Report& report);
// Where these places are not judged, or not all that is said of them is known: undecided. After judge_fragments.
void judge_standing(const Proof& proof, std::span<const PodFacts> pods, std::span<const NodeFacts> nodes,
                    Report& report);
void judge_given_priority(const Proof& proof, Report& report);

// Whether the selector lets the namespace in, by its name alone; nothing where other labels decide.
std::optional<bool> lets_in(const Cluster& cluster, const Selector& selector, const std::string& ns);

// Whether Kueue looks at what runs in the namespace (its webhooks, and managedJobsNamespaceSelector, which labelled
// jobs need, too: the gate ManagedJobsNamespaceSelectorAlwaysRespected is locked); nothing where labels decide that are
// not known.
std::optional<bool> managed(const Cluster& cluster, const std::string& ns);

// Those of LocalQueues that lead to batch and can be used, and those that a selector of batch names.
std::set<std::string> namespaces_of_batch(const Cluster& cluster, const Intent& intent);

// What is held now and could not be let in by the quotas beside it, where serving rests on them: the queue, and what
// its status, or that of its Workload, says.
struct HeldBeyond {
  std::string queue;
  Span at;
  std::string what;
};
std::vector<HeldBeyond> held_beyond(const Cluster& cluster, const Intent& intent, const std::vector<HeldFacts>& held);

// Taints of a flavor's nodes that it does not speak of, and that all pods among the manifests tolerate which ask the
// queues that serve there, each of them some: the flavor tolerates them. Before shut_tainted. `cluster`: the proof's.
void take_tolerations(const Proof& proof, std::span<const PodFacts> pods, std::span<const NodeFacts> nodes,
                      Cluster& cluster);

// Before take_nodes: nodes of a flavor with a taint that neither it nor its nodes' taints speak of, where it has
// others.
void shut_tainted(const Cluster& cluster, std::vector<NodeFacts>& nodes);

// Before the families are asked: what keeps them from judging the places of serving outside the queue. `outside` is
// what the intent's tenants were made of; `rooms`: whoever else requests anything.
struct Around {
  std::span<const PodFacts> rooms = {};
  std::span<const NodeFacts> nodes = {};
  bool configured = false;  // a Configuration is among the manifests
};
void doubt_outside(std::span<const OutsideFacts> outside, const Around& around, const Cluster& cluster, Intent& intent);
// Without Nodes: two flavors of which one's labels are all among the other's. `places`: of the labels of each flavor
// that is described.
void judge_shared_labels(const std::map<std::string, Span>& places, const Proof& proof, Report& report);
// Pairs of flavors whose labels one node may have, in words; empty: none.
std::string perhaps_shared(const std::map<std::string, Span>& places, const Proof& proof);
// Two flavors for one node: then neither quotas nor node labels keep batch off it. `unknown`: flavors that are not
// described.
void judge_shared_nodes(std::span<const NodeFacts> nodes, const std::set<std::string>& unknown, const Proof& proof,
                        Report& report);

void judge_given(const Proof& proof, const Given& given, Report& report);

}  // namespace gpol
