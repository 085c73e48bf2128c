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

Anchors::Name Anchors::open(std::string_view name) {
  if (name.empty()) return {};
  Name result{std::string(name), ++places_};
  known_[result.name] = {result.place, std::nullopt};
  return result;
}

bool Anchors::close(const Name& name, const Node& node) {
  if (name.name.empty()) return true;
  if (!spend(node)) return false;
  Known& known = known_[name.name];
  if (known.place == name.place) known.node = node;  // else the name stands once more inside of it
  return true;
}

std::optional<Node> Anchors::copy(std::string_view name, int depth, Refusal& refusal) {
  const auto found = known_.find(std::string(name));
  if (found == known_.end())
    refusal = {"holds an alias, *" + std::string(name.substr(0, 80)) + ", of an anchor that is not above it"};
  else if (!found->second.node)
    refusal = {"holds an alias inside of what it stands for"};
  else if (!spend(*found->second.node))
    refusal = {"grows by more than 16 MiB through its aliases", true};
  else if (depth + depth_of(*found->second.node) > kDepthLimit)
    refusal = {kTooDeep, true};
  else
    return found->second.node;
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
