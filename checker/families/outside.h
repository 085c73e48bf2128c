// What the proofs about serving outside the queue share.
#pragma once

#include <cstdint>
#include <vector>

#include "checker/families/families.h"

namespace gpol {

// Queues whose pods can land on the nodes of the tenant's pool: they list its flavor, or one whose node labels those
// nodes carry.
std::vector<std::uint32_t> queues_beside(const Proof& proof, const OutsideReserve& tenant);

}  // namespace gpol
