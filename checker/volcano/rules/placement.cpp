// Which nodes a pod may go to, apart from what is free there: pkg/scheduler/plugins/predicates/predicates.go.
#include <algorithm>

#include "checker/volcano/rules/nodegroup.h"
#include "checker/volcano/rules/session.h"
#include "compiler/cluster/taints.h"

namespace gpol::volcano {

namespace {

bool selects(const Pod& pod, const Node& node) {
  if (node.unschedulable && !tolerated_by(pod.tolerations, {"node.kubernetes.io/unschedulable", "", "NoSchedule"}))
    return false;
  for (const auto& [key, value] : pod.node_selector)
    if (const auto found = node.labels.find(key); found == node.labels.end() || found->second != value) return false;
  return std::ranges::all_of(
      node.taints, [&](const Taint& taint) { return !keeps_off(taint) || tolerated_by(pod.tolerations, taint); });
}

}  // namespace

std::vector<std::size_t> Session::passing_nodes(const JobInSession& job, const Task& task) const {
  const bool predicates = has("predicates");
  std::vector<std::size_t> nodes;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = *nodes_[i].node;
    // Also terminating and pipelined pods count as pods of the node.
    if (predicates && (nodes_[i].pods >= of(node.allocatable, "pods") || !selects(*task.pod, node))) continue;
    if (in_group(config_, queues_[job.queue].groups, node.labels)) nodes.push_back(i);
  }
  return nodes;
}

std::size_t Session::choose_node(const Task& task, const std::vector<std::size_t>& nodes) const {
  std::vector<std::string> names;
  for (const std::size_t node : nodes) names.push_back(nodes_[node].node->name);
  return nodes[choose_(task.pod, names)];
}

}  // namespace gpol::volcano
