// Evictions that change nothing: who may evict without end, as what is evicted is back before it, or what it evicts for
// is kept by heads that are back (N15b, N15c, N16).
#include <algorithm>
#include <set>
#include <vector>

#include "checker/families/reclaim_facts.h"
#include "checker/kueue/walk.h"
#include "compiler/source/lookup.h"

namespace gpol {

using kueue::kRoot;

namespace {

// One pod may be given both flavors: it is one, or they are of different groups.
bool together(const Queue& queue, std::uint32_t one, std::uint32_t other) {
  const auto lists = [](const ResourceGroup& group, std::uint32_t flavor) {
    return contains(group.flavors, flavor, &FlavorQuotas::flavor);
  };
  return one == other || std::ranges::none_of(queue.groups, [&](const ResourceGroup& group) {
           return lists(group, one) && lists(group, other);
         });
}

}  // namespace

// Another queue of the tree may evict without end, because a head of a third one is back each time. Of whom that one
// evicts nobody else does in the same round (preemption.go, targets that overlap). Between two of its evictions there
// is a round in which the head that `q` minds is parked, if it is the only one: pods of one shape are parked together.
bool ReclaimWorld::others_evict_for_ever(std::uint32_t q, bool several_keep) const {
  const bool evicts_nobody = evicts_for(q).empty();
  std::size_t evicting = 0;
  bool first = false;  // of one that goes before this one, and evicts whom this one would
  for (const std::uint32_t other : some_of_tree(q)) {
    if (other == q || !evicts_for_ever(other)) continue;
    ++evicting;
    first = first || !(goes_after(other, q) || evicts_nobody);
  }
  return evicting > 1 || (evicting == 1 && (first || several_keep));
}

bool ReclaimWorld::evicts_for_ever(std::uint32_t q) const {
  const Queue& queue = proof_.cluster.queues[q];
  if (asks_for_nothing(q) || queue.preemption.reclaim_within_cohort == Reclaim::Never) return false;
  if (const auto known = evicts_for_ever_.find(q); known != evicts_for_ever_.end()) return known->second;
  const auto pairs = pairs_of(queue);
  if (victims_come_first(q)) return evicts_for_ever_[q] = true;
  const auto keeping = asks_for_pods(q) ? keepers(q) : std::vector<std::uint32_t>{};
  bool found = false;
  for (const std::uint32_t sibling : some_of_tree(q)) {
    if (found) break;
    if (sibling == q || kind_[sibling] != BestEffort || !share_a_flavor(q, sibling) || goes_after(sibling, q)) continue;
    if (asks_for_pods(q)) {
      const auto scarce = scarce_beside(q, keeping, sibling);
      found = keeps_some_of(sibling, q, scarce) && stays_without(sibling, q, keeping.size() <= 1) &&
              returns(sibling, q, scarce);
      continue;
    }
    // Of a demand that is not known: it evicts for one resource, and misses another; or misses some of that one, where
    // the sibling lacks another one still.
    const auto lacked = lacks(sibling, q);
    const bool beyond = may_keep_beyond(sibling, q);
    for (const Pair lost : lacks(q, q))
      for (const Pair kept : pairs) {
        if (!evicts_others_on(q, lost.flavor)) continue;
        const auto same = [&](const Pair& pair) {
          return pair.flavor == kept.flavor && pair.resource == kept.resource;
        };
        const bool over = may_keep(sibling, kept) > 0 && std::ranges::any_of(lacked, same);
        const bool missed = !same(lost) || is_limited(q, kept) || lacked.size() > 1;
        found = found || (holds_of_others(q, sibling, lost) && (beyond || (over && missed)));
      }
  }
  return evicts_for_ever_[q] = found;
}

// Kueue evicts work of a queue that is above its nominal quota of some resource, also where it needs another one of it,
// of which that queue has no more than it owns. Such work is back at once, and takes what it owns before `q`, where its
// priority is not lower: it is the newest again, and the next to be evicted (preemption/classical
// candidate_generator.go, common/ordering.go). Under fair sharing the shares of queues of one cohort come first.
bool ReclaimWorld::victims_come_first(std::uint32_t q) const {
  const Cluster& cluster = proof_.cluster;
  const auto short_of = evicts_for(q);
  if (short_of.size() < 2) return false;
  const auto [known, fresh] = by_priority_.try_emplace(root_of(q));
  std::vector<std::uint32_t>& others = known->second;
  if (fresh) {
    for (const std::uint32_t other : some_of_tree(q))
      if (!asks_for_nothing(other) && may_be_above(other)) others.push_back(other);
    const auto height = [&](std::uint32_t other) { return proof_.intent.roles[other].priority.value_or(INT64_MAX); };
    std::ranges::stable_sort(others, [&](std::uint32_t a, std::uint32_t b) { return height(a) > height(b); });
  }
  for (const std::uint32_t other : others) {
    if (below(other, q)) break;  // as are those behind it
    if (other == q) continue;
    if (cluster.config.fair_sharing && shape_.parent[q] == shape_.parent[other] && one_flavor_each(cluster.queues[q]))
      continue;
    if (comes_back_first(other, q, short_of)) return true;
  }
  return false;
}

bool ReclaimWorld::comes_back_first(std::uint32_t other, std::uint32_t q,
                                    const std::set<std::pair<std::uint32_t, std::uint32_t>>& short_of) const {
  const Cluster& cluster = proof_.cluster;
  if (asks_for_pods(other) && cluster.queues[other].groups.size() == 1) return false;  // it asks for all again
  for (const auto& [flavor, resource] : short_of) {
    const kueue::Limits& above = limits_of_pair({flavor, resource}).limits;
    if (!above.listed[other] || above.borrowing[other] <= 0 || cluster.resources[resource] == "pods") continue;
    for (const auto& [beside, needed] : short_of) {
      if (beside == flavor && needed == resource) continue;
      if (asks_for_pods(q) && !together(cluster.queues[q], flavor, beside)) continue;
      const kueue::Limits& within = limits_of_pair({beside, needed}).limits;
      if (within.listed[other] && within.nominal[other] > within.local[other] &&
          !has_while_within(q, other, {beside, needed}))
        return true;
    }
  }
  return false;
}

// Others leave to it what it asks for, or owns, while this one of them has no more than it owns.
bool ReclaimWorld::has_while_within(std::uint32_t q, std::uint32_t other, Pair pair) const {
  const kueue::Limits& limits = limits_of_pair(pair).limits;
  std::int64_t needs = limits.nominal[q];
  if (asks_for_pods(q))
    for (const ResourceGroup& group : proof_.cluster.queues[q].groups)
      for (const FlavorQuotas& row : group.flavors)
        if (row.flavor == pair.flavor && contains(group.covered, pair.resource))
          needs = pods_wanted(q, group, row) * asked(q, pair.resource);
  kueue::Behaviour behaviour = assumed(pair);
  behaviour.at_most[other] = std::min(behaviour.at_most[other], limits.nominal[other]);
  return left_if(q, pair, behaviour) >= needs;
}

// A head of it may evict work of another queue that holds quota of others on the flavor.
bool ReclaimWorld::evicts_others_on(std::uint32_t q, std::uint32_t flavor) const {
  const Cluster& cluster = proof_.cluster;
  const Preemption& preemption = cluster.queues[q].preemption;
  const bool lower_only = preemption.reclaim_within_cohort == Reclaim::LowerPriority;
  const bool within = !cluster.config.fair_sharing && preemption.borrow_within_cohort == BorrowWithin::Never &&
                      shape_.parent[shape_.parent[q]] == kRoot;  // only while it is within its own nominal quotas
  if (within && !owns_pods_with(q, flavor)) return false;
  for (const std::uint32_t other : some_of_tree(q)) {
    if (other == q || !may_be_above(other)) continue;
    if (!contains(pairs_of(cluster.queues[other]), flavor, &Pair::flavor)) continue;
    if (!lower_only || !not_below(other, q)) return true;
  }
  return false;
}

// In priority, always.
bool ReclaimWorld::not_below(std::uint32_t q, std::uint32_t than) const {
  const auto its = proof_.intent.roles[q].priority, other = proof_.intent.roles[than].priority;
  return its && other && *its >= *other;
}

}  // namespace gpol
