// Parts of the search for layouts (layouts.h): what is asked for and what there was, for the counts (layouts.cpp) and
// for the nodes (node_placement.cpp).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/plan/partition/arrangement.h"
#include "compiler/plan/partition/layouts.h"

namespace gpol {

// The model with only those profiles that are asked for, in its order.
struct Asked {
  Hardware hardware;
  ProfileCounts counts;
  std::vector<ProfileCounts> multisets, widest;  // widest: no other holds all of one and more
};

// How the devices were cut.
struct PreviousKind {
  ProfileCounts counts;
  std::vector<std::size_t> places;  // ascending
};
struct Previous {
  std::vector<DeviceLayout> devices;  // by place, sorted; empty: not cut
  std::vector<PreviousKind> kinds;    // those that may stay
};

bool part_of(const ProfileCounts& some, const ProfileCounts& all);
Previous previous_of(const Asked& asked, const LayoutQuestion& question);

struct Group {
  ProfileCounts counts;
  std::int64_t devices = 0;
};

// Devices that hold exactly `wanted`, one or more of each group. `cover`: how many devices take (a part of) each of
// Asked::widest.
std::vector<Group> exact(const Asked& asked, std::span<const std::int64_t> cover, const ProfileCounts& wanted);

// Every layout once; 0 is the empty one.
struct LayoutTable {
  using Key = std::vector<std::pair<std::string, std::int64_t>>;
  std::map<Key, LayoutId> ids{{Key{}, 0}};
  std::vector<DeviceLayout> layouts{DeviceLayout{}};

  LayoutId id(const DeviceLayout& layout) {
    Key key;
    for (const Instance& instance : layout) key.emplace_back(instance.profile, instance.start);
    const auto [found, fresh] = ids.emplace(std::move(key), static_cast<LayoutId>(layouts.size()));
    if (fresh) layouts.push_back(layout);
    return found->second;
  }
};

// What each device holds then.
struct PlacedDevices {
  std::vector<LayoutId> devices;  // by place
  LayoutTable table;
  bool enough_left = true;
};

// `values`: of each kind of device that there was how many change, then a cover for the others. `cover`: one that keeps
// nothing; it is taken where what was is in the way of what is relied on.
PlacedDevices placed_on_nodes(const Asked& asked, const LayoutQuestion& question, const Previous& previous,
                              std::span<const std::int64_t> values, std::span<const std::int64_t> cover);
std::int64_t devices_changed(const Asked& asked, const Previous& previous, const PlacedDevices& placed);

}  // namespace gpol
