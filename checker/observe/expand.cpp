#include "checker/observe/expand.h"

#include <algorithm>
#include <ranges>

namespace gpol::manifest {
namespace {

std::size_t weight(const Node& node) {
  std::size_t sum = sizeof(Node) + node.text.size();
  for (const auto& item : node.items) sum += weight(item);
  for (const auto& entry : node.entries) sum += weight(entry.value) + entry.key.size() + sizeof(Entry) - sizeof(Node);
  return sum;
}

int depth_of(const Node& node) {
  int deepest = 0;
  for (const auto& item : node.items) deepest = std::max(deepest, depth_of(item));
  for (const auto& entry : node.entries) deepest = std::max(deepest, depth_of(entry.value));
  return deepest + (node.kind == Node::Kind::List || node.kind == Node::Kind::Map ? 1 : 0);
}

}  // namespace

bool Anchors::spend(const Node& node) {
  const auto cost = weight(node);
  if (cost > left_) return false;
  left_ -= cost;
  return true;
}

bool Anchors::close(std::size_t anchor, const Node& node) {
  if (!spend(node)) return false;
  nodes_[anchor] = node;
  return true;
}

std::optional<Node> Anchors::copy(std::size_t anchor, int depth, std::string& refused) {
  const auto found = nodes_.find(anchor);
  if (found == nodes_.end())
    refused = "holds an alias inside of what it stands for";
  else if (!spend(found->second))
    refused = "grows by more than 16 MiB through its aliases";
  else if (depth + depth_of(found->second) > kDepthLimit)
    refused = "holds more than 64 nested levels";
  else
    return found->second;
  return std::nullopt;
}

bool can_be_merged(const Node& value, bool alias) {
  if (value.kind == Node::Kind::Map) return true;
  return value.kind == Node::Kind::List && !alias &&
         std::ranges::all_of(value.items, [](const Node& item) { return item.kind == Node::Kind::Map; });
}

void apply_merges(Node& map, std::vector<Merge> merges) {
  std::vector<Entry> result;
  std::unordered_map<std::string, std::size_t> places;
  const auto set = [&](Entry&& entry) {
    const auto [place, added] = places.emplace(entry.key, result.size());
    if (added)
      result.push_back(std::move(entry));
    else
      result[place->second] = std::move(entry);
  };
  const auto set_all = [&](Node& from) {
    for (auto& entry : from.entries) set(std::move(entry));
  };
  auto merge = merges.begin();
  for (std::size_t i = 0; i <= map.entries.size(); ++i) {
    for (; merge != merges.end() && merge->at == i; ++merge) {
      set_all(merge->value);
      for (auto& item : merge->value.items | std::views::reverse) set_all(item);
    }
    if (i < map.entries.size()) set(std::move(map.entries[i]));
  }
  map.entries = std::move(result);
}

}  // namespace gpol::manifest
