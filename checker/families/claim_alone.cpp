#include "checker/families/claim_alone.h"

#include <algorithm>

namespace gpol {

std::vector<std::int64_t> claimable_alone(const Proof& proof, const kueue::Shape& shape, ClaimTree& tree,
                                          const std::vector<Listing>& listings) {
  if (shape.queues > kMostQueuesAlone || !tree.undecided.empty()) return {};
  const auto root_of = [&](kueue::Node v) {
    while (shape.parent[v] != kueue::kRoot) v = shape.parent[v];
    return v;
  };
  std::vector<std::int64_t> most(listings.size(), 0);
  kueue::Behaviour behaviour;
  for (const Listing& holder : listings) {
    behaviour.at_most.assign(tree.behaviour.at_most.size(), 0);
    behaviour.at_most[holder.queue] = tree.behaviour.at_most[holder.queue];
    const kueue::Bounds bounds = kueue::walk_bounds(shape, tree.limits, behaviour);
    for (std::size_t i = 0; i < listings.size(); ++i) {
      const Listing& owner = listings[i];
      const std::int64_t reserve = reserve_at(proof.intent.roles[owner.queue], owner.pair);
      if (owner.queue == holder.queue || reserve == 0 || root_of(owner.queue) != root_of(holder.queue)) continue;
      const std::int64_t left = kueue::walk_path(shape, tree.limits, bounds, owner.queue).owner_available;
      most[i] = std::max(most[i], reserve - std::clamp<std::int64_t>(left, 0, reserve));
    }
  }
  return most;
}

}  // namespace gpol
