#include "checker/families/claim_tree.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/planted.h"

namespace gpol {

using kueue::kRoot;
using kueue::kUnlimited;
using kueue::Node;

namespace {

// Sums of two such figures stay within 64 bits, so the lemmas' side conditions are plain arithmetic.
constexpr std::int64_t kLargest = std::int64_t{1} << 60;

std::string too_large(const kueue::Shape& shape, const kueue::Limits& limits) {
  for (Node v = 0; v < shape.parent.size(); ++v) {
    const auto bad = [](std::int64_t x) { return x < 0 || x > kLargest; };
    const bool limit = limits.borrowing[v] != kUnlimited && bad(limits.borrowing[v]);
    if (bad(limits.nominal[v]) || bad(limits.subtree[v]) || limit)
      return fmt::format("the quota of `{}` is unlimited or too large to reason about", shape.names[v]);
  }
  return {};
}

// Kueue's own sums (SQ, LQ) enter the lemmas as constants: that they are Kueue's is worked out again here.
void check_limits(const kueue::Shape& shape, const kueue::Limits& limits) {
  for (Node v = 0; v < shape.parent.size(); ++v) {
    ClaimTree::Wide quota = limits.nominal[v];
    for (const Node child : shape.children[v]) quota += limits.subtree[child] - limits.local[child];
    const std::int64_t local =
        limits.lending[v] == kUnlimited ? 0 : std::max<std::int64_t>(0, limits.subtree[v] - limits.lending[v]);
    if (quota != limits.subtree[v] || local != limits.local[v])
      throw InternalError(fmt::format("claim: subtree quota {} or local quota {} of `{}` is not Kueue's",
                                      limits.subtree[v], limits.local[v], shape.names[v]));
  }
}

// A sum of bounds as a bound again; kUnlimited where it is above every quota, so that it bounds nothing.
std::int64_t bound_of(ClaimTree::Wide sum) { return sum > kLargest * 2 ? kUnlimited : static_cast<std::int64_t>(sum); }

[[noreturn]] void not_inductive(const kueue::Shape& shape, const ClaimTree& tree, Node v, const char* lemma,
                                std::int64_t bound) {
  const auto& l = tree.limits;
  throw InternalError(fmt::format(
      "claim: the bound {} of `{}` does not meet the side condition of {} (nominal {}, subtree quota {}, "
      "local quota {}, borrowing limit {}, potential {})",
      bound, shape.names[v], lemma, l.nominal[v], l.subtree[v], l.local[v], l.borrowing[v], l.potential[v]));
}

const Quota& quota_at(const Queue& queue, std::size_t pair) {
  for (const auto& group : queue.groups)
    for (const auto& flavor : group.flavors) {
      if (pair < flavor.quotas.size()) return flavor.quotas[pair];
      pair -= flavor.quotas.size();
    }
  throw InternalError("claim: a queue has no such pair");
}

// The narrowest borrowing limit of a queue over the base and all windows. `widest` is 0 for nearly every serving queue.
std::int64_t narrowest(const Proof& proof, const ClaimTree& tree, const Listing& listing, std::int64_t widest) {
  if (widest == 0) return 0;
  const Queue& queue = proof.cluster.queues[listing.queue];
  std::int64_t least = std::min(widest, quota_at(queue, listing.pair).borrowing.value_or(kUnlimited));
  const Mode::Key key{queue.name, proof.cluster.flavors[tree.flavor].name, proof.cluster.resources[tree.resource]};
  for (const Mode& mode : proof.cluster.modes)
    if (const auto found = mode.changed.find(key); found != mode.changed.end())
      least = std::min(least, found->second.borrowing.value_or(kUnlimited));
  return least;
}

}  // namespace

std::vector<std::vector<Listing>> listings_of(const Cluster& cluster) {
  std::vector<std::vector<Listing>> listings(cluster.flavors.size() * cluster.resources.size());
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    std::uint32_t at = 0;
    for (const Pair pair : pairs_of(cluster.queues[q]))
      listings.at(pair.flavor * cluster.resources.size() + pair.resource).push_back({q, at++});
  }
  return listings;
}

ClaimProver::ClaimProver(const Proof& proof, const kueue::Shape& shape)
    : proof_(proof), shape_(shape), book_(proof), pod_room_(proof.cluster, shape), ending_(proof.cluster, shape) {}

void ClaimProver::rely_on(ClaimLemma lemma, ClaimTree& tree) {
  bool& asked = asked_[static_cast<std::size_t>(lemma)];
  if (asked) return;
  if (book_.holds(claim_lemma_name(lemma), [lemma] { return claim_lemma(lemma); }))
    asked = true;
  else
    tree.undecided = book_.why();
}

ClaimTree ClaimProver::tree(std::uint32_t flavor, std::uint32_t resource, const std::vector<Listing>& listings) {
  ClaimTree tree;
  tree.flavor = flavor;
  tree.resource = resource;
  bool exact = false;
  tree.limits = kueue::widest_limits(proof_.cluster, shape_, flavor, resource, exact);
  if (!exact) tree.undecided = "windows differ in more than borrowing limits of queues";
  tree.quotas = all_quotas(tree.limits);
  if (tree.undecided.empty()) tree.undecided = too_large(shape_, tree.limits);
  for (Node v = 0; v < shape_.parent.size(); ++v)
    if (shape_.in_cycle[v]) tree.undecided = fmt::format("`{}` lies in or under a cycle of cohorts", shape_.names[v]);
  if (!tree.undecided.empty()) return tree;

  // A queue holds only what it lists; batch whatever it gets, another serving queue its reserve, a bounded one its own
  // nominal (docs/verify.md); a drained queue nothing, nor one that can have no pod.
  tree.behaviour.at_most.assign(shape_.parent.size(), 0);
  tree.own_borrowing.assign(shape_.queues, 0);
  for (const Listing& listing : listings) {
    const QueueRole& role = proof_.intent.roles[listing.queue];
    tree.own_borrowing[listing.queue] = narrowest(proof_, tree, listing, tree.limits.borrowing[listing.queue]);
    std::int64_t& most = tree.behaviour.at_most[listing.queue];
    most = kUnlimited;
    if (role.kind == QueueRole::Kind::Serving) most = reserve_at(role, listing.pair);
    if (role.kind == QueueRole::Kind::Bounded) most = tree.limits.nominal[listing.queue];
    if (!role.at_most.empty()) most = role.at_most[listing.pair];
    if (!pod_room_.has_room(listing.queue, flavor)) most = 0;
    const StopPolicy stop = proof_.cluster.queues[listing.queue].stop;
    if (stop == StopPolicy::HoldAndDrain || (planted(Bug::WalkOnHoldIsEmpty) && stop == StopPolicy::Hold)) most = 0;
  }
  tree.bounds = kueue::walk_bounds(shape_, tree.limits, tree.behaviour);
  check_limits(shape_, tree.limits);
  check_bounds(tree);
  return tree;
}

void ClaimProver::check_bounds(ClaimTree& tree) {
  const auto& l = tree.limits;
  tree.pushed.assign(shape_.parent.size(), 0);
  for (const Node v : shape_.bottom_up) {
    const Node parent = shape_.parent[v];
    if (parent != kRoot) tree.pushed[parent] += tree.bounds.spill[v];  // the lemma of sums, folded
    if (parent == kRoot) {
      rely_on(ClaimLemma::RootAbove, tree);
      if (!claim::root_above(l.subtree[v], l.potential[v]))
        not_inductive(shape_, tree, v, "claim/root-above", l.potential[v]);
    } else {
      rely_on(l.borrowing[v] == kUnlimited ? ClaimLemma::AboveUnlimited : ClaimLemma::AboveLimited, tree);
      if (!claim::above(l.subtree[v], l.local[v], l.borrowing[v], l.potential[parent], l.potential[v]))
        not_inductive(shape_, tree, v, "claim/above", l.potential[v]);
    }
    const bool queue = v < shape_.queues;
    if (!queue) rely_on(ClaimLemma::Sum, tree);
    const std::int64_t wants = queue ? tree.behaviour.at_most[v] : bound_of(tree.pushed[v]);
    rely_on(wants == kUnlimited ? ClaimLemma::SpillFree : ClaimLemma::Spill, tree);
    if (!claim::spill(wants, l.potential[v], l.local[v], tree.bounds.usage[v], tree.bounds.spill[v]))
      not_inductive(shape_, tree, v, "claim/spill", tree.bounds.usage[v]);
  }
}

void ClaimProver::check_path(ClaimTree& tree, const kueue::PathBounds& path, std::uint32_t owner) {
  const auto& l = tree.limits;
  std::int64_t carried = 0;  // what the path child pushes at most; the owner holds nothing
  Node below = owner;
  std::size_t at = 0;
  for (Node v = shape_.parent[owner]; v != kRoot; below = v, v = shape_.parent[v], ++at) {
    if (at >= path.path.size() || path.path[at] != v)
      throw InternalError(fmt::format("claim: the path of `{}` is not its cohorts", shape_.names[owner]));
    const std::int64_t wants = bound_of(tree.pushed[v] - tree.bounds.spill[below] + carried);
    const std::int64_t bound = path.usage[at];
    carried = std::max<std::int64_t>(0, bound - l.local[v]);
    rely_on(ClaimLemma::Sum, tree);
    rely_on(wants == kUnlimited ? ClaimLemma::SpillFree : ClaimLemma::Spill, tree);
    if (!claim::spill(wants, l.potential[v], l.local[v], bound, carried))
      not_inductive(shape_, tree, v, "claim/spill on a path", bound);
  }
  std::int64_t offered = 0;
  const auto check_offer = [&](Node v, std::int64_t usage, std::int64_t available) {
    if (shape_.parent[v] == kRoot) {
      rely_on(ClaimLemma::RootLeft, tree);
      if (!claim::root_left(l.subtree[v], usage, available))
        not_inductive(shape_, tree, v, "claim/root-left", available);
    } else {
      rely_on(l.borrowing[v] == kUnlimited ? ClaimLemma::StepUnlimited : ClaimLemma::StepLimited, tree);
      if (!claim::step(l.subtree[v], l.local[v], l.borrowing[v], usage, offered, available))
        not_inductive(shape_, tree, v, "claim/step", available);
    }
    offered = available;
  };
  while (at-- > 0) check_offer(path.path[at], path.usage[at], path.available[at]);
  check_offer(owner, 0, path.owner_available);
}

template <class F>
auto ClaimProver::with_own_limit(ClaimTree& tree, std::uint32_t owner, F&& f) {
  std::int64_t& limit = tree.limits.borrowing[owner];
  const std::int64_t widest = limit;
  limit = tree.own_borrowing[owner];
  auto result = f();
  limit = widest;
  return result;
}

std::int64_t ClaimProver::claimable(ClaimTree& tree, std::uint32_t owner, std::int64_t reserve) {
  return with_own_limit(tree, owner, [&] {
    const kueue::PathBounds path = kueue::walk_path(shape_, tree.limits, tree.bounds, owner);
    check_path(tree, path, owner);
    const std::int64_t left = path.owner_available;
    const bool returned = planted(Bug::WalkReturnedUnclaimed) &&
                          proof_.cluster.queues[owner].preemption.reclaim_within_cohort == Reclaim::Any;
    const std::int64_t most =
        returned ? 0 : std::clamp<std::int64_t>(left < 0 ? reserve : reserve - std::min(reserve, left), 0, reserve);
    rely_on(ClaimLemma::Owner, tree);
    if (!claim::owner(reserve, left, most)) not_inductive(shape_, tree, owner, "claim/owner", most);
    return most;
  });
}

std::int64_t ClaimProver::claimable_ending(ClaimTree& tree, std::uint32_t owner, std::int64_t reserve,
                                           std::int64_t claimable) {
  if (claimable == reserve) return claimable;
  const auto possible = [&] { return ending_.possible(owner, tree.flavor, tree.bounds); };
  // Who lends nothing is neither a victim nor a head behind one, so that of all of a tree the answer is the same.
  if (tree.bounds.spill[owner] > 0) {
    if (!possible()) return claimable;
  } else {
    const auto [known, fresh] = tree.ending.try_emplace(root_of(shape_, owner));
    if (fresh) known->second = possible();
    if (!known->second) return claimable;
  }
  if (!tree.filled) tree.filled = filled_while_ending(shape_, tree.limits, tree.behaviour);
  return with_own_limit(tree, owner, [&] {
    const std::int64_t left = left_while_ending(shape_, tree.limits, *tree.filled, owner);
    return std::max(claimable, reserve - std::min(reserve, left));
  });
}

std::vector<kueue::Holding> ClaimProver::worst_state(ClaimTree& tree, std::uint32_t owner) {
  return with_own_limit(tree, owner,
                        [&] { return kueue::witness(shape_, tree.limits, tree.behaviour, tree.bounds, owner); });
}

}  // namespace gpol
