// What the other queues of the tree are to a demand that is known exactly (reclaim_units.cpp): a head of theirs that
// may evict nobody can keep what it cannot have, and so be in its way (N15).
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "checker/families/reclaim_facts.h"
#include "checker/kueue/walk.h"
#include "compiler/cluster/listed.h"
#include "compiler/cluster/roles.h"

namespace gpol {

using kueue::kRoot;

namespace {

constexpr std::size_t kMostTogether = 4;  // all that some of so many siblings may do is looked at

}  // namespace

void ReclaimWorld::heed_known_siblings(std::uint32_t q, ReclaimFacts& facts) const {
  for (const std::uint32_t other : some_of_tree(q)) {
    if (other == q || !share_a_flavor(q, other)) continue;
    if (facts.nothing_claimable && !share_a_place(q, other)) continue;  // its demand has its places elsewhere
    if (stopped_borrower_[other] && may_be_above(other)) facts.victims_active = false;
    facts.siblings.reclaim_any |= kind_[other] == Any;
    facts.siblings.owns_nothing |= kind_[other] == OwnsNothing;
    if (kind_[other] != BestEffort && kind_[other] != Strict) continue;
    (goes_after(other, q) ? facts.siblings.goes_after : facts.siblings.best_effort) = true;
  }
  auto keeping = keepers(q);
  if (facts.nothing_claimable) std::erase_if(keeping, [&](std::uint32_t other) { return !share_a_place(q, other); });
  std::map<std::uint32_t, std::vector<Pair>> scarce_to;  // by whose heads, alone or with others
  for (const std::uint32_t other : keeping) scarce_to[other] = scarce_beside(q, keeping, other);
  std::erase_if(keeping, [&](std::uint32_t other) { return !keeps_some_of(other, q, scarce_to[other]); });
  for (const std::uint32_t other : keeping) {
    const auto& scarce = scarce_to[other];
    if (kind_[other] == Strict)  // nobody is evicted: what it keeps first would be lost to it
      facts.siblings.strict_fifo = true;
    else if (facts.siblings.returns)
      continue;
    else if ((stays_without(other, q, keeping.size() == 1) && returns(other, q, scarce)) ||
             others_evict_for_ever(q, keeping.size() > 1 || !asks_for_pods(other)))
      facts.siblings.returns = true;
  }
}

// Whose heads may keep something of what it asks for, in a round before its own.
std::vector<std::uint32_t> ReclaimWorld::keepers(std::uint32_t q) const {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t other : some_of_tree(q))
    if (other != q && share_a_flavor(q, other) && (kind_[other] == BestEffort || kind_[other] == Strict) &&
        !goes_after(other, q) && !finds_room(other, q) && !keeps_nothing_of(other, q))
      found.push_back(other);
  return found;
}

bool ReclaimWorld::keeps_some_of(std::uint32_t sibling, std::uint32_t q, const std::vector<Pair>& pairs) const {
  return std::ranges::any_of(
      pairs, [&](const Pair& pair) { return may_keep(sibling, pair) > 0 || may_keep_beyond(sibling, q); });
}

// A pod of it with this flavor need not borrow: it has quota for a pod there, or of what else it may be given, or needs
// none.
bool ReclaimWorld::owns_pods_with(std::uint32_t q, std::uint32_t flavor) const {
  const Cluster& cluster = proof_.cluster;
  for (const ResourceGroup& group : cluster.queues[q].groups) {
    const auto here = [&](const FlavorQuotas& row) { return row.flavor == flavor; };
    const bool any = std::ranges::any_of(group.flavors, here);
    for (std::size_t r = 0; r < group.covered.size(); ++r)
      if (cluster.resources[group.covered[r]] == "pods" &&
          std::ranges::all_of(group.flavors, [&](const FlavorQuotas& row) {
            return (any && !here(row)) || row.quotas[r].nominal == 0;
          }))
        return false;
  }
  return true;
}

// Its heads are pods of one unit each.
bool ReclaimWorld::asks_for_pods(std::uint32_t q) const { return proof_.intent.roles[q].unit_demand.has_value(); }

// It is stopped, or has no quota for a pod.
bool ReclaimWorld::asks_for_nothing(std::uint32_t q) const {
  return proof_.cluster.queues[q].stop != StopPolicy::None || proof_.intent.roles[q].unit_demand == 0;
}

bool ReclaimWorld::goes_after(std::uint32_t sibling, std::uint32_t q) const {
  return below(sibling, q) && priority_decides(sibling, q);
}

// Under fair sharing shares come first. Of queues of one cohort their own are compared, and that of one which is within
// its nominal quotas is never the larger one (fair_sharing_iterator.go).
bool ReclaimWorld::priority_decides(std::uint32_t sibling, std::uint32_t q) const {
  return !proof_.cluster.config.fair_sharing ||
         (shape_.parent[q] == shape_.parent[sibling] && one_flavor_each(proof_.cluster.queues[q]));
}

// A head of it that asks for more than its nominal quota may be looked at before one that is within: under fair sharing
// a cohort that has quota left counts for nothing, whatever its queues borrow of one another.
bool ReclaimWorld::may_keep_beyond(std::uint32_t sibling, std::uint32_t q) const {
  const Cluster& cluster = proof_.cluster;
  if (!cluster.config.fair_sharing || !may_be_above(sibling)) return false;
  const bool pooled = pooled_above(sibling);
  if (!pooled && cluster.queues[sibling].preemption.reclaim_within_cohort == Reclaim::Never) return false;
  if (!one_flavor_each(cluster.queues[q])) return true;
  return shape_.parent[q] != shape_.parent[sibling] && (pooled || !alone_in_its_cohorts(q));
}

// A head of it that is above whoever may hold quota of others in priority may evict everybody. One that is not is below
// `waiting`, where all of those are.
bool ReclaimWorld::evicts_or_goes_after(std::uint32_t sibling, std::uint32_t waiting) const {
  if (may_be_above(waiting) || !priority_decides(sibling, waiting)) return false;
  for (const std::uint32_t other : some_of_tree(sibling))
    if (other != sibling && share_a_flavor(sibling, other) && may_be_above(other) && !below(other, waiting))
      return false;
  return true;
}

// A queue on Hold, of which nobody can evict, may hold quota of others in a flavor of this one.
bool ReclaimWorld::stopped_borrower_beside(std::uint32_t q) const {
  for (const std::uint32_t other : some_of_tree(q))
    if (other != q && stopped_borrower_[other] && may_be_above(other) && share_a_flavor(q, other)) return true;
  return false;
}

// While a pod of `waiting` is pending, a head of this queue within its nominal quota is admitted: guarantee G holds for
// it, too; or nobody can hold any of that quota, or, of a serving queue, any that its demand needs.
bool ReclaimWorld::finds_room(std::uint32_t q, std::uint32_t waiting) const {
  if (may_keep_beyond(q, waiting)) return false;
  const Cluster& cluster = proof_.cluster;
  const Queue& queue = cluster.queues[q];
  if (queue.groups.size() == 1 && queue.groups.front().flavors.size() == 1 &&
      queue.preemption.reclaim_within_cohort == Reclaim::LowerPriority && !stopped_borrower_beside(q) &&
      (borrowers_below(q) || evicts_or_goes_after(q, waiting)))
    return true;
  const bool serves = asks_for_pods(q);
  const auto theirs = flavors_of(cluster.queues[waiting]);
  for (const auto& group : queue.groups)
    for (const auto& flavor : group.flavors) {
      // What waits there keeps nothing here; but several podsets may be of several flavors.
      if (serves && queue.groups.size() == 1 && !theirs.contains(flavor.flavor)) continue;
      for (std::size_t r = 0; r < group.covered.size(); ++r) {
        const Pair pair{flavor.flavor, group.covered[r]};
        const std::int64_t unit = one_unit(cluster.resources[pair.resource]);
        const std::int64_t needs = serves ? pods_wanted(q, group, flavor) * unit : flavor.quotas[r].nominal;
        if (!has_beside(q, waiting, pair, needs)) return false;
      }
    }
  return true;
}

// Others leave it as much, while a pod of `waiting` is pending.
bool ReclaimWorld::has_beside(std::uint32_t q, std::uint32_t waiting, Pair pair, std::int64_t needs) const {
  const std::int64_t left = left_to(q, pair);
  if (left >= needs) return true;
  const auto& demand = proof_.intent.roles[waiting].unit_demand;
  if (q == waiting || !demand) return false;
  std::int64_t admitted = 0;  // at most
  if (__builtin_mul_overflow(*demand - 1, one_unit(proof_.cluster.resources[pair.resource]), &admitted))
    admitted = INT64_MAX;
  const std::int64_t holds = assumed(pair).at_most[waiting];
  const std::int64_t less = holds - std::min(holds, std::max<std::int64_t>(0, admitted));
  if (kueue::saturating_add(left, less) < needs) return false;  // what one holds less is no more to another
  kueue::Behaviour& behaviour = *limits_of_pair(pair).assumed;  // as it was again behind this
  behaviour.at_most[waiting] = holds - less;
  const std::int64_t then = left_if(q, pair, behaviour);
  behaviour.at_most[waiting] = holds;
  return then >= needs;
}

// The most that a head of it within its nominal quota keeps from others in a round, beside what it uses: what it lends
// at most. A head that asks for a pod, as all do where pods are covered, is within no quota of none.
std::int64_t ReclaimWorld::may_keep(std::uint32_t sibling, Pair pair) const {
  const Cluster& cluster = proof_.cluster;
  if (!owns_pods_with(sibling, pair.flavor)) return 0;
  const kueue::Limits& limits = limits_of_pair(pair).limits;
  if (!limits.listed[sibling]) return 0;
  const std::int64_t lent = std::max<std::int64_t>(0, limits.nominal[sibling] - limits.local[sibling]);
  if (asks_for_nothing(sibling)) return 0;
  return asks_for_pods(sibling) ? std::min(lent, one_unit(cluster.resources[pair.resource])) : lent;
}

bool ReclaimWorld::keeps_nothing_of(std::uint32_t sibling, std::uint32_t q) const {
  if (may_keep_beyond(sibling, q)) return false;
  const auto pairs = pairs_of(proof_.cluster.queues[q]);
  return std::ranges::all_of(pairs, [&](const Pair& pair) { return may_keep(sibling, pair) == 0; });
}

// Of what it asks for: that of which there need not be enough for its demand while some of these keep what they can,
// `one` among them, and the others hold what they can.
std::vector<Pair> ReclaimWorld::scarce_beside(std::uint32_t q, const std::vector<std::uint32_t>& siblings,
                                              std::optional<std::uint32_t> one) const {
  const Cluster& cluster = proof_.cluster;
  const bool unbounded = siblings.size() > kMostTogether || std::ranges::any_of(siblings, [&](std::uint32_t sibling) {
                           return may_keep_beyond(sibling, q);
                         });
  std::vector<Pair> scarce;
  for (const ListedQuota& listed : listed_quotas(cluster.queues[q].groups)) {
    const Pair pair{listed.flavor, listed.resource};
    const std::int64_t needs = pods_wanted(q, listed.group, listed.row) * asked(q, listed.resource);
    if (unbounded || !is_enough_beside(q, siblings, one, pair, needs)) scarce.push_back(pair);
  }
  return scarce;
}

bool ReclaimWorld::is_enough_beside(std::uint32_t q, const std::vector<std::uint32_t>& siblings,
                                    std::optional<std::uint32_t> one, Pair pair, std::int64_t needs) const {
  for (std::uint32_t keeping = 1; keeping < 1U << siblings.size(); ++keeping) {
    kueue::Behaviour behaviour = assumed(pair);
    std::int64_t kept = 0;
    bool among = !one;
    for (std::size_t i = 0; i < siblings.size(); ++i) {
      if ((keeping >> i & 1U) == 0) continue;
      among = among || siblings[i] == *one;
      kept = kueue::saturating_add(kept, may_keep(siblings[i], pair));
      if (!asks_for_pods(siblings[i])) behaviour.at_most[siblings[i]] = 0;  // what it holds is in `kept`
    }
    if (kept == 0 || !among) continue;
    if (const std::int64_t left = left_if(q, pair, behaviour); left < kept || left - kept < needs) return false;
  }
  return true;
}

// Somebody other than these two may hold quota of others.
bool ReclaimWorld::holds_of_others(std::uint32_t q, std::uint32_t sibling, Pair pair) const {
  const auto [known, fresh] = holders_.try_emplace({root_of(q), pair.flavor, pair.resource});
  std::vector<std::uint32_t>& holders = known->second;  // three of them: one is none of the two
  if (fresh) {
    const kueue::Limits& limits = limits_of_pair(pair).limits;
    for (std::uint32_t other = 0; other < proof_.cluster.queues.size() && holders.size() < 3; ++other)
      if (root_of(other) == root_of(q) && limits.listed[other] && limits.borrowing[other] > 0 && may_be_above(other))
        holders.push_back(other);
  }
  return std::ranges::any_of(holders, [&](std::uint32_t other) { return other != q && other != sibling; });
}

// Whoever holds anything in the tree holds a pod of the same flavor, of those that all can have.
bool ReclaimWorld::all_share_pods(kueue::Node root) const {
  const Cluster& cluster = proof_.cluster;
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q)
    for (const ResourceGroup& group : cluster.queues[q].groups) {
      if (root_of(q) != root) continue;
      const auto pods = std::ranges::find_if(
          group.covered, [&](std::uint32_t resource) { return cluster.resources[resource] == "pods"; });
      if (pods == group.covered.end()) return false;
      for (const FlavorQuotas& row : group.flavors)
        if (has_its_own(q, {row.flavor, *pods})) return false;
    }
  return true;
}

// It, or a cohort that it is in, has some that others do not see.
bool ReclaimWorld::has_its_own(std::uint32_t q, Pair pair) const {
  const kueue::Limits& limits = limits_of_pair(pair).limits;
  for (kueue::Node v = q; v != kRoot && shape_.parent[v] != kRoot; v = shape_.parent[v])
    if (limits.local[v] > 0) return true;
  return false;
}

// A cohort that it is in may borrow no more than so much.
bool ReclaimWorld::is_limited(std::uint32_t q, Pair pair) const {
  const kueue::Limits& limits = limits_of_pair(pair).limits;
  for (kueue::Node v = shape_.parent[q]; v != kRoot && shape_.parent[v] != kRoot; v = shape_.parent[v])
    if (limits.borrowing[v] != kueue::kUnlimited) return true;
  return false;
}

// It may lack what evictions for a head of `q` do not bring. What they bring, or that one sees free, it is admitted
// with where it asks for no more than a unit: it goes first, and there is an end to its heads.
bool ReclaimWorld::stays_without(std::uint32_t sibling, std::uint32_t q, bool alone) const {
  const Cluster& cluster = proof_.cluster;
  if (may_keep_beyond(sibling, q)) return true;
  const auto short_of = evicts_for(q);
  const auto asked = pairs_of(cluster.queues[q]);
  for (const Pair pair : lacks(sibling, q)) {
    const std::int64_t unit = one_unit(cluster.resources[pair.resource]);
    const bool only = short_of.size() == 1 && short_of.contains({pair.flavor, pair.resource}) && unit == 1;
    const bool same = std::ranges::any_of(asked, [&](const Pair& of_queue) {
      return of_queue.flavor == pair.flavor && of_queue.resource == pair.resource;
    });
    // `q` may have some of what nobody else sees, and evict for another resource only.
    if (!same || (has_its_own(q, pair) && !only) || is_limited(sibling, pair)) return true;
    if (!asks_for_pods(sibling) && limits_of_pair(pair).limits.nominal[sibling] > unit &&
        !(alone && misses_at_most_a_unit(sibling, q, pair)))
      return true;
  }
  return false;
}

// Of what it owns others see no more than a unit, or there are but whole ones and it misses one: what is evicted for
// another is enough for it.
bool ReclaimWorld::misses_at_most_a_unit(std::uint32_t sibling, std::uint32_t q, Pair pair) const {
  const std::int64_t unit = one_unit(proof_.cluster.resources[pair.resource]);
  const kueue::Limits& limits = limits_of_pair(pair).limits;
  return limits.nominal[sibling] - limits.local[sibling] <= unit ||
         (unit == 1 && has_beside(sibling, q, pair, limits.nominal[sibling] - unit));
}

// What it owns and others may hold some of, while a pod of `waiting` is pending.
std::vector<Pair> ReclaimWorld::lacks(std::uint32_t q, std::uint32_t waiting) const {
  std::vector<Pair> found;
  for (const Pair pair : pairs_of(proof_.cluster.queues[q])) {
    const std::int64_t own = limits_of_pair(pair).limits.nominal[q];
    if (own > 0 && !has_beside(q, waiting, pair, own)) found.push_back(pair);
  }
  return found;
}

// (flavor, resource): what this one may have to evict others for.
std::set<std::pair<std::uint32_t, std::uint32_t>> ReclaimWorld::evicts_for(std::uint32_t q) const {
  std::set<std::pair<std::uint32_t, std::uint32_t>> found;
  for (const ListedQuota& one : listed_quotas(proof_.cluster.queues[q].groups))
    if (!always_has(q, one.group, one.row, one.resource)) found.emplace(one.flavor, one.resource);
  return found;
}

// With every eviction a parked head of it may come back (queue/manager.go QueueAssociatedInadmissibleWorkloadsAfter).
// Where it goes first and lacks what it can evict nobody for, it keeps for that round what it asks of a resource: of
// more than there is left, where others hold what it owns of that. What was evicted for another resource is back in the
// same round, and all begins anew. Not so where
// - what was evicted for the same resource finds no more of it than the head of `q`, and none is smaller than what that
//   one asks,
// - it is the only one that is evicted: a queue has one head in a round, or
// - it keeps as much of that one, too, or one of the two is pods, of which everybody takes some: what it keeps is left
//   when it is parked again.
bool ReclaimWorld::returns(std::uint32_t sibling, std::uint32_t q, const std::vector<Pair>& scarce) const {
  const Cluster& cluster = proof_.cluster;
  const auto short_of = evicts_for(q);
  if (short_of.empty()) return false;
  if (may_keep_beyond(sibling, q)) return true;
  const auto [known, fresh] = shared_pods_.try_emplace(root_of(q));
  if (fresh) known->second = all_share_pods(root_of(q));
  const bool shared_pods = known->second;
  // Of pods of one shape each keeps a unit of everything, which others miss where it is of what they share.
  const bool units = asks_for_pods(sibling);
  std::set<std::pair<std::uint32_t, std::uint32_t>> keeps;
  for (const Pair pair : pairs_of(cluster.queues[sibling]))
    if (!has_its_own(sibling, pair)) keeps.emplace(pair.flavor, pair.resource);
  const auto lacking = lacks(sibling, q);
  for (const Pair pair : scarce) {
    const kueue::Limits& limits = limits_of_pair(pair).limits;
    if (limits.nominal[sibling] == 0 || has_beside(sibling, q, pair, limits.nominal[sibling])) continue;
    // Of a resource that is all it lacks it keeps more than there is; of another one no more than it asks for.
    const bool limited =
        is_limited(q, pair) || (!units && lacking.size() > 1 && one_unit(cluster.resources[pair.resource]) != 1);
    for (const auto& [flavor, resource] : short_of) {
      const bool same = flavor == pair.flavor && resource == pair.resource;
      const bool pods = cluster.resources[resource] == "pods" || cluster.resources[pair.resource] == "pods";
      const bool kept =
          flavor == pair.flavor && ((pods && shared_pods) || (units && keeps.contains({flavor, resource})));
      if ((same ? limited : !kept) && holds_of_others(q, sibling, {flavor, resource})) return true;
    }
  }
  return false;
}

}  // namespace gpol
