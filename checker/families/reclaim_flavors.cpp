// Whether a demand of single pods (reclaim_units.cpp) finds its place where its queue lists several flavors.
#include <algorithm>

#include "checker/families/reclaim_facts.h"
#include "compiler/cluster/roles.h"
#include "compiler/source/lookup.h"

namespace gpol {

using kueue::kRoot;

// Some flavor always has room for the next pod: together they have as many places as the demand has pods, and what runs
// within the nominal quota of its flavor is never evicted by others. The search reaches that flavor unless
// - it stops at an earlier one without room, of which one resource could be had and another not (N10b), or
// - it puts pods on places that it borrows, where others evict them again and again, in turns, or
// - it loses the room that it found to another head of the round: it goes on behind that flavor (loses_its_place).
bool ReclaimWorld::finds_a_flavor(std::uint32_t q, bool nothing_claimable) const {
  const Cluster& cluster = proof_.cluster;
  const Queue& queue = cluster.queues[q];
  if (queue.groups.size() != 1) return false;
  const ResourceGroup& group = queue.groups.front();
  if (all_fit_the_first(q, group)) return true;
  if (loses_its_place(q, group)) return false;
  const auto& borrowed = borrowed_flavors(q);
  if (borrowed.empty()) return true;
  const bool fair = cluster.config.fair_sharing, own_only = queue.preemption.reclaim_within_cohort == Reclaim::Never;
  const bool below_root = shape_.parent[shape_.parent[q]] == kRoot;
  // Within a flavor without room nobody can be evicted for it, other than pods of its own that are newer.
  const bool plain = !fair && below_root && queue.preemption.borrow_within_cohort == BorrowWithin::Never;
  const bool sees_all = queue.when_can_borrow == Search::TryNextFlavor && (plain || own_only) && nothing_claimable;
  if (sees_all) return true;  // room comes before borrowing
  const bool one_resource = group.covered.size() == 1;
  const bool even =
      std::ranges::all_of(group.flavors, [&](const auto& flavor) { return sound_throughout(q, group, flavor); });
  if (!one_resource && !(own_only && nothing_claimable) && !(even && plain)) return false;
  for (const std::uint32_t other : some_of_tree(q))
    if (other != q && can_evict(other, q, borrowed)) return false;
  return true;
}

// The first flavor has room for the whole demand, whatever others do, and no head keeps any of it: it fits there, also
// where it borrows, and as nobody else can have those places, nobody evicts it.
bool ReclaimWorld::all_fit_the_first(std::uint32_t q, const ResourceGroup& group) const {
  const FlavorQuotas& first = group.flavors.front();
  if (is_kept_by_others(q, first.flavor)) return false;
  const std::int64_t demand = proof_.intent.roles[q].unit_demand.value_or(INT64_MAX);
  return std::ranges::all_of(group.covered, [&](std::uint32_t resource) {
    const std::int64_t unit = asked(q, resource);
    return unit == 0 || left_to(q, {first.flavor, resource}) / unit >= demand;
  });
}

// A pod that fitted, and in the same round no longer does, is tried on the flavors behind that one next. Where none of
// them takes it, it is parked until something leaves, which nothing need, though it could evict for an earlier flavor
// (scheduler.go, flavorassigner.go LastTriedFlavorIdx; gate FlavorFungibilityPreserveScanProgress). The last flavor has
// none behind it. Where it evicts there, what kept its place is back, and the search begins anew. A head that keeps
// what it cannot have takes even what nobody can hold.
bool ReclaimWorld::loses_its_place(std::uint32_t q, const ResourceGroup& group) const {
  const auto& borrowed = borrowed_flavors(q);
  const auto held = [&](const FlavorQuotas& flavor) {
    return std::ranges::any_of(group.covered,
                               [&](std::uint32_t resource) { return !always_has(q, group, flavor, resource); });
  };
  const auto scarce = group.flavors.size() > 1 ? scarce_beside(q, keepers(q)) : std::vector<Pair>{};
  bool held_before = false;  // what it owns of an earlier flavor may be held
  for (std::size_t f = 0; f + 1 < group.flavors.size(); ++f) {
    const FlavorQuotas& flavor = group.flavors[f];
    // Where it borrows, any head may go before its own.
    const bool held_behind =
        std::any_of(group.flavors.begin() + static_cast<std::ptrdiff_t>(f) + 1, group.flavors.end(), held);
    if ((held_before || (held_behind && is_kept_by_others(q, flavor.flavor))) &&
        proof_.cluster.queues[q].when_can_borrow == Search::MayStopSearch && contains(borrowed, flavor.flavor))
      return true;
    for (const std::uint32_t resource : group.covered) {
      const bool kept = std::ranges::any_of(
          scarce, [&](const Pair& pair) { return pair.flavor == flavor.flavor && pair.resource == resource; });
      if (kept) return true;
      if (always_has(q, group, flavor, resource)) continue;
      held_before = true;
      if (is_taken_before(q, {flavor.flavor, resource})) return true;
    }
  }
  return false;
}

// Heads of another queue may keep some of the flavor that they cannot have.
bool ReclaimWorld::is_kept_by_others(std::uint32_t q, std::uint32_t flavor) const {
  for (const std::uint32_t other : some_of_tree(q))
    if (other != q && (kind_[other] == BestEffort || kind_[other] == Strict) && !asks_for_nothing(other) &&
        flavors_of(proof_.cluster.queues[other]).contains(flavor))
      return true;
  return false;
}

// Within its nominal quota its head goes before all that borrow, and loses to one of another queue that is within its
// own, while a third one holds what the queue owns.
bool ReclaimWorld::is_taken_before(std::uint32_t q, Pair pair) const {
  const kueue::Limits& limits = limits_of_pair(pair).limits;
  std::vector<std::uint32_t> within, above;
  for (const std::uint32_t other : some_of_tree(q)) {
    if (other == q || !limits.listed[other]) continue;
    if (kind_[other] != kKinds && !asks_for_nothing(other) &&
        limits.nominal[other] > limits.local[other])  // beyond that it takes what q sees
      within.push_back(other);
    if (limits.borrowing[other] > 0 && may_be_above(other)) above.push_back(other);
  }
  return std::ranges::any_of(within, [&](std::uint32_t one) {
    return std::ranges::any_of(above, [&](std::uint32_t other) { return other != one; });
  });
}

// Beyond the pods that fit into the flavor, no resource is both within the nominal quota and held by others: else it
// could be had by evicting, while another resource is borrowed.
bool ReclaimWorld::sound_throughout(std::uint32_t q, const ResourceGroup& group, const FlavorQuotas& flavor) const {
  const std::int64_t pods = pods_of(q, group, flavor);
  for (std::size_t r = 0; r < group.covered.size(); ++r) {
    const std::int64_t unit = asked(q, group.covered[r]);
    if (unit > 0 && flavor.quotas[r].nominal / unit != pods &&
        left_to(q, {flavor.flavor, group.covered[r]}) < flavor.quotas[r].nominal)
      return false;
  }
  return true;
}

// Flavors in which a pod can be admitted beyond the nominal quota: every resource of it could be had from others.
const std::vector<std::uint32_t>& ReclaimWorld::borrowed_flavors(std::uint32_t q) const {
  const auto [at, fresh] = borrowed_.try_emplace(q);
  std::vector<std::uint32_t>& found = at->second;
  if (!fresh) return found;
  const Cluster& cluster = proof_.cluster;
  for (const auto& group : cluster.queues[q].groups)
    for (const auto& flavor : group.flavors) {
      bool all = true, any = false;
      for (const auto resource : group.covered) {
        const std::int64_t unit = asked(q, resource);
        if (unit == 0) continue;
        any = true;
        const kueue::Limits& limits = limits_of_pair({flavor.flavor, resource}).limits;
        all = all && limits.potential[q] >= (pods_of(q, group, flavor) + 1) * unit;
      }
      if (all && any) found.push_back(flavor.flavor);
    }
  return found;
}

// Whether it may evict pods of the victim from places that the victim borrows.
bool ReclaimWorld::can_evict(std::uint32_t q, std::uint32_t victim, std::span<const std::uint32_t> borrowed) const {
  const Cluster& cluster = proof_.cluster;
  const Queue& queue = cluster.queues[q];
  const Preemption& preemption = queue.preemption;
  if (asks_for_nothing(q) || !share_a_flavor(q, victim) || preemption.reclaim_within_cohort == Reclaim::Never)
    return false;
  const auto mine = proof_.intent.roles[q].priority, its = proof_.intent.roles[victim].priority;
  if (preemption.reclaim_within_cohort == Reclaim::LowerPriority && mine && its && *its >= *mine) return false;
  // Only within its own nominal quota, unless it may borrow while it evicts.
  const bool beyond = cluster.config.fair_sharing || preemption.borrow_within_cohort != BorrowWithin::Never ||
                      shape_.parent[shape_.parent[q]] != kRoot;
  const std::int64_t all = proof_.intent.roles[victim].unit_demand.value_or(0);
  for (const Pair pair : pairs_of(queue)) {
    if (!contains(borrowed, pair.flavor)) continue;
    const kueue::Limits& limits = limits_of_pair(pair).limits;
    std::int64_t most = 0;  // of the victim's demand on this flavor
    if (__builtin_mul_overflow(all, one_unit(cluster.resources[pair.resource]), &most)) most = INT64_MAX;
    const bool above = limits.listed[victim] && most > limits.nominal[victim];
    if (above && (beyond || limits.nominal[q] > 0)) return true;
  }
  return false;
}

}  // namespace gpol
