#include "compiler/cluster/node_facts.h"

#include <algorithm>
#include <set>

namespace gpol {

namespace {

bool selects(const std::map<std::string, std::string>& wanted, const std::map<std::string, std::string>& labels) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& label) {
    const auto found = labels.find(label.first);
    return found != labels.end() && found->second == label.second;
  });
}

bool stands_on(const Queue& queue, std::uint32_t flavor) {
  for (const auto& group : queue.groups)
    for (const auto& row : group.flavors)
      if (row.flavor == flavor) return true;
  return false;
}

}  // namespace

bool take_nodes(std::span<const NodeFacts> nodes, Cluster& cluster, Intent& intent) {
  std::set<std::string> keys;
  for (const Flavor& flavor : cluster.flavors)
    for (const auto& [key, value] : flavor.node_labels) keys.insert(key);
  std::map<std::pair<std::map<std::string, std::string>, std::vector<Taint>>, std::uint32_t> pools;
  std::vector<std::uint32_t> pool_of;
  for (const NodeFacts& node : nodes) {
    std::map<std::string, std::string> seen;
    for (const auto& [key, value] : node.labels)
      if (keys.contains(key)) seen.emplace(key, value);
    auto taints = node.taints;
    std::sort(taints.begin(), taints.end());
    const auto [at, fresh] = pools.try_emplace({seen, taints}, static_cast<std::uint32_t>(cluster.node_pools.size()));
    if (fresh) cluster.node_pools.push_back({node.name, seen, taints});
    pool_of.push_back(at->second);
  }
  bool alike = true;
  for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f) {
    PoolCapacity capacity;
    capacity.flavor = f;
    capacity.surely.assign(cluster.resources.size(), 0);
    std::set<std::uint32_t> standing;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (nodes[n].cordoned || !selects(cluster.flavors[f].node_labels, nodes[n].labels)) continue;
      standing.insert(pool_of[n]);
      if (!capacity.span.known()) capacity.span = nodes[n].span;
      ++capacity.nodes_max;
      for (std::size_t r = 0; r < cluster.resources.size(); ++r)
        if (const auto found = nodes[n].allocatable.find(cluster.resources[r]); found != nodes[n].allocatable.end())
          if (__builtin_add_overflow(capacity.surely[r], found->second, &capacity.surely[r]))
            capacity.surely[r] = INT64_MAX;
    }
    capacity.at_most = capacity.surely;
    capacity.nodes_min = capacity.nodes_max;
    if (standing.size() == 1) capacity.nodes = *standing.begin();
    alike = alike && standing.size() == 1;
    for (std::size_t q = 0; q < cluster.queues.size(); ++q)
      capacity.has_serving =
          capacity.has_serving || (intent.roles[q].kind == QueueRole::Kind::Serving &&
                                   intent.roles[q].isolation != Isolation::C && stands_on(cluster.queues[q], f));
    intent.capacities.push_back(std::move(capacity));
  }
  return alike;
}

}  // namespace gpol
