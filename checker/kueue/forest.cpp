#include "checker/kueue/forest.h"

#include <algorithm>
#include <array>

#include "checker/kueue/amount.h"
#include "checker/planted.h"

namespace gpol::kueue {

std::int64_t Usage::of(Node node) const { return node < usage_.size() ? usage_[node] : 0; }

std::int64_t& Usage::at(Node node) {
  if (node >= usage_.size()) usage_.resize(std::size_t{node} + 1);
  return usage_[node];
}

// addUsage and removeUsage of resource_node.go: usage first fills what the node keeps to itself, the rest goes up;
// what leaves first leaves the parent.
void Usage::add(const Shape& shape, const Limits& limits, Node queue, std::int64_t amount) {
  for (Node v = queue; v != kRoot && amount != 0; v = shape.parent[v]) {
    std::int64_t& entry = at(v);
    const std::int64_t before = entry;
    if (amount > 0) {
      const std::int64_t free = planted(Bug::ModelLendingIgnored) ? 0 : spilled(limits.local[v], before);
      entry = saturating_add(before, amount);
      amount = spilled(amount, free);
    } else {
      const std::int64_t stored_above = spilled(before, limits.local[v]);
      entry = saturating_add(before, amount);
      amount = -std::min(saturating_sub(0, amount), stored_above);
    }
  }
}

std::int64_t available(const Shape& shape, const Limits& limits, const Usage& usage, Node node) {
  // From the root down; no recursion, as nothing bounds how deep cohorts are nested, and no allocation for usual
  // depths.
  std::array<Node, 16> near{};
  std::vector<Node> far;
  std::size_t depth = 0;
  Node v = node;
  for (; shape.parent[v] != kRoot; v = shape.parent[v], ++depth)
    if (depth < near.size())
      near[depth] = v;
    else
      far.push_back(v);
  const std::int64_t pool = planted(Bug::ModelCohortQuotaOnly) ? limits.nominal[v] : limits.subtree[v];
  std::int64_t result = saturating_sub(pool, usage.of(v));
  while (depth-- > 0) {
    v = depth < near.size() ? near[depth] : far[depth - near.size()];
    const std::int64_t used = usage.of(v), local = limits.local[v];
    if (limits.borrowing[v] != kUnlimited && !planted(Bug::ModelBorrowingIgnored)) {
      const std::int64_t stored_above = saturating_sub(limits.subtree[v], local);
      const std::int64_t room = saturating_sub(stored_above, spilled(used, local));
      result = std::min(result, saturating_add(room, limits.borrowing[v]));
    }
    if (planted(Bug::ModelDebtForgiven)) result = std::max<std::int64_t>(0, result);
    // A negative result from above (debt) is added as it is: debt eats even what the node keeps to itself.
    result = saturating_add(spilled(local, used), result);
  }
  return result;
}

}  // namespace gpol::kueue
