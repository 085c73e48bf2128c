#include "emit/order.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>

namespace gpol {

namespace {

std::vector<std::size_t> indices(std::size_t count) {
  std::vector<std::size_t> list(count);
  std::iota(list.begin(), list.end(), std::size_t{0});
  return list;
}

int rank(const Intent& intent, std::size_t queue) {
  const auto kind = queue < intent.roles.size() ? intent.roles[queue].kind : QueueRole::Kind::None;
  return kind == QueueRole::Kind::Serving ? 0 : kind == QueueRole::Kind::Batch ? 2 : 1;
}

}  // namespace

std::vector<std::size_t> cohort_order(const Cluster& cluster) {
  const auto& cohorts = cluster.cohorts;
  auto by_name = [&](std::size_t a, std::size_t b) { return cohorts[a].name < cohorts[b].name; };
  std::map<std::string_view, std::vector<std::size_t>> children;  // by parent; "" and names without an object: roots
  std::map<std::string_view, std::size_t> known;
  for (std::size_t i = 0; i < cohorts.size(); ++i) known.emplace(cohorts[i].name, i);
  std::vector<std::size_t> order;
  order.reserve(cohorts.size());
  for (std::size_t i = 0; i < cohorts.size(); ++i) {
    if (known.contains(cohorts[i].parent)) {
      children[cohorts[i].parent].push_back(i);
    } else {
      order.push_back(i);
    }
  }
  std::ranges::sort(order, by_name);
  std::size_t level_begin = 0;
  while (level_begin < order.size()) {  // one level of the trees at a time
    const std::size_t level_end = order.size();
    for (std::size_t i = level_begin; i < level_end; ++i) {
      const auto below = children.find(cohorts[order[i]].name);
      if (below == children.end()) continue;
      order.insert(order.end(), below->second.begin(), below->second.end());
      children.erase(below);
    }
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(level_end), order.end(), by_name);
    level_begin = level_end;
  }
  // A policy cannot hold a cycle, but nothing may be lost if a caller's cluster does.
  for (const auto& [parent, left] : children) order.insert(order.end(), left.begin(), left.end());
  return order;
}

std::vector<std::size_t> queue_order(const Cluster& cluster, const Intent& intent) {
  std::vector<std::size_t> order = indices(cluster.queues.size());
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const int first = rank(intent, a), second = rank(intent, b);
    return first != second ? first < second : cluster.queues[a].name < cluster.queues[b].name;
  });
  return order;
}

}  // namespace gpol
