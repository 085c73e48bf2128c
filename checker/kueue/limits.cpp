// The quotas of one (flavor, resource) on the trees, and what follows from them (pkg/cache/scheduler/resource_node.go:
// updateCohortResourceNode, localQuota, potentialAvailable).
#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "checker/kueue/amount.h"
#include "checker/kueue/forest.h"
#include "checker/planted.h"

namespace gpol::kueue {

namespace {

void set_quota(Limits& limits, Node v, const Quota& quota) {
  limits.nominal[v] = quota.nominal;
  limits.borrowing[v] = quota.borrowing.value_or(kUnlimited);
  limits.lending[v] = quota.lending.value_or(kUnlimited);
  limits.listed[v] = true;
}

void read_groups(const std::vector<ResourceGroup>& groups, std::uint32_t flavor, std::uint32_t resource, Node v,
                 Limits& limits) {
  for (const auto& group : groups)
    for (std::size_t r = 0; r < group.covered.size(); ++r) {
      if (group.covered[r] != resource) continue;
      for (const auto& entry : group.flavors)
        if (entry.flavor == flavor && r < entry.quotas.size()) set_quota(limits, v, entry.quotas[r]);
    }
}

Limits base_limits(const Cluster& cluster, const Shape& shape, std::uint32_t flavor, std::uint32_t resource) {
  const std::size_t count = shape.parent.size();
  Limits limits;
  limits.nominal.assign(count, 0);
  limits.borrowing.assign(count, kUnlimited);
  limits.lending.assign(count, kUnlimited);
  limits.listed.assign(count, false);
  for (std::size_t i = 0; i < cluster.queues.size(); ++i)
    read_groups(cluster.queues[i].groups, flavor, resource, static_cast<Node>(i), limits);
  for (std::size_t i = 0; i < cluster.cohorts.size(); ++i)
    read_groups(cluster.cohorts[i].groups, flavor, resource, static_cast<Node>(cluster.queues.size() + i), limits);
  return limits;
}

// What a mode says about this (flavor, resource), by node.
std::map<Node, Quota> changed_in(const Cluster& cluster, std::uint32_t flavor, std::uint32_t resource,
                                 const Mode& mode) {
  std::map<Node, Quota> changed;
  std::unordered_map<std::string_view, Node> nodes;
  for (const auto& [key, quota] : mode.changed) {
    if (key.flavor != cluster.flavors[flavor].name || key.resource != cluster.resources[resource]) continue;
    if (nodes.empty())
      for (std::size_t i = 0; i < cluster.queues.size(); ++i)
        nodes.try_emplace(cluster.queues[i].name, static_cast<Node>(i));
    if (const auto found = nodes.find(key.queue); found != nodes.end()) changed[found->second] = quota;
  }
  return changed;
}

void derive(const Shape& shape, Limits& limits) {
  limits.subtree = limits.nominal;
  if (planted(Bug::WalkCohortQuotaIgnored))
    std::fill(limits.subtree.begin() + shape.queues, limits.subtree.end(), std::int64_t{0});
  limits.known = limits.listed;
  limits.local.assign(shape.parent.size(), 0);
  limits.potential.assign(shape.parent.size(), 0);
  for (const Node v : shape.bottom_up) {
    const std::int64_t quota = planted(Bug::WalkLendingOfNominal) ? limits.nominal[v] : limits.subtree[v];
    if (limits.lending[v] != kUnlimited && !planted(Bug::WalkLendingIgnored))
      limits.local[v] = spilled(quota, limits.lending[v]);
    if (const Node p = shape.parent[v]; p != kRoot && limits.known[v]) limits.known[p] = true;
    if (const Node p = shape.parent[v]; p != kRoot)
      limits.subtree[p] = saturating_add(limits.subtree[p], saturating_sub(limits.subtree[v], limits.local[v]));
  }
  for (auto it = shape.bottom_up.rbegin(); it != shape.bottom_up.rend(); ++it) {
    const Node v = *it, p = shape.parent[v];
    const std::int64_t most = planted(Bug::WalkBorrowingOfNominal) && limits.borrowing[v] != kUnlimited
                                  ? saturating_add(limits.nominal[v], limits.borrowing[v])
                                  : ceiling(limits, v);
    limits.potential[v] =
        p == kRoot ? limits.subtree[v] : std::min(most, saturating_add(limits.local[v], limits.potential[p]));
  }
}

}  // namespace

Limits limits_of(const Cluster& cluster, const Shape& shape, std::uint32_t flavor, std::uint32_t resource,
                 const Mode* mode) {
  Limits limits = base_limits(cluster, shape, flavor, resource);
  if (mode != nullptr)
    for (const auto& [node, quota] : changed_in(cluster, flavor, resource, *mode)) set_quota(limits, node, quota);
  derive(shape, limits);
  return limits;
}

Limits widest_limits(const Cluster& cluster, const Shape& shape, std::uint32_t flavor, std::uint32_t resource,
                     bool& exact) {
  exact = true;
  Limits limits = base_limits(cluster, shape, flavor, resource);
  std::vector<std::map<Node, Quota>> by_mode;
  for (const auto& mode : cluster.modes) by_mode.push_back(changed_in(cluster, flavor, resource, mode));
  std::map<Node, Quota> touched;
  for (const auto& changed : by_mode) touched.insert(changed.begin(), changed.end());
  for (const auto& [node, unused] : touched) {
    const Quota base{limits.nominal[node],
                     limits.borrowing[node] == kUnlimited ? std::nullopt : std::optional(limits.borrowing[node]),
                     limits.lending[node] == kUnlimited ? std::nullopt : std::optional(limits.lending[node])};
    std::optional<Quota> widest;
    for (const auto& changed : by_mode) {
      const auto found = changed.find(node);
      const Quota& quota = found == changed.end() ? base : found->second;
      if (!widest) {
        widest = quota;
        continue;
      }
      if (quota.nominal != widest->nominal || quota.lending != widest->lending) exact = false;
      if (!quota.borrowing || (widest->borrowing && *quota.borrowing > *widest->borrowing))
        if (!planted(Bug::WalkWindowsNarrowest)) widest->borrowing = quota.borrowing;
    }
    // A mode that names what the base does not list brings a new (flavor, resource): more than a borrowing limit.
    if (!limits.listed[node]) exact = false;
    set_quota(limits, node, *widest);
  }
  derive(shape, limits);
  return limits;
}

}  // namespace gpol::kueue
