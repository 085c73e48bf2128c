// Where kube-scheduler can put a pod, executable: it is the judge of the stories about nodes. In: the node pools of a
// cluster, nodes of them, pods one after another. Out: on which nodes a pod fits, and why not on the others. Which of
// the feasible nodes is chosen depends on scores and ties (and on pods that nobody models), so it is up to the caller.
//
// The filters are those of Kubernetes v1.36, pkg/scheduler/framework/plugins: noderesources/fit.go fitsRequest (pods
// are counted always, a resource only where the pod asks for it), nodeaffinity/node_affinity.go Filter (every pair of
// the nodeSelector is a label of the node), tainttoleration/taint_toleration.go Filter (taints NoSchedule and
// NoExecute; k8s.io/api/core/v1/toleration.go ToleratesTaint). Preemption of pods by pods: preemption.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/cluster/cluster.h"

namespace gpol::nodes {

using Amounts = std::vector<std::int64_t>;  // by index into Cluster::resources

// What of a pod the filters look at. `requests` counts its resources; the pod itself is counted where the cluster has
// the resource `pods`.
struct Pod {
  Amounts requests;
  std::map<std::string, std::string> selector;
  std::vector<Toleration> tolerations;
};

bool tolerates(const Toleration& toleration, const Taint& taint);
// Of every pod that is admitted with the flavor.
std::vector<Toleration> tolerations_of(const Flavor& flavor);
// A taint that keeps the pod away; null where none does.
const Taint* untolerated(std::span<const Taint> taints, std::span<const Toleration> tolerations);
// Every pair of the selector is a label of the node.
bool selects(const std::map<std::string, std::string>& selector, const std::map<std::string, std::string>& labels);
// One node may have both.
bool agree(const std::map<std::string, std::string>& labels, const std::map<std::string, std::string>& others);

// What Kueue makes of a pod that is admitted with these flavors: their node labels join its selector, their tolerations
// its own; their taints are never added (pkg/podset/podset.go). Nothing where the selectors contradict each other: such
// a workload is finished as failed. Labels of two flavors overwrite each other, the later wins.
std::optional<Pod> admitted(const Cluster& cluster, std::span<const std::uint32_t> flavors, Pod own);

enum class Filter : std::uint8_t { Fits, Gone, NodeSelector, Taint, Pods, Resource };

class PlacementModel {
 public:
  explicit PlacementModel(const Cluster& cluster);  // `cluster` must outlive this

  // So many nodes of a pool, each with these amounts for pods. Returns the first; the others follow.
  std::uint32_t add_nodes(std::uint32_t pool, std::int64_t count, const Amounts& allocatable);
  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
  std::uint32_t pool_of(std::uint32_t node) const { return nodes_[node].pool; }
  void lose(std::uint32_t node);  // with all pods on it

  Filter filter(std::uint32_t node, const Pod& pod) const;
  std::vector<std::uint32_t> feasible(const Pod& pod) const;
  // Binds the pod. False, and nothing happens, where it does not fit.
  bool place(std::uint32_t node, const Pod& pod);
  void put(std::uint32_t node, const Pod& pod);     // counts it there, whether it fits or not
  void remove(std::uint32_t node, const Pod& pod);  // a pod that stands there is gone

 private:
  struct Node {
    std::uint32_t pool = 0;
    Amounts free;
    bool lost = false;
  };
  const Cluster& cluster_;
  std::optional<std::uint32_t> pods_;  // the resource of that name
  std::vector<Node> nodes_;
};

}  // namespace gpol::nodes
