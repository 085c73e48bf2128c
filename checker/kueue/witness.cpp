// A state in which no more is left to the owner than the walk says (walk.cpp has the theory).
//
// Let v_j be the lowest path node whose cut is the least. Only queues below v_j matter to that cut. Filling them one
// after another, each as far as admission lets it, ends in a state where the sum of what they push into the path is the
// largest possible, whatever the order: what they hold is limited as flows into a tree are, so all states that cannot
// be filled further hold the same in sum, and the same of it in places that do not count. So the order is free, and the
// queues that can push most go first: few are needed.
#include <algorithm>

#include "checker/kueue/amount.h"
#include "checker/kueue/walk.h"

namespace gpol::kueue {

namespace {

// The lowest path node whose cut is `target`; kRoot when the owner's own limit already is.
Node tightest(const Shape& shape, const Limits& limits, const PathBounds& path, Node owner, std::int64_t target) {
  if (path.path.empty() || target == kUnlimited || target == ceiling(limits, owner)) return kRoot;
  std::int64_t local = limits.local[owner], pushed = 0, carried = 0;
  for (std::size_t i = 0; i < path.path.size(); ++i) {
    const Node v = path.path[i];
    pushed = saturating_add(pushed, saturating_sub(path.usage[i], carried));
    carried = spilled(path.usage[i], limits.local[v]);
    const std::int64_t quota = shape.parent[v] == kRoot ? limits.subtree[v] : ceiling(limits, v);
    const std::int64_t cut = saturating_sub(saturating_add(local, quota), pushed);
    if (quota != kUnlimited && local != kUnlimited && cut == target) return v;
    local = saturating_add(local, limits.local[v]);
  }
  return kRoot;
}

std::vector<Node> queues_below(const Shape& shape, Node top) {
  std::vector<Node> queues, open{top};
  while (!open.empty()) {
    const Node v = open.back();
    open.pop_back();
    if (v < shape.queues) queues.push_back(v);
    open.insert(open.end(), shape.children[v].begin(), shape.children[v].end());
  }
  return queues;
}

// Lowers each holding, the last first, to the least that leaves no more to the owner.
void trim(const Shape& shape, const Limits& limits, Node owner, std::int64_t target, Usage& usage,
          std::vector<Holding>& holdings) {
  const auto enough_with_one_less = [&](Node queue) {
    usage.add(shape, limits, queue, -1);
    const bool enough = available(shape, limits, usage, owner) <= target;
    usage.add(shape, limits, queue, 1);
    return enough;
  };
  for (auto it = holdings.rbegin(); it != holdings.rend(); ++it) {
    if (!enough_with_one_less(it->queue))
      continue;  // nearly always: the last to be filled alone has more than it needs
    std::int64_t least = 0, most = it->amount;
    usage.add(shape, limits, it->queue, -it->amount);
    while (least < most) {
      const std::int64_t half = least + (most - least) / 2;
      usage.add(shape, limits, it->queue, half);
      const bool enough = available(shape, limits, usage, owner) <= target;
      usage.add(shape, limits, it->queue, -half);
      if (enough)
        most = half;
      else
        least = half + 1;
    }
    it->amount = least;
    usage.add(shape, limits, it->queue, least);
  }
  std::erase_if(holdings, [](const Holding& h) { return h.amount == 0; });
}

}  // namespace

std::vector<Holding> witness(const Shape& shape, const Limits& limits, const Behaviour& behaviour, Node owner) {
  return witness(shape, limits, behaviour, walk_bounds(shape, limits, behaviour), owner);
}

std::vector<Holding> witness(const Shape& shape, const Limits& limits, const Behaviour& behaviour, const Bounds& bounds,
                             Node owner) {
  const PathBounds path = walk_path(shape, limits, bounds, owner);
  const std::int64_t target = path.owner_available;
  const Node top = tightest(shape, limits, path, owner, target);
  if (top == kRoot) return {};

  std::vector<Node> queues = queues_below(shape, top);
  std::erase_if(queues, [&](Node q) { return q == owner || bounds.spill[q] == 0; });
  // As a heap: of thousands of queues the first few are mostly enough, and each owner asks anew.
  const auto later = [&](Node a, Node b) {
    return bounds.spill[a] != bounds.spill[b] ? bounds.spill[a] < bounds.spill[b] : a > b;
  };
  std::make_heap(queues.begin(), queues.end(), later);
  Usage usage;
  std::vector<Holding> holdings;
  for (; !queues.empty() && available(shape, limits, usage, owner) > target; queues.pop_back()) {
    std::pop_heap(queues.begin(), queues.end(), later);
    const Node q = queues.back();
    const std::int64_t room = available(shape, limits, usage, q);
    if (room == kUnlimited) continue;  // it pushes into something endless below the path: nothing of it arrives
    const std::int64_t amount = std::min(behaviour.at_most[q], room);
    if (amount <= 0) continue;
    usage.add(shape, limits, q, amount);
    holdings.push_back({q, amount});
  }
  trim(shape, limits, owner, target, usage, holdings);
  std::ranges::sort(holdings, {}, &Holding::queue);
  return holdings;
}

}  // namespace gpol::kueue
