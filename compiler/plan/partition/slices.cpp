#include "compiler/plan/partition/slices.h"

#include <utility>

#include "compiler/policy/units.h"

namespace gpol {

Resources room_of_node(const Policy& policy, const Pool& pool) {
  const NodeGroup& group = policy.groups[pool.group];
  Resources room = group.each;
  room -= group.daemons;
  if (pool.partition.layout.empty()) return room;
  const std::int64_t devices = std::exchange(room[Resource::Gpu], 0);
  if (pool.partition.counted) return room;  // its kinds of nodes say (plan_partition.cpp)
  for (const Slices& slices : pool.partition.layout)
    for (std::size_t row = kCommonResources; row < policy.resources.size(); ++row)
      if (policy.resources[row].profile == slices.profile)
        room[static_cast<Resource>(row)] = times(devices, slices.count);
  return room;
}

}  // namespace gpol
