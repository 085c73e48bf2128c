// What a node of a pool has for pods: its GPUs, or the slices that they are cut into, with cpu, memory and pods beside
// them. In: a resolved policy. Out: amounts of one node, what daemons take left out.
#pragma once

#include "compiler/policy/policy.h"

namespace gpol {

Resources room_of_node(const Policy& policy, const Pool& pool);

}  // namespace gpol
