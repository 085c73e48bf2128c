// Quantities as Kueue adds and compares them (pkg/resources/amount.go at v0.19.2). In: base units, kUnlimited for an
// amount that usage never depletes. Out: the same; plain integers order rightly, as kUnlimited is the greatest of them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "checker/kueue/forest.h"

namespace gpol::kueue {

// Unlimited less anything bounded stays unlimited; bounded less unlimited is the least value; of two unlimited ones
// nothing is left. Everything else saturates.
inline std::int64_t saturating_sub(std::int64_t a, std::int64_t b) {
  if (a == kUnlimited) return b == kUnlimited ? 0 : kUnlimited;
  if (b == kUnlimited) return INT64_MIN;
  std::int64_t r = 0;
  if (__builtin_sub_overflow(a, b, &r)) return a > 0 ? kUnlimited : INT64_MIN;
  return r;
}

// What of `usage` a node cannot keep to itself and stores in its parent.
inline std::int64_t spilled(std::int64_t usage, std::int64_t local) {
  return std::max<std::int64_t>(0, saturating_sub(usage, local));
}

// SQ + BL: the most that a node with a parent may use; no limit without a borrowing limit.
inline std::int64_t ceiling(const Limits& limits, Node v) {
  return limits.borrowing[v] == kUnlimited ? kUnlimited : saturating_add(limits.subtree[v], limits.borrowing[v]);
}

}  // namespace gpol::kueue
