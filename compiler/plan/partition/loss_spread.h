// Which node holds which slices, so that enough of each profile is left whichever nodes are lost. In: what every device
// holds, and how many instances of each profile may go with the lost nodes. Out: the same instances on the same number
// of devices, over other nodes. Two devices of different nodes exchange instances as long as that brings the pool
// nearer (a local search: where it finds nothing there may still be a way); the same question has the same answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compiler/plan/partition/device_layouts.h"

namespace gpol {

struct LossQuestion {
  std::size_t per_node = 1;             // devices
  std::int64_t lost = 0;                // nodes, whichever they are
  ProfileCounts may_go;                 // of each profile, with the lost nodes together
  std::vector<ProfileCounts> can_hold;  // every multiset of a device that is not empty
};

// `devices`: by node, then index. Changed only as far as is needed; false: more of some profile may still go.
bool spread_for_loss(std::vector<ProfileCounts>& devices, const LossQuestion& question);

}  // namespace gpol
