// Nodes as they are, where nobody declares pools. In: what Node objects say. Out: node pools of the cluster (nodes that
// look alike to its flavors) and what each flavor's nodes have. A flavor without node labels stands for every node. All
// the nodes that there are must be among them: quotas are held against their sum.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "compiler/cluster/cluster.h"
#include "compiler/cluster/intent.h"

namespace gpol {

inline constexpr std::int64_t kMostNamedNodes = 10'000;  // of gpol.yaml

struct NodeFacts {
  std::string name;
  std::map<std::string, std::string> labels;
  std::vector<Taint> taints;
  std::map<std::string, std::int64_t> allocatable;  // base units, by resource
  bool elastic = false;                             // an autoscaler may add it: it counts for class C alone
  bool cordoned = false;                            // spec.unschedulable, or not Ready: it takes no new pod
  std::set<std::string> shut;                       // flavors of which no pod tolerates it, though others of theirs do
  // By resource: whose pods, on every such node, have been taken off what is allocatable ("DaemonSet `ns/name`").
  std::map<std::string, std::set<std::string>> daemons = {};
  Span span = {};  // of its name
};

// The value of a label; "" where it has none.
std::string label_of(const NodeFacts& node, const std::string& key);
// As a number; 0 where it is none.
std::int64_t number_of(const std::map<std::string, std::string>& labels, const std::string& key);
// It carries the labels of the flavor, and pods of the flavor may go there now.
bool stands_for(const Flavor& flavor, const NodeFacts& node);

// What a serving workload that does not queue says of itself: a Deployment, StatefulSet or the like.
struct OutsideFacts {
  std::string group, kind, ns, name;  // name: "ns/name"
  std::string owner;                  // its controller, "GROUP/KIND/ns/name"; empty: it has none
  std::string isolation;              // "A", "B", "C"; empty: not said
  std::int64_t replicas = 1;
  std::map<std::string, std::int64_t> each;  // of one pod: base units, by resource
  std::map<std::string, std::string> node_selector;
  std::vector<Toleration> tolerations;
  std::string runtime_class;  // of its pods; empty: none
  std::string unknown;        // why its places are not known; empty: they are
  Span span;                  // of its name
};

// "`n1`, `n2` and 3 more are cordoned, not Ready or tainted"; empty: none is.
std::string cordoned_in_words(const PoolCapacity& capacity);
// "DaemonSet `a/b` and 3 more request", of some of PoolCapacity::daemons.
std::string daemons_in_words(const std::set<std::string>& daemons);

// Adds each, with a flavor for the nodes that it selects; before take_nodes.
void take_outside(std::span<const OutsideFacts> outside, Cluster& cluster, Intent& intent);

// Nodes have so many places for pods, whether any queue has a quota of them or not: the resource `pods` joins those of
// the cluster. Between take_outside and take_nodes.
void count_places(std::span<const NodeFacts> nodes, Cluster& cluster, Intent& intent);

// A node that two flavors take for theirs, one of which serving stands on: quotas count its devices twice, and pods of
// either may stand on it.
struct SharedNode {
  std::uint32_t serving_flavor = 0, other_flavor = 0;  // into Cluster::flavors
  std::uint32_t serving = 0, other = 0;                // a queue of each, into Cluster::queues
  Span node;
  bool counts_twice = false;  // some resource is counted in both flavors
};
// The same without Nodes; the place of a node is unknown. `described`: flavors whose labels are known.
enum class Sharing : std::uint8_t {
  Surely,  // every node that has the labels of one flavor has those of the other
  Perhaps  // a node may have both: no label of theirs has two values
};
std::vector<SharedNode> shared_labels(Sharing how, const std::set<std::string>& described, const Cluster& cluster,
                                      const Intent& intent);
// `unknown`: flavors that are named and not described, which have nodes of their own.
std::vector<SharedNode> shared_nodes(std::span<const NodeFacts> nodes, const std::set<std::string>& unknown,
                                     const Cluster& cluster, const Intent& intent);

// True where every flavor's nodes look alike, so that places on them can be judged, too.
// `unknown`: flavors that are named and not described; nothing is said of their nodes.
bool take_nodes(std::span<const NodeFacts> nodes, const std::set<std::string>& unknown, Cluster& cluster,
                Intent& intent);

}  // namespace gpol
