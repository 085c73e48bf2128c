// The most that any one other queue can hold of a queue's quota by itself, all others idle: told beside what all of
// them can hold together, where no queue has a role. In: one (flavor, resource). Out: a figure per listing. Closed form
// only (kueue/walk.h): nothing is proven by it.
#pragma once

#include <cstdint>
#include <vector>

#include "checker/families/claim_tree.h"

namespace gpol {

// Parallel to `listings`.
std::vector<std::int64_t> claimable_alone(const Proof& proof, const kueue::Shape& shape, const ClaimTree& tree,
                                          const std::vector<Listing>& listings);

}  // namespace gpol
