#include "checker/kueue/compiled.h"

#include <algorithm>

namespace gpol::kueue {

Compiled::Compiled(const Cluster& cluster) : cluster_(cluster), shape_(shape_of(cluster)), gates_(cluster.config) {
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

std::vector<bool> Compiled::changed_between(std::uint32_t a, std::uint32_t b) const {
  std::vector<bool> changed(cluster_.queues.size(), false);
  const auto quota_in = [&](std::uint32_t mode, const Mode::Key& key, const Quota& base) {
    if (mode >= cluster_.modes.size()) return base;
    const auto found = cluster_.modes[mode].changed.find(key);
    return found == cluster_.modes[mode].changed.end() ? base : found->second;
  };
  for (std::size_t q = 0; q < cluster_.queues.size(); ++q)
    for (const auto& group : cluster_.queues[q].groups)
      for (const auto& row : group.flavors)
        for (std::size_t r = 0; r < group.covered.size() && row.flavor < cluster_.flavors.size(); ++r) {
          const Mode::Key key{cluster_.queues[q].name, cluster_.flavors[row.flavor].name,
                              cluster_.resources[group.covered[r]]};
          if (quota_in(a, key, row.quotas[r]) != quota_in(b, key, row.quotas[r])) changed[q] = true;
        }
  return changed;
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
