// Why the walk is exact. With fixed quotas, admission reaches exactly the usages with U_root <= SQ_root and, for every
// other node with a borrowing limit, U_v <= SQ_v + BL_v (and each queue within what it wants): a request fits just when
// the usage after it is of that kind, and taking units away keeps it so. So a subtree can by itself reach the least of
// the sum of its children's spills and what P lets through from above: U_v <= P_v, as U_v <= LQ_v + U_parent.
//
// What is left for an owner that holds nothing, with path v1..root and x_i pushed into v_i from beside the path, is the
// least of its own limit SQ_s + BL_s and, over the cuts j,
//   LQ_s + SQ_j + BL_j + sum of LQ_i (i < j) - sum of x_i (i <= j)        (no BL_j at the root),
// as loc_i - spill_i = LQ_i - U_i. The x are limited by what lies beside the path and by sums over intervals of the
// path, so that filling the lowest node first makes every prefix sum as large as it can be, all at once: moving one
// unit to a lower node never breaks an interval that the lower node alone respects. Hence one pass up gives the least
// of every cut.
#include "checker/kueue/walk.h"

#include <algorithm>

#include "checker/kueue/amount.h"
#include "checker/planted.h"

namespace gpol::kueue {

namespace {

// What is pushed into the path node `v` from beside the path: everything but the share of its child `except`.
std::int64_t pushed_beside(const Bounds& bounds, Node v, Node except) {
  Bounds::Sum sum = bounds.pushed[v];
  if (planted(Bug::WalkOwnShareKept)) return sum.value();
  if (bounds.spill[except] == kUnlimited)
    --sum.unlimited;
  else
    sum.subtract(bounds.spill[except]);
  return sum.value();
}

}  // namespace

void Bounds::Sum::add(std::int64_t amount) {
  const auto before = low;
  low += static_cast<std::uint64_t>(amount);
  high += low < before ? 1U : 0U;
}

void Bounds::Sum::subtract(std::int64_t amount) {
  const auto before = low;
  low -= static_cast<std::uint64_t>(amount);
  high -= low > before ? 1U : 0U;
}

std::int64_t Bounds::Sum::value() const {
  const bool fits = unlimited == 0 && high == 0 && low < static_cast<std::uint64_t>(kUnlimited);
  return fits ? static_cast<std::int64_t>(low) : kUnlimited;
}

Bounds walk_bounds(const Shape& shape, const Limits& limits, const Behaviour& behaviour) {
  Bounds bounds;
  bounds.usage.assign(shape.parent.size(), 0);
  bounds.spill.assign(shape.parent.size(), 0);
  bounds.pushed.assign(shape.parent.size(), {});
  walk_tree(shape, limits, behaviour, shape.bottom_up, bounds);
  return bounds;
}

void walk_tree(const Shape& shape, const Limits& limits, const Behaviour& behaviour, const std::vector<Node>& nodes,
               Bounds& bounds) {
  for (const Node v : nodes) bounds.pushed[v] = {};
  for (const Node v : nodes) {
    const std::int64_t wants = v < shape.queues ? behaviour.at_most[v] : bounds.pushed[v].value();
    bounds.usage[v] = std::min(wants, limits.potential[v]);
    bounds.spill[v] = spilled(bounds.usage[v], planted(Bug::WalkSpillWhole) ? 0 : limits.local[v]);
    const Node parent = shape.parent[v];
    if (parent == kRoot) continue;
    if (bounds.spill[v] == kUnlimited)
      ++bounds.pushed[parent].unlimited;
    else
      bounds.pushed[parent].add(bounds.spill[v]);
  }
}

PathBounds walk_path(const Shape& shape, const Limits& limits, const Bounds& bounds, Node owner) {
  PathBounds path;
  std::int64_t carried = 0;
  for (Node below = owner, v = shape.parent[owner]; v != kRoot; below = v, v = shape.parent[v]) {
    const std::int64_t wants = saturating_add(pushed_beside(bounds, v, below), carried);
    path.path.push_back(v);
    path.usage.push_back(std::min(wants, limits.potential[v]));
    carried = planted(Bug::WalkCarriedForgotten) ? 0 : spilled(path.usage.back(), limits.local[v]);
  }
  path.available.resize(path.path.size());
  // What a node without a parent has left; usage never depletes what is unlimited, however much of it is used.
  const auto left = [](std::int64_t quota, std::int64_t used) {
    return quota == kUnlimited ? kUnlimited : saturating_sub(quota, used);
  };
  std::int64_t above = 0;
  for (std::size_t i = path.path.size(); i-- > 0;) {
    const Node v = path.path[i];
    const std::int64_t used = path.usage[i];
    if (shape.parent[v] == kRoot)
      above = left(limits.subtree[v], used);
    else
      above = std::min(saturating_add(left(limits.local[v], std::min(used, limits.local[v])), above),
                       left(ceiling(limits, v), used));
    path.available[i] = above;
  }
  if (path.path.empty())
    path.owner_available = limits.subtree[owner];
  else
    path.owner_available = std::min(ceiling(limits, owner), saturating_add(limits.local[owner], above));
  return path;
}

}  // namespace gpol::kueue
