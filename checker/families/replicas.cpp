#include "checker/families/replicas.h"

#include <algorithm>

#include "checker/families/pairs.h"
#include "compiler/cluster/roles.h"

namespace gpol {

namespace {

// One GPU with its share of what is reserved; without GPUs, one unit of everything.
nodes::Amounts smallest(const Cluster& cluster, const nodes::Amounts& reserve) {
  std::int64_t gpus = 0;
  for (std::size_t r = 0; r < reserve.size(); ++r)
    if (cluster.resources[r] == "nvidia.com/gpu") gpus = reserve[r];
  nodes::Amounts each(reserve.size(), 0);
  for (std::size_t r = 0; r < reserve.size(); ++r) {
    if (reserve[r] == 0) continue;
    if (cluster.resources[r] == "pods")
      each[r] = 1;
    else
      each[r] = gpus > 0 ? reserve[r] / gpus : std::min(reserve[r], one_unit(cluster.resources[r]));
  }
  return each;
}

void append_outside(const Cluster& cluster, const Intent& intent, std::uint32_t flavor, std::vector<Replicas>& all) {
  for (std::uint32_t i = 0; i < intent.outside.size(); ++i) {
    const OutsideReserve& tenant = intent.outside[i];
    if (tenant.flavor != flavor || tenant.isolation == Isolation::C) continue;
    Replicas of;
    of.outside = i;
    of.declared = tenant.replica.has_value();
    of.each = smallest(cluster, tenant.reserve);
    of.counted.assign(of.each.size(), 0);
    of.count = INT64_MAX;
    for (std::uint32_t r = 0; r < of.each.size(); ++r) {
      for (std::size_t named = 0; of.declared && named < kResources; ++named)
        if (cluster.resources[r] == resource_name(static_cast<Resource>(named))) of.each[r] = tenant.replica->of[named];
      if (cluster.resources[r] == "pods") of.each[r] = 1;
      if (of.each[r] > 0) of.count = std::min(of.count, tenant.reserve[r] / of.each[r]);
    }
    if (of.count > 0 && of.count < INT64_MAX) all.push_back(std::move(of));
  }
}

}  // namespace

std::vector<Replicas> replicas_of(const Cluster& cluster, const Intent& intent, std::uint32_t flavor) {
  std::vector<Replicas> all;
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    const QueueRole& role = intent.roles[q];
    if (role.kind != QueueRole::Kind::Serving || role.isolation == Isolation::C) continue;
    const auto pairs = pairs_of(cluster.queues[q]);
    nodes::Amounts reserve(cluster.resources.size(), 0);
    std::vector<bool> listed(cluster.resources.size(), false);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (pairs[i].flavor == flavor) {
        reserve[pairs[i].resource] = reserve_at(role, i);
        listed[pairs[i].resource] = true;
      }
    if (std::none_of(reserve.begin(), reserve.end(), [](std::int64_t amount) { return amount > 0; })) continue;
    Replicas of;
    of.queue = q;
    of.declared = role.replica != Resources{};
    of.each = smallest(cluster, reserve);
    for (std::uint32_t r = 0; of.declared && r < cluster.resources.size(); ++r)
      of.each[r] = per_replica(role, cluster.resources[r]);
    of.count = role.unit_demand && !of.declared ? *role.unit_demand : INT64_MAX;
    for (std::uint32_t r = 0; r < cluster.resources.size(); ++r) {
      if (cluster.resources[r] == "pods") of.each[r] = 1;
      of.counted.push_back(listed[r] ? of.each[r] : 0);
      if (listed[r] && of.each[r] > 0) of.count = std::min(of.count, reserve[r] / of.each[r]);
    }
    if (of.count > 0 && of.count < INT64_MAX) all.push_back(std::move(of));
  }
  append_outside(cluster, intent, flavor, all);
  return all;
}

}  // namespace gpol
