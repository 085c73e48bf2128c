#include "compiler/plan/partition/node_kinds.h"

#include "compiler/policy/policy.h"

namespace gpol {

// A name of a configuration is the value of a label: 63 bytes at most. No pool's own name has a dot in it here.
std::string config_name(const Policy& policy, std::size_t pool) {
  constexpr std::size_t kLongest = 50;
  const std::string& name = policy.pools[pool].name;
  return name.size() <= kLongest ? "gpol-" + name : "gpol." + std::to_string(pool + 1);
}

std::vector<NodeKind> node_kinds(const Policy& policy, std::size_t index) {
  const Pool& pool = policy.pools[index];
  if (pool.partition.mode != Partition::Mode::Mig) return {};
  NodeKind kind;
  kind.config = config_name(policy, index);
  kind.nodes_min = pool.nodes_min;
  kind.nodes_max = pool.nodes_max;
  kind.devices.assign(static_cast<std::size_t>(policy.groups[pool.group].each[Resource::Gpu]), pool.partition.layout);
  return {kind};
}

std::int64_t slices_on(const NodeKind& kind, const std::string& profile) {
  std::int64_t sum = 0;
  for (const std::vector<Slices>& device : kind.devices)
    for (const Slices& slices : device)
      if (slices.profile == profile) sum += slices.count;
  return sum;
}

}  // namespace gpol
