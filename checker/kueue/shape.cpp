// The trees of a cluster: who is whose parent (pkg/cache/hierarchy: manager.go, cycle.go).
#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include "checker/kueue/forest.h"

namespace gpol::kueue {

namespace {

using NodeByName = std::unordered_map<std::string_view, Node>;

// Cohorts with an object first, then those that are only named, by name: they are parentless and own nothing.
NodeByName add_cohorts(const Cluster& cluster, Shape& shape) {
  NodeByName nodes;
  for (std::size_t i = 0; i < cluster.cohorts.size(); ++i) {
    nodes.try_emplace(cluster.cohorts[i].name, static_cast<Node>(cluster.queues.size() + i));
    shape.names.push_back(cluster.cohorts[i].name);
  }
  std::set<std::string_view> implicit;
  for (const auto& queue : cluster.queues)
    if (!queue.cohort.empty() && !nodes.contains(queue.cohort)) implicit.insert(queue.cohort);
  for (const auto& cohort : cluster.cohorts)
    if (!cohort.parent.empty() && !nodes.contains(cohort.parent)) implicit.insert(cohort.parent);
  for (const auto name : implicit) {
    nodes.emplace(name, static_cast<Node>(shape.names.size()));
    shape.names.emplace_back(name);
  }
  return nodes;
}

// Marks every node from which the way up never ends, and takes it out of the trees, so that every other walk ends:
// such queues schedule nothing, and their quota and usage reach nobody (cycle.go; cohort sums are not made for them).
void cut_cycles(Shape& shape) {
  enum class Seen : std::uint8_t { No, OnPath, Ends, Cycles };
  std::vector<Seen> seen(shape.parent.size(), Seen::No);
  std::vector<Node> path;
  for (Node start = 0; start < shape.parent.size(); ++start) {
    path.clear();
    Node v = start;
    while (v != kRoot && seen[v] == Seen::No) {
      seen[v] = Seen::OnPath;
      path.push_back(v);
      v = shape.parent[v];
    }
    const Seen end = v == kRoot ? Seen::Ends : seen[v] == Seen::OnPath ? Seen::Cycles : seen[v];
    for (const Node w : path) seen[w] = end;
  }
  for (Node v = 0; v < shape.parent.size(); ++v) {
    shape.in_cycle[v] = seen[v] == Seen::Cycles;
    if (shape.in_cycle[v]) shape.parent[v] = kRoot;
  }
}

}  // namespace

Shape shape_of(const Cluster& cluster) {
  Shape shape;
  shape.queues = static_cast<std::uint32_t>(cluster.queues.size());
  for (const auto& queue : cluster.queues) shape.names.push_back(queue.name);
  const NodeByName cohorts = add_cohorts(cluster, shape);
  const std::size_t count = shape.names.size();
  shape.parent.assign(count, kRoot);
  shape.children.resize(count);
  shape.in_cycle.assign(count, false);
  for (std::size_t i = 0; i < cluster.queues.size(); ++i)
    if (!cluster.queues[i].cohort.empty()) shape.parent[i] = cohorts.at(cluster.queues[i].cohort);
  for (std::size_t i = 0; i < cluster.cohorts.size(); ++i)
    if (!cluster.cohorts[i].parent.empty())
      shape.parent[cluster.queues.size() + i] = cohorts.at(cluster.cohorts[i].parent);
  cut_cycles(shape);
  for (Node v = 0; v < count; ++v)
    if (shape.parent[v] != kRoot) shape.children[shape.parent[v]].push_back(v);

  // Roots first, then their children and so on; turned round, every node comes after its children.
  for (Node v = 0; v < count; ++v)
    if (shape.parent[v] == kRoot) shape.bottom_up.push_back(v);
  for (std::size_t i = 0; i < shape.bottom_up.size(); ++i) {
    const auto& below = shape.children[shape.bottom_up[i]];
    shape.bottom_up.insert(shape.bottom_up.end(), below.begin(), below.end());
  }
  std::ranges::reverse(shape.bottom_up);
  return shape;
}

}  // namespace gpol::kueue
