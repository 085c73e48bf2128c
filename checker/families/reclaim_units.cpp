// The facts of reclaim where nobody wrote a policy and the demand of a queue is known exactly: single pods of one unit of
// every resource, no more than fit into its nominal quota (QueueRole::unit_demand, compiler/cluster/roles.h). What others
// may do is known too: another serving queue keeps within its own reserve, a queue without a role within its nominal
// quota, and a priority class with a role gives that role's one priority.
#include <algorithm>

#include "checker/families/reclaim_facts.h"
#include "checker/kueue/walk.h"
#include "checker/story/hold.h"
#include "compiler/cluster/roles.h"

namespace gpol {

namespace {

using Role = QueueRole::Kind;

// Pods that fit into the nominal quota of the flavor.
std::int64_t pods_of(const Cluster& cluster, const ResourceGroup& group, const FlavorQuotas& flavor) {
  std::int64_t least = INT64_MAX;
  for (std::size_t r = 0; r < group.covered.size(); ++r)
    least = std::min(least, flavor.quotas[r].nominal / one_unit(cluster.resources[group.covered[r]]));
  return least;
}

// As many pods by every resource.
bool balanced(const Cluster& cluster, const ResourceGroup& group, const FlavorQuotas& flavor) {
  for (std::size_t r = 0; r < group.covered.size(); ++r)
    if (flavor.quotas[r].nominal / one_unit(cluster.resources[group.covered[r]]) != pods_of(cluster, group, flavor))
      return false;
  return true;
}

}  // namespace

void ReclaimWorld::heed_unit_demand(std::uint32_t q, std::span<const std::int64_t> claimable,
                                    ReclaimFacts& facts) const {
  const Cluster& cluster = proof_.cluster;
  const Queue& queue = cluster.queues[q];
  // Its queue holds nothing but pods of one shape: none of them is in the way of another for long.
  facts.best_effort_head = true;
  // What others can hold does not matter where the demand does not need it.
  facts.nothing_claimable = true;
  std::size_t at = 0;
  for (const auto& group : queue.groups)
    for (const auto& flavor : group.flavors)
      for (std::size_t r = 0; r < group.covered.size(); ++r, ++at) {
        const std::int64_t needs = pods_of(cluster, group, flavor) * one_unit(cluster.resources[group.covered[r]]);
        if (claimable[at] > flavor.quotas[r].nominal - needs) facts.nothing_claimable = false;
      }
  if (facts.one_flavor && queue.groups.size() == 1) facts.borrows_nothing = true;  // the demand is within its nominal
  if (!facts.one_flavor && finds_a_flavor(q, facts.nothing_claimable)) {
    facts.one_flavor = facts.borrows_nothing = true;
    facts.try_next_when_preempting = false;
  }
  facts.victims_below = true;
  for (std::uint32_t other = 0; other < cluster.queues.size(); ++other)
    if (other != q && share_a_flavor(q, other) && may_be_above(other) && !below(other, q)) facts.victims_below = false;
  heed_known_siblings(q, facts);
}

void ReclaimWorld::heed_known_siblings(std::uint32_t q, ReclaimFacts& facts) const {
  for (std::uint32_t other = 0; other < proof_.cluster.queues.size(); ++other) {
    if (other == q || !share_a_flavor(q, other)) continue;
    if (stopped_borrower_[other]) facts.victims_active = false;
    switch (kind_[other]) {
      case Any:
        facts.siblings.reclaim_any = true;
        break;
      case OwnsNothing:
        facts.siblings.owns_nothing = true;
        break;
      case BestEffort:
        facts.siblings.best_effort = true;
        break;
      case Strict:
        // Under fair sharing shares come before priorities.
        if (!proof_.cluster.config.fair_sharing && below(other, q))
          facts.siblings.goes_after = true;
        else if (!heads_always_fit(other))
          facts.siblings.strict_fifo = true;
        break;
      default:
        break;
    }
  }
}

bool ReclaimWorld::borrows(std::uint32_t q) const {
  return shape_.parent[q] != kueue::kRoot &&
         std::any_of(least_[q].begin(), least_[q].end(), [](const Quota& quota) { return quota.borrowing != 0; });
}

bool ReclaimWorld::may_be_above(std::uint32_t q) const {
  const Queue& queue = proof_.cluster.queues[q];
  if (!borrows(q)) return false;
  switch (proof_.intent.roles[q].kind) {
    case Role::None:
      return std::none_of(proof_.intent.roles.begin(), proof_.intent.roles.end(),
                          [](const QueueRole& role) { return role.kind != Role::None; });
    case Role::Serving:  // its demand may be put on a flavor that it borrows
      return queue.groups.size() > 1 || queue.groups.front().flavors.size() > 1;
    case Role::Batch:
      return true;
  }
  return true;
}

bool ReclaimWorld::below(std::uint32_t q, std::uint32_t than) const {
  const auto lower = proof_.intent.roles[q].priority, higher = proof_.intent.roles[than].priority;
  return lower && higher && *lower < *higher;
}

bool ReclaimWorld::can_evict(std::uint32_t q, std::uint32_t victim) const {
  const Preemption& preemption = proof_.cluster.queues[q].preemption;
  if (!share_a_flavor(q, victim) || preemption.reclaim_within_cohort == Reclaim::Never) return false;
  const auto mine = proof_.intent.roles[q].priority, its = proof_.intent.roles[victim].priority;
  return preemption.reclaim_within_cohort == Reclaim::Any || !mine || !its || *its < *mine;
}

// Some flavor always has room for the next pod: together they have as many places as the demand has pods, and what runs
// within the nominal quota of its flavor is never evicted by others. The search reaches that flavor unless it stops at
// an earlier one without room, of which one resource could be had and another not (N10b), or pods that it put on a
// borrowed place are evicted again and again.
bool ReclaimWorld::finds_a_flavor(std::uint32_t q, bool nothing_claimable) const {
  const Cluster& cluster = proof_.cluster;
  const Queue& queue = cluster.queues[q];
  if (queue.groups.size() != 1) return false;
  if (!borrows(q)) return true;
  const ResourceGroup& group = queue.groups.front();
  bool evicted = false;
  for (std::uint32_t other = 0; other < cluster.queues.size(); ++other)
    evicted = evicted || (other != q && can_evict(other, q));
  const bool one_resource = group.covered.size() == 1;
  const bool even = std::all_of(group.flavors.begin(), group.flavors.end(),
                                [&](const FlavorQuotas& flavor) { return balanced(cluster, group, flavor); });
  const bool below_root = shape_.parent[shape_.parent[q]] == kueue::kRoot;
  const bool own_only = queue.preemption.reclaim_within_cohort == Reclaim::Never;
  (void)nothing_claimable;
  const bool stops_well = one_resource || (own_only && nothing_claimable) ||
                          (even && below_root && !cluster.config.fair_sharing &&
                           queue.preemption.borrow_within_cohort == BorrowWithin::Never);
  return stops_well && !evicted;
}

// Nobody can hold any of its nominal quota, so a head within it, which goes first, finds it free.
bool ReclaimWorld::heads_always_fit(std::uint32_t q) const {
  const Cluster& cluster = proof_.cluster;
  for (const Pair pair : pairs_of(cluster.queues[q])) {
    bool exact = false;
    const kueue::Limits limits = kueue::widest_limits(cluster, shape_, pair.flavor, pair.resource, exact);
    const auto behaviour = behaviour_of(cluster, proof_.intent, pair.flavor, pair.resource);
    const auto bounds = kueue::walk_bounds(shape_, limits, behaviour);
    if (kueue::walk_path(shape_, limits, bounds, q).owner_available < limits.nominal[q]) return false;
  }
  return true;
}

}  // namespace gpol
