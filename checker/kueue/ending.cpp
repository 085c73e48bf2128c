#include "checker/kueue/ending.h"

#include <algorithm>
#include <utility>

#include "checker/kueue/amount.h"
#include "compiler/cluster/listed.h"

namespace gpol::kueue {

EndingVictims::EndingVictims(const Cluster& cluster, const Shape& shape) : cluster_(cluster), shape_(shape) {
  const bool pooled =
      std::ranges::any_of(cluster.cohorts, [](const CohortNode& cohort) { return !cohort.groups.empty(); });
  for (Node q = 0; q < shape.queues; ++q) {
    trees_[root_of(shape, q)].push_back(q);
    auto& listed = lists_.emplace_back(cluster.flavors.size(), false);
    for (const FlavorQuotas& row : listed_flavors(cluster.queues[q].groups)) listed[row.flavor] = true;
    // What others lend in a cohort below the root counts as that cohort's quota (kueue.md N4).
    const Node parent = shape.parent[q];
    pooled_.push_back(pooled || (parent != kRoot && shape.parent[parent] != kRoot));
    preempts_.push_back(preempts(q));
  }
}

bool EndingVictims::preempts(Node queue) const {
  const Queue& of = cluster_.queues[queue];
  if (of.stop != StopPolicy::None || shape_.in_cycle[queue]) return false;
  if (of.preemption.within_cluster_queue != Within::Never) return true;
  if (of.preemption.reclaim_within_cohort == Reclaim::Never) return false;
  if (pooled_[queue] || cluster_.config.fair_sharing || of.preemption.borrow_within_cohort != BorrowWithin::Never)
    return true;
  for (const ListedQuota& one : listed_quotas(of.groups))  // only within its nominal quota
    if (one.quota.nominal > 0) return true;
  return std::ranges::any_of(cluster_.modes, [&](const Mode& mode) {
    return std::ranges::any_of(mode.changed, [&](const auto& changed) {
      return changed.first.queue == of.name && changed.second.nominal > 0;
    });
  });
}

// A victim is in the way on some flavor of the preemptor's; it may hold others beside that.
bool EndingVictims::may_evict(Node preemptor, Node victim) const {
  const Preemption& preemption = cluster_.queues[preemptor].preemption;
  if (preemptor == victim) return preemption.within_cluster_queue != Within::Never;
  if (preemption.reclaim_within_cohort == Reclaim::Never) return false;
  for (std::size_t f = 0; f < cluster_.flavors.size(); ++f)
    if (lists_[preemptor][f] && lists_[victim][f]) return true;
  return false;
}

bool EndingVictims::possible(Node owner, std::uint32_t flavor, const Bounds& bounds) const {
  if (shape_.parent[owner] == kRoot) return false;
  const std::vector<Node>& tree = trees_.at(root_of(shape_, owner));
  // Of what it keeps to itself nobody else is given any, and of one queue there is one head in a cycle.
  const auto holds = [&](Node queue) { return lists_[queue][flavor] && bounds.spill[queue] > 0; };
  constexpr int kEnough = 3;  // heads: one of them may be the preemptor's
  int heads = 0;
  for (const Node queue : tree)
    if (queue != owner && holds(queue) && cluster_.queues[queue].stop == StopPolicy::None && ++heads == kEnough) break;
  if (heads < 2) return false;
  for (const Node preemptor : tree) {
    if (!preempts_[preemptor]) continue;
    const bool behind = heads == kEnough || preemptor == owner || !holds(preemptor);
    if (!behind) continue;
    // No other queue's, and its own is none: no need to look at them all.
    if (cluster_.queues[preemptor].preemption.reclaim_within_cohort == Reclaim::Never && !holds(preemptor)) continue;
    for (const Node victim : tree)
      if (victim != owner && holds(victim) && may_evict(preemptor, victim)) return true;
  }
  return false;
}

Filled filled_while_ending(const Shape& shape, const Limits& limits, const Behaviour& behaviour) {
  Limits doubled = limits;  // of cohorts: a queue has one head in a cycle, and that one fits beside what it holds
  for (Node v = shape.queues; v < shape.parent.size(); ++v)
    doubled.potential[v] = saturating_add(limits.potential[v], limits.potential[v]);
  // What a child keeps to itself both the victims and what is admitted behind them may have filled, and of a cohort
  // that does several times, since its debt does not show above it before.
  for (Node v = 0; v < shape.parent.size(); ++v) {
    if (shape.parent[v] == kRoot || limits.local[v] == 0) continue;
    std::int64_t& most = doubled.potential[shape.parent[v]];
    most = v < shape.queues ? saturating_add(most, limits.local[v]) : kUnlimited;
  }
  Bounds bounds = walk_bounds(shape, doubled, behaviour);
  return {std::move(doubled), std::move(bounds)};
}

std::int64_t left_while_ending(const Shape& shape, const Limits& limits, const Filled& filled, Node owner) {
  const PathBounds path = walk_path(shape, filled.limits, filled.bounds, owner);
  __extension__ using Wide = __int128;  // a node in debt takes from what those below it keep to themselves
  const auto wide = [](std::int64_t amount) { return static_cast<Wide>(amount); };
  Wide above = 0;
  for (std::size_t i = path.path.size(); i-- > 0;) {
    const Node v = path.path[i];
    const Wide used = wide(path.usage[i]), local = wide(limits.local[v]);
    if (shape.parent[v] == kRoot) {
      above = wide(limits.subtree[v]) - used;
      continue;
    }
    if (limits.borrowing[v] != kUnlimited)
      above = std::min(above, wide(limits.subtree[v]) - local - std::max<Wide>(0, used - local) + limits.borrowing[v]);
    above += std::max<Wide>(0, local - used);
  }
  if (path.path.empty()) return limits.subtree[owner];
  if (limits.borrowing[owner] != kUnlimited)
    above = std::min(above, wide(limits.subtree[owner]) - limits.local[owner] + limits.borrowing[owner]);
  const Wide left = above + limits.local[owner];
  return static_cast<std::int64_t>(std::clamp<Wide>(left, 0, kUnlimited));
}

}  // namespace gpol::kueue
