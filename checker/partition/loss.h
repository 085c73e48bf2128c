// How many slices of a profile a pool has left, whichever of its nodes are lost. In: per kind of node, how many there
// are and what each has. The formula is asked with a number: fewer can be left, or not; `left_after` is the closed
// form.
#pragma once

#include <cstdint>
#include <vector>

#include "checker/solver/terms.h"

namespace gpol::partition {

struct NodesAlike {
  std::int64_t nodes = 0, slices = 0;  // of each
};

// Unsatisfiable: with any `lost` of the nodes lost at least `counted` slices are left.
Formula loss_formula(const std::vector<NodesAlike>& kinds, std::int64_t lost, std::int64_t counted);

std::int64_t left_after(std::vector<NodesAlike> kinds, std::int64_t lost);

}  // namespace gpol::partition
