#include "compiler/plan/partition/arrangement.h"
#include "compiler/source/lookup.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

namespace gpol {

namespace {

using Node = std::vector<LayoutId>;

constexpr LayoutId kOpen = UINT32_MAX;  // a device that is to be filled

// What is being filled: `left` are the new layouts that have no place yet.
struct Filling {
  std::size_t per_node = 1;
  std::vector<LayoutId> devices;
  std::vector<NewLayouts> left;
  std::vector<std::vector<std::size_t>> open;  // by node that has some: its places to fill, ascending
};

Filling filling_of(const DevicePlaces& places) {
  Filling out{places.per_node, places.devices, places.new_layouts, {}};
  for (std::size_t i = 0; i < places.to_fill.size(); ++i) {
    const std::size_t node = places.to_fill[i] / places.per_node;
    if (i == 0 || places.to_fill[i - 1] / places.per_node != node) out.open.emplace_back();
    out.open.back().push_back(places.to_fill[i]);
    out.devices[places.to_fill[i]] = kOpen;
  }
  return out;
}

// Of the nodes that have nothing to fill.
std::set<Node> kinds_of(const Filling& filling) {
  std::set<Node> out;
  for (std::size_t at = 0; at < filling.devices.size(); at += filling.per_node) {
    const auto node = std::span(filling.devices).subspan(at, filling.per_node);
    if (!contains(node, kOpen)) out.emplace(node.begin(), node.end());
  }
  return out;
}

// Fills the places of one node so that it is of this kind; false: what it has or what is left says otherwise.
bool become(Filling& filling, const std::vector<std::size_t>& open, const Node& kind) {
  const std::size_t first = open[0] / filling.per_node * filling.per_node;
  for (std::size_t i = 0; i < kind.size(); ++i)
    if (const LayoutId has = filling.devices[first + i]; has == kOpen ? kind[i] == 0 : has != kind[i]) return false;
  auto left = filling.left;
  for (const std::size_t place : open) {
    const auto from = std::ranges::find(left, kind[place - first], &NewLayouts::layout);
    if (from == left.end() || from->count-- == 0) return false;
  }
  filling.left = std::move(left);
  std::copy(kind.begin(), kind.end(), filling.devices.begin() + static_cast<std::ptrdiff_t>(first));
  return true;
}

// Nodes become as those are that nothing is done to, where they can.
void join_kinds(Filling& filling) {
  const auto kinds = kinds_of(filling);
  std::erase_if(filling.open, [&](const auto& open) {
    return std::ranges::any_of(kinds, [&](const Node& kind) { return become(filling, open, kind); });
  });
}

void sort_left(Filling& filling, bool rare_first) {
  std::erase_if(filling.left, [](const NewLayouts& one) { return one.count == 0; });
  std::ranges::stable_sort(filling.left, [&](const NewLayouts& a, const NewLayouts& b) {
    return rare_first ? a.count < b.count : a.count > b.count;
  });
}

void fill_in_order(Filling& filling, const std::vector<std::size_t>& places) {
  auto from = filling.left.begin();
  for (const std::size_t place : places) {
    while (from->count == 0) ++from;
    filling.devices[place] = from->layout;
    --from->count;
  }
}

// Of the nodes with fewer places than devices.
void fill_partial(Filling& filling) {
  std::vector<std::size_t> places;
  for (const auto& open : filling.open)
    if (open.size() < filling.per_node) places.insert(places.end(), open.begin(), open.end());
  fill_in_order(filling, places);
  std::erase_if(filling.open, [&](const auto& open) { return open.size() < filling.per_node; });
}

// Whole nodes, a device after the other; or the first device of each, then the second of each.
void fill_in_turn(Filling& filling, bool across) {
  const std::size_t nodes = filling.open.size();
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < nodes * filling.per_node; ++i)
    places.push_back(across ? filling.open[i % nodes][i / nodes]
                            : filling.open[i / filling.per_node][i % filling.per_node]);
  fill_in_order(filling, places);
}

// How many devices a node can have so that `nodes` of them are alike.
std::int64_t devices_alike(const Filling& filling, std::int64_t nodes) {
  std::int64_t out = 0;
  for (const NewLayouts& one : filling.left) out += one.count / nodes;
  return out;
}

// The most nodes that can be alike, of `nodes` that are filled with all that is left.
std::int64_t most_alike(const Filling& filling, std::int64_t nodes) {
  std::int64_t least = 1;
  while (least < nodes) {
    const std::int64_t middle = nodes - (nodes - least) / 2;
    if (devices_alike(filling, middle) >= static_cast<std::int64_t>(filling.per_node))
      least = middle;
    else
      nodes = middle - 1;
  }
  return least;
}

// Whole nodes: as many alike as there can be, then of those left likewise.
void fill_alike(Filling& filling) {
  for (std::size_t at = 0; at < filling.open.size();) {
    const auto nodes = most_alike(filling, static_cast<std::int64_t>(filling.open.size() - at));
    std::vector<std::int64_t> of_each;
    for (const NewLayouts& one : filling.left) of_each.push_back(one.count / nodes);
    for (auto over = devices_alike(filling, nodes) - static_cast<std::int64_t>(filling.per_node); over > 0; --over)
      --*std::ranges::max_element(of_each);
    for (const std::size_t end = at + static_cast<std::size_t>(nodes); at < end; ++at)
      for (std::size_t i = 0, of = 0; of < of_each.size(); ++of)
        for (std::int64_t k = 0; k < of_each[of]; ++k, ++i) {
          filling.devices[filling.open[at][i]] = filling.left[of].layout;
          --filling.left[of].count;
        }
  }
}

}  // namespace

std::vector<LayoutId> arranged(const DevicePlaces& places) {
  const Filling given = filling_of(places);
  std::vector<LayoutId> best;
  std::size_t fewest = SIZE_MAX;
  for (const bool join : {true, false})
    for (const bool rare_first : {true, false})
      for (const int way : {0, 1, 2}) {
        Filling filling = given;
        if (join) join_kinds(filling);
        sort_left(filling, rare_first);
        fill_partial(filling);
        sort_left(filling, false);
        if (way == 0)
          fill_alike(filling);
        else
          fill_in_turn(filling, way == 2);
        const std::size_t kinds = kinds_of(filling).size();
        if (kinds >= fewest) continue;
        fewest = kinds;
        best = std::move(filling.devices);
      }
  return best;
}

std::vector<LayoutId> dealt(const DevicePlaces& places) {
  const std::size_t nodes = places.devices.size() / places.per_node;
  std::vector<LayoutId> devices(places.devices.size(), 0);
  std::size_t next = 0;
  for (const NewLayouts& one : places.new_layouts)
    for (std::int64_t i = 0; i < one.count; ++i, ++next)
      devices[next % nodes * places.per_node + next / nodes] = one.layout;
  return devices;
}

}  // namespace gpol
