#include "checker/kueue/compiled.h"

#include <algorithm>

#include "compiler/cluster/listed.h"
#include "compiler/source/lookup.h"

namespace gpol::kueue {

Compiled::Compiled(const Cluster& cluster) : cluster_(cluster), shape_(shape_of(cluster)), gates_(cluster.config) {
  for (std::uint32_t q = 0; q < shape_.queues; ++q)
    active_.push_back(sound(q) && cluster.queues[q].stop == StopPolicy::None);
  heights_ = heights_with(active_);
}

bool Compiled::sound(std::uint32_t queue) const {
  if (shape_.in_cycle[queue]) return false;
  return std::ranges::all_of(listed_flavors(cluster_.queues[queue].groups), [&](const FlavorQuotas& row) {
    return row.flavor < cluster_.flavors.size();  // else it does not exist
  });
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
    return mode >= cluster_.modes.size() ? base : value_or(cluster_.modes[mode].changed, key, base);
  };
  for (std::size_t q = 0; q < cluster_.queues.size(); ++q)
    for (const ListedQuota& one : listed_quotas(cluster_.queues[q].groups)) {
      if (one.flavor >= cluster_.flavors.size()) continue;
      const Mode::Key key{cluster_.queues[q].name, cluster_.flavors[one.flavor].name, cluster_.resources[one.resource]};
      if (quota_in(a, key, one.quota) != quota_in(b, key, one.quota)) changed[q] = true;
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
