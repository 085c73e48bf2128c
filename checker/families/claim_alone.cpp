// What j alone can hold at most is its potentialAvailable. More of it never leaves more to another queue, and what
// reaches a cohort is all that queues elsewhere below it ever see of j: so of all queues that come into a cohort from
// one side, the one that pushes most into it takes most from whoever comes in from another side.
#include "checker/families/claim_alone.h"

#include <algorithm>
#include <array>

namespace gpol {

namespace {

using kueue::kRoot;
using kueue::Node;

struct Best {
  std::int64_t pushed = 0;
  Node queue = kRoot, child = kRoot;  // who, and from which side
};

std::int64_t spilled(std::int64_t usage, std::int64_t local) { return std::max<std::int64_t>(0, usage - local); }

}  // namespace

std::vector<std::int64_t> claimable_alone(const Proof& proof, const kueue::Shape& shape, const ClaimTree& tree,
                                          const std::vector<Listing>& listings) {
  std::vector<std::int64_t> most(listings.size(), 0);
  if (!tree.undecided.empty()) return {};
  // Per node the two sides from which one queue alone pushes most.
  std::vector<std::array<Best, 2>> best(shape.parent.size());
  for (const Node v : shape.bottom_up) {
    const Node parent = shape.parent[v];
    if (parent == kRoot) continue;
    const bool queue = v < shape.queues;
    Best one = best[v][0];
    if (queue) one.queue = v, one.pushed = tree.behaviour.at_most[v];
    if (one.queue == kRoot) continue;
    one.pushed = spilled(std::min(one.pushed, tree.limits.potential[v]), tree.limits.local[v]);
    one.child = v;
    auto& into = best[parent];
    if (one.pushed > into[0].pushed) std::swap(one, into[0]);
    if (one.pushed > into[1].pushed) into[1] = one;
  }
  for (std::size_t i = 0; i < listings.size(); ++i) {
    const Listing& owner = listings[i];
    const std::int64_t reserve = reserve_at(proof.intent.roles[owner.queue], owner.pair);
    Node below = owner.queue;
    for (Node v = shape.parent[below]; reserve > 0 && v != kRoot; below = v, v = shape.parent[v]) {
      const Best& from = best[v][best[v][0].child == below ? 1 : 0];
      if (from.pushed == 0) continue;
      kueue::Usage usage;
      usage.add(shape, tree.limits, from.queue,
                std::min(tree.behaviour.at_most[from.queue], tree.limits.potential[from.queue]));
      const std::int64_t left = kueue::available(shape, tree.limits, usage, owner.queue);
      most[i] = std::max(most[i], reserve - std::clamp<std::int64_t>(left, 0, reserve));
    }
  }
  return most;
}

}  // namespace gpol
