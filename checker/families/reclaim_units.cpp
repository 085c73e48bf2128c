// The facts of reclaim where nobody wrote a policy and the demand of a queue is known exactly: single pods of one unit
// of every resource, no more than fit into its nominal quota (QueueRole::unit_demand, compiler/cluster/roles.h). What
// others may do is known too: another serving queue keeps within its own reserve, a bounded one within its
// nominal quota, and a priority class with a role gives that role's one priority.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "checker/families/reclaim_facts.h"
#include "checker/kueue/counted.h"
#include "checker/kueue/walk.h"
#include "checker/planted.h"
#include "checker/story/hold.h"
#include "checker/story/narrate.h"
#include "compiler/cluster/listed.h"
#include "compiler/cluster/roles.h"
#include "compiler/source/lookup.h"

namespace gpol {

using kueue::kRoot;

using Role = QueueRole::Kind;

std::int64_t ReclaimWorld::asked(std::uint32_t q, std::uint32_t resource) const {
  return unit_asked(proof_.cluster, proof_.intent.roles[q], resource);
}

std::string ReclaimWorld::why_no_pod(std::uint32_t q) const {
  for (const ResourceGroup& group : proof_.cluster.queues[q].groups)
    for (std::size_t r = 0; r < group.covered.size(); ++r) {
      const std::int64_t unit = asked(q, group.covered[r]);
      const bool any =
          std::ranges::any_of(group.flavors, [&](const FlavorQuotas& row) { return row.quotas[r].nominal >= unit; });
      if (unit > 0 && !any)
        return fmt::format("its demand is of no pod: it owns less than {} of each flavor",
                           amount_in_words(proof_.cluster, group.covered[r], unit));
    }
  return "its demand is of no pod: of none of its flavors it owns one unit of everything";
}

std::int64_t ReclaimWorld::pods_of(std::uint32_t q, const ResourceGroup& group, const FlavorQuotas& flavor) const {
  std::int64_t least = INT64_MAX;
  for (std::size_t r = 0; r < group.covered.size(); ++r)
    if (const std::int64_t unit = asked(q, group.covered[r]); unit > 0)
      least = std::min(least, flavor.quotas[r].nominal / unit);
  return least;
}

std::int64_t ReclaimWorld::pods_wanted(std::uint32_t q, const ResourceGroup& group, const FlavorQuotas& flavor) const {
  return std::min(pods_of(q, group, flavor), proof_.intent.roles[q].unit_demand.value_or(INT64_MAX));
}

void ReclaimWorld::heed_unit_demand(std::uint32_t q, std::span<const std::int64_t> claimable,
                                    ReclaimFacts& facts) const {
  const Queue& queue = proof_.cluster.queues[q];
  // Its queue holds nothing but pods of one shape: none of them is in the way of another for long.
  facts.best_effort_head = true;
  // What others can hold does not matter where the demand does not need it.
  facts.nothing_claimable = true;
  for (const ListedQuota& one : listed_quotas(queue.groups)) {
    const std::int64_t needs = pods_wanted(q, one.group, one.row) * asked(q, one.resource);
    if (claimable[one.pair] > one.quota.nominal - needs || left_to(q, {one.flavor, one.resource}) < needs)
      facts.nothing_claimable = false;
  }
  if (facts.one_flavor) facts.borrows_nothing = true;  // the demand is within its nominal quota of every group
  if (!facts.one_flavor && finds_a_flavor(q, facts.nothing_claimable)) {
    facts.one_flavor = facts.borrows_nothing = true;
    facts.try_next_when_preempting = false;
  }
  facts.victims_below = borrowers_below(q);
  if (!facts.goes_first) facts.goes_first = facts.nothing_claimable || alone_in_its_cohorts(q);
  heed_known_siblings(q, facts);
  const bool lacks = !facts.victims_active || !facts.victims_below;
  if (lacks && facts.policy != Reclaim::Never && enough_can_be_evicted(q))
    facts.victims_active = facts.victims_below = true;
}

// Even while all that it may not evict from (a queue on Hold; one that is not below it in priority) hold what they can,
// its demand fits once the others are back within their nominal quotas. In a tree of one level nothing but a queue's
// own quota keeps it from being evicted from.
bool ReclaimWorld::enough_can_be_evicted(std::uint32_t q) const {
  const Cluster& cluster = proof_.cluster;
  const bool lower_only = cluster.queues[q].preemption.reclaim_within_cohort == Reclaim::LowerPriority;
  const kueue::Node root = shape_.parent[q];
  if (root == kRoot || shape_.parent[root] != kRoot) return false;
  std::set<std::uint32_t> stay;
  for (const std::uint32_t other : tree_of(q)) {
    if (other == q) continue;
    if (shape_.parent[other] != root) return false;
    if (stopped_borrower_[other] || (lower_only && may_be_above(other) && !below(other, q))) stay.insert(other);
  }
  for (const ListedQuota& one : listed_quotas(cluster.queues[q].groups)) {
    const Pair pair{one.flavor, one.resource};
    const kueue::Limits& limits = limits_of_pair(pair).limits;
    kueue::Behaviour behaviour = assumed(pair);
    for (const std::uint32_t other : tree_of(q))
      if (!stay.contains(other)) behaviour.at_most[other] = std::min(behaviour.at_most[other], limits.nominal[other]);
    if (left_if(q, pair, behaviour) < pods_wanted(q, one.group, one.row) * asked(q, pair.resource)) return false;
  }
  return true;
}

std::optional<std::uint32_t> ReclaimWorld::borrower_not_below(std::uint32_t q) const {
  for (const std::uint32_t other : some_of_tree(q))
    if (other != q && may_be_above(other) && share_a_flavor(q, other) && !below(other, q)) return other;
  return std::nullopt;
}

bool ReclaimWorld::borrowers_below(std::uint32_t q) const { return !borrower_not_below(q); }

// No other queue below the cohorts between it and the root is ever above its nominal quota: those borrow nothing.
bool ReclaimWorld::alone_in_its_cohorts(std::uint32_t q) const {
  for (const std::uint32_t other : some_of_tree(q)) {
    if (other == q || !may_be_above(other)) continue;
    for (kueue::Node mine = shape_.parent[q]; mine != kRoot && shape_.parent[mine] != kRoot; mine = shape_.parent[mine])
      for (kueue::Node its = shape_.parent[other]; its != kRoot; its = shape_.parent[its])
        if (its == mine) return false;
  }
  return true;
}

// Both list a flavor in which the first has room for a pod of its demand.
bool ReclaimWorld::share_a_place(std::uint32_t q, std::uint32_t other) const {
  for (const auto& group : proof_.cluster.queues[q].groups)
    for (const auto& flavor : group.flavors)
      if (pods_of(q, group, flavor) > 0 && std::ranges::binary_search(flavors_[other], flavor.flavor)) return true;
  return false;
}

bool ReclaimWorld::borrows(std::uint32_t q) const {
  return shape_.parent[q] != kRoot &&
         std::ranges::any_of(least_[q], [](const Quota& quota) { return quota.borrowing != 0; });
}

bool ReclaimWorld::may_be_above(std::uint32_t q) const {
  if (may_be_above_.empty()) may_be_above_.resize(proof_.cluster.queues.size());
  std::optional<bool>& known = may_be_above_[q];
  if (!known) known = is_ever_above(q);
  return *known;
}

bool ReclaimWorld::is_ever_above(std::uint32_t q) const {
  const Queue& queue = proof_.cluster.queues[q];
  if (!borrows(q)) return false;
  switch (proof_.intent.roles[q].kind) {
    case Role::Bounded:
      return false;
    case Role::Serving:  // its demand may be put on a flavor that it borrows, where it has more than one to choose from
      if (proof_.intent.roles[q].unit_demand && one_flavor_each(queue)) return false;
      return queue.groups.size() > 1 || !borrowed_flavors(q).empty();
    case Role::Batch:
    case Role::None:
      return true;
  }
  return true;
}

bool ReclaimWorld::below(std::uint32_t q, std::uint32_t than) const {
  const auto lower = proof_.intent.roles[q].priority, higher = proof_.intent.roles[than].priority;
  if (planted(Bug::WalkEqualPriorityBelow)) return lower && higher && *lower <= *higher;
  return lower && higher && *lower < *higher;
}

bool ReclaimWorld::always_has(std::uint32_t q, const ResourceGroup& group, const FlavorQuotas& flavor,
                              std::uint32_t resource) const {
  const QueueRole& role = proof_.intent.roles[q];
  return role.unit_demand &&
         left_to(q, {flavor.flavor, resource}) >= pods_wanted(q, group, flavor) * asked(q, resource);
}

const ReclaimWorld::Worst& ReclaimWorld::limits_of_pair(Pair pair) const {
  const auto [entry, fresh] = worst_.try_emplace({pair.flavor, pair.resource});
  if (fresh) {
    bool exact = false;
    entry->second.limits = kueue::widest_limits(proof_.cluster, shape_, pair.flavor, pair.resource, exact);
  }
  return entry->second;
}

// As the claim family assumes, but pods of a serving queue's demand may stand on places that it borrows.
const kueue::Behaviour& ReclaimWorld::assumed(Pair pair) const {
  const Worst& worst = limits_of_pair(pair);
  if (worst.assumed) return *worst.assumed;
  kueue::Behaviour behaviour = behaviour_of(proof_.cluster, proof_.intent, pair.flavor, pair.resource);
  for (std::uint32_t other = 0; other < proof_.cluster.queues.size(); ++other) {
    const auto& demand = proof_.intent.roles[other].unit_demand;
    if (!demand || !worst.limits.listed[other] || proof_.cluster.queues[other].stop != StopPolicy::None) continue;
    if (!contains(borrowed_flavors(other), pair.flavor)) continue;
    std::int64_t all = 0;
    if (__builtin_mul_overflow(*demand, one_unit(proof_.cluster.resources[pair.resource]), &all)) all = INT64_MAX;
    behaviour.at_most[other] = std::max(behaviour.at_most[other], all);
  }
  for (std::uint32_t other = 0; other < proof_.cluster.queues.size(); ++other)
    if (!pod_room_.has_room(other, pair.flavor)) behaviour.at_most[other] = 0;
  worst.assumed = std::move(behaviour);
  return *worst.assumed;
}

std::int64_t ReclaimWorld::left_to(std::uint32_t q, Pair pair) const {
  const Worst& worst = limits_of_pair(pair);
  if (!worst.bounds) worst.bounds = kueue::walk_bounds(shape_, worst.limits, assumed(pair));
  return kueue::walk_path(shape_, worst.limits, *worst.bounds, q).owner_available;
}

std::int64_t ReclaimWorld::left_if(std::uint32_t q, Pair pair, const kueue::Behaviour& behaviour) const {
  const kueue::Limits& limits = limits_of_pair(pair).limits;
  if (walked_.usage.empty()) {
    walked_.usage.resize(shape_.parent.size());
    walked_.spill.resize(shape_.parent.size());
    walked_.pushed.resize(shape_.parent.size());
  }
  kueue::walk_tree(shape_, limits, behaviour, nodes_.at(root_of(q)), walked_);
  return kueue::walk_path(shape_, limits, walked_, q).owner_available;
}

// Other serving queues of the tree count: what they may take first is taken from their demand.
std::string ReclaimWorld::counts_otherwise(std::uint32_t queue) const {
  const Cluster& cluster = proof_.cluster;
  if (cluster.config.transformations.empty() && cluster.config.excluded_prefixes.empty()) return {};
  for (const std::uint32_t other : some_of_tree(queue)) {
    const bool serves = proof_.intent.roles[other].kind == QueueRole::Kind::Serving;
    if (other != queue && (!serves || root_of(other) != root_of(queue))) continue;
    for (const Pair& pair : pairs_of(cluster.queues[other])) {
      std::string how = kueue::counted_otherwise(cluster.config, cluster.resources[pair.resource]);
      if (how.empty()) how = kueue::made_of_others(cluster.config, cluster.resources[pair.resource]);
      if (!how.empty()) return "its demand does not count as it is asked for: " + how;
    }
  }
  return {};
}

}  // namespace gpol
