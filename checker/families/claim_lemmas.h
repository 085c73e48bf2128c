// The lemmas of the claim family. In each the quotas (SQ, LQ, BL, N), the bounds and the usages are free integers, so
// one answer of the solver covers every node of every tree; what an instance must meet is arithmetic on its own
// figures, the side condition of the lemma, which stands here beside it. A side condition that holds makes the instance
// proven. Figures are base units, at most 2^60 in size; kUnlimited for an absent limit.
#pragma once

#include <algorithm>
#include <cstdint>

#include "checker/kueue/forest.h"
#include "checker/solver/terms.h"

namespace gpol {

enum class ClaimLemma : std::uint8_t {
  RootAbove,       // a root uses at most its subtree quota
  AboveLimited,    // a node with a borrowing limit uses at most what its own limit and its parent's bound let through
  AboveUnlimited,  // the same without a borrowing limit
  Spill,           // a node bounded from below (what it wants) and from above pushes at most that less its local quota
  SpillFree,       // the same for a node that wants everything
  Sum,             // the sum of two bounded pushes is bounded by the sum of the bounds; folded over children
  RootLeft,        // a root has at least its quota less the bound on its usage left
  StepLimited,     // what a node with a borrowing limit offers, from bounds on its usage and on its parent's offer
  StepUnlimited,   // the same without a borrowing limit
  Owner            // an owner offered `a` lacks at most its reserve less `a`
};
inline constexpr std::size_t kClaimLemmas = 10;

const char* claim_lemma_name(ClaimLemma lemma);  // "claim/spill"
Formula claim_lemma(ClaimLemma lemma);

// The side conditions.
namespace claim {

using kueue::kUnlimited;

inline bool root_above(std::int64_t sq, std::int64_t p) { return p >= sq; }

inline bool above(std::int64_t sq, std::int64_t lq, std::int64_t bl, std::int64_t p_parent, std::int64_t p) {
  const std::int64_t through = lq + p_parent;
  return p >= (bl == kUnlimited ? through : std::min(sq + bl, through));
}

// `wants`: kUnlimited when nothing bounds the node from below.
inline bool spill(std::int64_t wants, std::int64_t p, std::int64_t lq, std::int64_t bound, std::int64_t spilled) {
  return bound >= (wants == kUnlimited ? p : std::min(wants, p)) && spilled >= std::max<std::int64_t>(0, bound - lq);
}

inline bool root_left(std::int64_t sq, std::int64_t bound, std::int64_t left) { return left <= sq - bound; }

inline bool step(std::int64_t sq, std::int64_t lq, std::int64_t bl, std::int64_t bound, std::int64_t from_parent,
                 std::int64_t left) {
  const std::int64_t local = std::max<std::int64_t>(0, lq - bound);
  const std::int64_t own = bl == kUnlimited ? from_parent : sq - lq - std::max<std::int64_t>(0, bound - lq) + bl;
  return left <= local + std::min(from_parent, own);
}

inline bool owner(std::int64_t reserve, std::int64_t left, std::int64_t claimable) {
  return claimable >= reserve - std::max<std::int64_t>(0, left);
}

}  // namespace claim

}  // namespace gpol
