#include "checker/kueue/fair_order.h"

namespace gpol::kueue {

FairOrder::FairOrder(const Ledger& snapshot, const std::vector<Workload>& workloads, Node preemptor,
                     const std::vector<WorkloadId>& candidates, const std::map<WorkloadId, std::size_t>& rank)
    : snapshot_(snapshot), preemptor_(preemptor), rank_(rank) {
  for (Node v = snapshot.shape().parent[preemptor]; v != kRoot; v = snapshot.shape().parent[v]) ancestors_.insert(v);
  for (const WorkloadId id : candidates) left_[workloads[id].spec.queue].push_back(id);
}

WorkloadId FairOrder::pop(Node queue) {
  auto& left = left_.at(queue);
  const WorkloadId first = left.front();
  left.erase(left.begin());
  if (left.empty()) left_.erase(queue);
  return first;
}

std::optional<Node> FairOrder::next() {
  const auto& parent = snapshot_.shape().parent;
  if (parent[preemptor_] == kRoot)
    return has(preemptor_) && !pruned_.contains(preemptor_) ? std::optional(preemptor_) : std::nullopt;
  Node root = preemptor_;
  while (parent[root] != kRoot) root = parent[root];
  while (!pruned_.contains(root))
    if (const auto queue = next_below(root)) return queue;  // else something was pruned: once more
  return std::nullopt;
}

// nextTarget
std::optional<Node> FairOrder::next_below(Node cohort) {
  std::optional<Node> queue, below;
  Share of_queue, of_below;
  of_queue.ratio = of_below.ratio = -1;  // NegativeDRS
  bool tie = false;
  for (const Node child : snapshot_.shape().children[cohort]) {
    if (pruned_.contains(child)) continue;
    Share share = dominant_share(snapshot_, child);
    if (child >= snapshot_.shape().queues) {
      if (!share.borrowing() && !ancestors_.contains(child)) {
        pruned_.insert(child);
      } else if (const int order = compare(share, of_below); order >= 0) {
        tie = order == 0;
        below = child;
        of_below = std::move(share);
      }
      continue;
    }
    if ((!share.borrowing() && child != preemptor_) || !has(child)) {
      pruned_.insert(child);
      continue;
    }
    const int order = snapshot_.holds(Rule::HighestShareFirst) ? compare(share, of_queue) : (queue ? 0 : 1);
    if (order > 0 || (order == 0 && rank_.at(left_.at(child).front()) < rank_.at(left_.at(*queue).front()))) {
      queue = child;
      of_queue = std::move(share);
    }
  }
  if (!queue && !below) {
    pruned_.insert(cohort);
    return std::nullopt;
  }
  if (compare(of_below, of_queue) < 0) return queue;
  arbitrary_ = arbitrary_ || tie;
  return next_below(*below);
}

// least_common_ancestor.go
std::pair<Node, Node> FairOrder::almost_common(Node queue) const {
  const auto& parent = snapshot_.shape().parent;
  Node theirs = queue;
  while (!ancestors_.contains(parent[theirs])) theirs = parent[theirs];
  Node ours = preemptor_;
  while (parent[ours] != parent[theirs]) ours = parent[ours];
  return {ours, theirs};
}

}  // namespace gpol::kueue
