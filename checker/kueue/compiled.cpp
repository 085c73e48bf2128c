#include "checker/kueue/compiled.h"

#include <algorithm>

namespace gpol::kueue {

Compiled::Compiled(const Cluster& cluster) : cluster_(cluster), shape_(shape_of(cluster)) {
  for (std::uint32_t q = 0; q < shape_.queues; ++q)
    active_.push_back(sound(q) && cluster.queues[q].stop == StopPolicy::None);
  heights_ = heights_with(active_);
}

bool Compiled::sound(std::uint32_t queue) const {
  if (shape_.in_cycle[queue]) return false;
  for (const auto& group : cluster_.queues[queue].groups)
    for (const auto& row : group.flavors)
      if (row.flavor >= cluster_.flavors.size()) return false;  // a flavor that does not exist
  return true;
}

std::shared_ptr<const std::vector<int>> Compiled::heights_with(const std::vector<bool>& active) const {
  auto heights = std::make_shared<std::vector<int>>(shape_.parent.size(), 0);
  for (const Node v : shape_.bottom_up)
    for (const Node child : shape_.children[v]) {
      if (child >= shape_.queues)
        (*heights)[v] = std::max((*heights)[v], (*heights)[child] + 1);
      else if (active[child])
        (*heights)[v] = std::max((*heights)[v], 1);
    }
  return heights;
}

const Limits& Compiled::limits(std::uint32_t mode, std::uint32_t flavor, std::uint32_t resource) const {
  const std::lock_guard lock(mutex_);
  auto& entry = limits_[{mode, flavor, resource}];
  if (!entry) {
    const Mode* changes = mode < cluster_.modes.size() ? &cluster_.modes[mode] : nullptr;
    entry = std::make_unique<const Limits>(limits_of(cluster_, shape_, flavor, resource, changes));
  }
  return *entry;
}

}  // namespace gpol::kueue
