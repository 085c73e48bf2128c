#include "tests/mutation/align.h"

#include <algorithm>
#include <map>

#include "checker/families/pairs.h"

namespace gpol::mutation {

namespace {

std::string name_of(const std::string& text) { return text; }
template <class T>
std::string name_of(const T& object) {
  return object.name;
}

// Moves what the plan has, too, to the front, in the plan's order. Returns the new index of each old one.
template <class T>
std::vector<std::uint32_t> reorder(const std::vector<T>& planned, std::vector<T>& found, const char* kind,
                                   std::string& lost) {
  std::map<std::string, std::size_t> at;
  for (std::size_t i = 0; i < found.size(); ++i) at.emplace(name_of(found[i]), i);
  std::vector<std::size_t> order;
  for (const T& object : planned) {
    const auto same = at.find(name_of(object));
    if (same == at.end()) {
      if (lost.empty()) lost = std::string(kind) + " " + name_of(object);
      continue;
    }
    order.push_back(same->second);
    at.erase(same);
  }
  for (std::size_t i = 0; i < found.size(); ++i)
    if (std::find(order.begin(), order.end(), i) == order.end()) order.push_back(i);
  std::vector<T> moved;
  std::vector<std::uint32_t> now(found.size());
  for (const std::size_t i : order) {
    now[i] = static_cast<std::uint32_t>(moved.size());
    moved.push_back(std::move(found[i]));
  }
  found = std::move(moved);
  return now;
}

void renumber(std::vector<ResourceGroup>& groups, const std::vector<std::uint32_t>& flavors,
              const std::vector<std::uint32_t>& resources) {
  for (auto& group : groups) {
    for (auto& resource : group.covered) resource = resources[resource];
    for (auto& row : group.flavors) row.flavor = flavors[row.flavor];
  }
}

// Reserves and what is permitted stand in the order of the queue's pairs.
void move_pairs(const Queue& planned, const Queue& found, QueueRole& role, std::string& lost) {
  if (role.reserve.empty()) return;
  const auto before = pairs_of(planned), now = pairs_of(found);
  std::vector<std::int64_t> reserve(now.size()), permitted(now.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto same = std::find_if(now.begin(), now.end(), [&](const Pair& pair) {
      return pair.flavor == before[i].flavor && pair.resource == before[i].resource;
    });
    if (same == now.end()) {
      if (role.reserve[i] > 0 && lost.empty()) lost = "a resource of ClusterQueue " + planned.name;
      continue;
    }
    const auto at = static_cast<std::size_t>(same - now.begin());
    reserve[at] = role.reserve[i];
    permitted[at] = i < role.permitted.size() ? role.permitted[i] : 0;
  }
  role.reserve = std::move(reserve);
  role.permitted = std::move(permitted);
}

}  // namespace

Aligned align(const Planned& planned, const Cluster& observed) {
  Aligned out{observed, planned.intent, {}};
  Cluster& cluster = out.cluster;
  const Cluster& before = planned.cluster;
  cluster.config.version = before.config.version;  // no manifest says it
  const auto resources = reorder(before.resources, cluster.resources, "resource", out.lost);
  const auto flavors = reorder(before.flavors, cluster.flavors, "ResourceFlavor", out.lost);
  reorder(before.node_pools, cluster.node_pools, "the nodes of pool", out.lost);
  reorder(before.queues, cluster.queues, "ClusterQueue", out.lost);
  reorder(before.modes, cluster.modes, "the overlay of window", out.lost);
  for (auto& cohort : cluster.cohorts) renumber(cohort.groups, flavors, resources);
  for (auto& queue : cluster.queues) renumber(queue.groups, flavors, resources);
  if (!out.lost.empty()) return out;
  out.intent.roles.resize(cluster.queues.size());
  for (std::size_t q = 0; q < before.queues.size(); ++q)
    move_pairs(before.queues[q], cluster.queues[q], out.intent.roles[q], out.lost);
  return out;
}

}  // namespace gpol::mutation
