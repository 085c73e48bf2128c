#include "checker/nodes/placement_model.h"

#include <algorithm>

#include "checker/planted.h"
#include "compiler/source/lookup.h"

namespace gpol::nodes {

bool tolerates(const Toleration& toleration, const Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;  // no key: every taint
  return toleration.op.empty() || toleration.op == "Equal" ? toleration.value == taint.value
                                                           : toleration.op == "Exists";
}

const Taint* untolerated(std::span<const Taint> taints, std::span<const Toleration> tolerations) {
  for (const Taint& taint : taints) {
    const bool preferred = taint.effect == "PreferNoSchedule" && planted(Bug::ModelTaintsEvenPreferred);
    if (taint.effect != "NoSchedule" && taint.effect != "NoExecute" && !preferred) continue;
    if (std::ranges::none_of(tolerations, [&](const Toleration& toleration) { return tolerates(toleration, taint); }))
      return &taint;
  }
  return nullptr;
}

bool selects(const std::map<std::string, std::string>& selector, const std::map<std::string, std::string>& labels) {
  return std::ranges::all_of(selector, [&](const auto& pair) {
    const auto found = labels.find(pair.first);
    return found == labels.end() ? planted(Bug::ModelSelectorOfAbsentLabel) : found->second == pair.second;
  });
}

bool agree(const std::map<std::string, std::string>& labels, const std::map<std::string, std::string>& others) {
  return std::ranges::all_of(
      labels, [&](const auto& label) { return value_or(others, label.first, label.second) == label.second; });
}

// flavorassigner.go: "untolerated taint" else.
std::vector<Toleration> tolerations_of(const Flavor& flavor) {
  std::vector<Toleration> all = flavor.tolerations;
  for (const Taint& taint : flavor.taints)
    if (flavor.taints_tolerated) all.push_back({taint.key, "Equal", taint.value, taint.effect, std::nullopt});
  return all;
}

std::optional<Pod> admitted(const Cluster& cluster, std::span<const std::uint32_t> flavors, Pod own) {
  std::map<std::string, std::string> added;
  for (const std::uint32_t f : flavors) {
    const Flavor& flavor = cluster.flavors[f];
    for (const auto& [key, value] : flavor.node_labels) added[key] = value;
    const auto given = tolerations_of(flavor);
    own.tolerations.insert(own.tolerations.end(), given.begin(), given.end());
  }
  for (const auto& [key, value] : added)
    if (const auto [at, fresh] = own.selector.emplace(key, value); !fresh && at->second != value) return std::nullopt;
  return own;
}

PlacementModel::PlacementModel(const Cluster& cluster) : cluster_(cluster) {
  for (std::uint32_t r = 0; r < cluster.resources.size(); ++r)
    if (cluster.resources[r] == "pods") pods_ = r;
}

std::uint32_t PlacementModel::add_nodes(std::uint32_t pool, std::int64_t count, const Amounts& allocatable) {
  const std::uint32_t first = size();
  for (std::int64_t i = 0; i < count; ++i) nodes_.push_back({pool, allocatable, false});
  return first;
}

void PlacementModel::lose(std::uint32_t node) { nodes_.at(node).lost = true; }

Filter PlacementModel::filter(std::uint32_t node, const Pod& pod) const {
  const Node& n = nodes_.at(node);
  const NodePool& pool = cluster_.node_pools.at(n.pool);
  if (n.lost) return Filter::Gone;
  if (!selects(pod.selector, pool.labels)) return Filter::NodeSelector;
  if (untolerated(pool.taints, pod.tolerations) != nullptr) return Filter::Taint;
  if (pods_ && n.free[*pods_] < 1 && !planted(Bug::ModelNodePodsForgotten)) return Filter::Pods;
  for (std::uint32_t r = 0; r < pod.requests.size(); ++r)
    if (r != pods_ && pod.requests[r] > 0 && pod.requests[r] > n.free[r]) return Filter::Resource;
  return Filter::Fits;
}

std::vector<std::uint32_t> PlacementModel::feasible(const Pod& pod) const {
  std::vector<std::uint32_t> fits;
  for (std::uint32_t node = 0; node < size(); ++node)
    if (filter(node, pod) == Filter::Fits) fits.push_back(node);
  return fits;
}

bool PlacementModel::place(std::uint32_t node, const Pod& pod) {
  if (filter(node, pod) != Filter::Fits) return false;
  put(node, pod);
  return true;
}

void PlacementModel::put(std::uint32_t node, const Pod& pod) {
  Node& n = nodes_.at(node);
  for (std::uint32_t r = 0; r < pod.requests.size(); ++r)
    if (r != pods_) n.free[r] -= pod.requests[r];
  if (pods_) --n.free[*pods_];
}

void PlacementModel::remove(std::uint32_t node, const Pod& pod) {
  Node& n = nodes_.at(node);
  for (std::uint32_t r = 0; r < pod.requests.size(); ++r)
    if (r != pods_) n.free[r] += pod.requests[r];
  if (pods_) ++n.free[*pods_];
}

}  // namespace gpol::nodes
