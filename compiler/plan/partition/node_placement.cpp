#include "compiler/plan/partition/layout_parts.h"

#include <algorithm>
#include <functional>

#include "compiler/plan/partition/loss_spread.h"
#include "compiler/source/lookup.h"

namespace gpol {

bool part_of(const ProfileCounts& some, const ProfileCounts& all) {
  return std::equal(some.begin(), some.end(), all.begin(), std::less_equal<>());
}

Previous previous_of(const Asked& asked, const LayoutQuestion& question) {
  Previous out;
  const auto per_node = static_cast<std::size_t>(question.devices_per_node);
  out.devices.resize(static_cast<std::size_t>(question.nodes) * per_node);
  std::map<ProfileCounts, std::vector<std::size_t>> kinds;
  for (std::size_t node = 0; node < question.previous.size() && node * per_node < out.devices.size(); ++node)
    for (std::size_t i = 0; i < std::min(question.previous[node].size(), per_node); ++i) {
      const std::size_t place = node * per_node + i;
      out.devices[place] = question.previous[node][i];
      auto& device = out.devices[place];
      std::ranges::sort(device, {}, &Instance::start);
      if (device.empty()) continue;
      const auto counts = counts_of(asked.hardware, device);
      if (counts && part_of(*counts, asked.counts)) kinds[*counts].push_back(place);
    }
  for (auto& [counts, places] : kinds)
    if (contains(asked.multisets, counts)) out.kinds.push_back({counts, std::move(places)});
  return out;
}

namespace {

// Takes so many of a profile away: the same from every device of a group as long as it goes, from small groups first;
// what remains from some devices of one group.
void take_away(std::vector<Group>& groups, std::size_t profile, std::int64_t surplus) {
  std::ranges::stable_sort(groups, {}, &Group::devices);
  for (Group& group : groups) {
    const std::int64_t each = std::min(group.counts[profile], surplus / group.devices);
    group.counts[profile] -= each;
    surplus -= each * group.devices;
  }
  for (std::size_t g = 0; surplus > 0 && g < groups.size(); ++g) {
    if (groups[g].counts[profile] == 0) continue;
    Group fewer{groups[g].counts, std::min(surplus, groups[g].devices)};
    --fewer.counts[profile];
    surplus -= fewer.devices;
    groups[g].devices -= fewer.devices;
    groups.push_back(std::move(fewer));
  }
  std::erase_if(groups, [](const Group& group) { return group.devices == 0; });
}

// The starts that a device of the same counts already has, where they are legal.
DeviceLayout witness(const Asked& asked, const Previous& previous, const ProfileCounts& counts) {
  for (const PreviousKind& kind : previous.kinds)
    if (kind.counts == counts)
      for (const std::size_t place : kind.places)
        if (has_legal_starts(asked.hardware, previous.devices[place])) return previous.devices[place];
  return placed(asked.hardware, counts);
}

// --- where they go
struct Kept {
  std::vector<LayoutId> devices;   // by place
  std::vector<std::size_t> freed;  // places that were cut and change, ascending
};

// Of a kind the first devices stay: those that change are then on few nodes.
Kept kept(const Asked& asked, const Previous& previous, std::span<const std::int64_t> changed, LayoutTable& table) {
  Kept out;
  out.devices.assign(previous.devices.size(), 0);
  for (std::size_t k = 0; k < previous.kinds.size(); ++k) {
    const PreviousKind& kind = previous.kinds[k];
    const DeviceLayout legal = witness(asked, previous, kind.counts);
    for (std::size_t i = 0; i + static_cast<std::size_t>(changed[k]) < kind.places.size(); ++i) {
      const DeviceLayout& was = previous.devices[kind.places[i]];
      out.devices[kind.places[i]] = table.id(has_legal_starts(asked.hardware, was) ? was : legal);
    }
  }
  for (std::size_t place = 0; place < previous.devices.size(); ++place)
    if (!previous.devices[place].empty() && out.devices[place] == 0) out.freed.push_back(place);
  return out;
}

// The first `count` of them, those of nodes that have a cut device before the others.
std::vector<std::size_t> first_of(std::vector<std::size_t> places, std::size_t count, const std::vector<bool>& cut,
                                  std::size_t per_node) {
  std::ranges::stable_partition(places, [&](std::size_t place) { return cut[place / per_node]; });
  if (places.size() > count) places.resize(count);
  return places;
}

// Freed places before those that were whole: fewer devices change then.
std::vector<std::size_t> places_for(std::size_t count, const Kept& kept, const Previous& previous,
                                    std::size_t per_node) {
  std::vector<bool> cut(kept.devices.size() / per_node);
  for (std::size_t place = 0; place < kept.devices.size(); ++place)
    if (kept.devices[place] != 0) cut[place / per_node] = true;
  std::vector<std::size_t> out = first_of(kept.freed, count, cut, per_node), whole;
  for (const std::size_t place : out) cut[place / per_node] = true;
  for (std::size_t place = 0; place < previous.devices.size(); ++place)
    if (previous.devices[place].empty()) whole.push_back(place);
  const auto more = first_of(std::move(whole), count - out.size(), cut, per_node);
  out.insert(out.end(), more.begin(), more.end());
  std::ranges::sort(out);
  return out;
}

// --- what is left when nodes are lost
LossQuestion loss_of(const Asked& asked, const LayoutQuestion& question) {
  LossQuestion out{static_cast<std::size_t>(question.devices_per_node), question.lost, asked.counts, asked.multisets};
  for (const Slices& slices : question.relied_on)
    for (std::size_t i = 0; i < asked.counts.size(); ++i)
      if (asked.hardware.profiles[i].name == slices.profile)
        out.may_go[i] = std::max<std::int64_t>(0, out.may_go[i] - slices.count);
  return out;
}

// Instances go to other nodes as far as that is needed; devices that hold what they held stay. False: not enough is
// left.
bool left_after_loss(const Asked& asked, const LayoutQuestion& question, const Previous& previous,
                     std::vector<LayoutId>& devices, LayoutTable& table) {
  std::vector<ProfileCounts> holds;
  for (const LayoutId id : devices) holds.push_back(*counts_of(asked.hardware, table.layouts[id]));
  const std::vector<ProfileCounts> held = holds;
  const bool enough = spread_for_loss(holds, loss_of(asked, question));
  for (std::size_t place = 0; place < holds.size(); ++place)
    if (holds[place] != held[place]) devices[place] = table.id(witness(asked, previous, holds[place]));
  return enough;
}

PlacedDevices on_nodes(const Asked& asked, const LayoutQuestion& question, const Previous& previous,
                       std::span<const std::int64_t> values, bool look_at_loss = true) {
  const std::size_t kinds = previous.kinds.size();
  const auto changed = values.first(kinds);
  ProfileCounts wanted = asked.counts;
  for (std::size_t k = 0; k < kinds; ++k)
    for (std::size_t i = 0; i < wanted.size(); ++i)
      wanted[i] -=
          (static_cast<std::int64_t>(previous.kinds[k].places.size()) - changed[k]) * previous.kinds[k].counts[i];
  PlacedDevices out;
  const Kept stay = kept(asked, previous, changed, out.table);
  DevicePlaces places{static_cast<std::size_t>(question.devices_per_node), stay.devices, {}, {}};
  std::int64_t fresh = 0;
  for (const Group& group : exact(asked, values.subspan(kinds), wanted)) {
    places.new_layouts.push_back({out.table.id(witness(asked, previous, group.counts)), group.devices});
    fresh += group.devices;
  }
  places.to_fill = places_for(static_cast<std::size_t>(fresh), stay, previous, places.per_node);
  const bool none_stays = kinds == 0;
  out.devices = question.lost > 0 && none_stays ? dealt(places) : arranged(places);
  if (question.lost == 0 || !look_at_loss) return out;
  out.enough_left = left_after_loss(asked, question, previous, out.devices, out.table);
  if (none_stays)  // alike, whichever device of theirs holds what
    for (auto node = out.devices.begin(); node != out.devices.end();
         node += static_cast<std::ptrdiff_t>(places.per_node))
      std::sort(node, node + static_cast<std::ptrdiff_t>(places.per_node), std::greater<>());
  return out;
}

}  // namespace

std::vector<Group> exact(const Asked& asked, std::span<const std::int64_t> cover, const ProfileCounts& wanted) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < cover.size(); ++i)
    if (cover[i] > 0) groups.push_back({asked.widest[i], cover[i]});
  for (std::size_t profile = 0; profile < wanted.size(); ++profile) {
    std::int64_t surplus = -wanted[profile];
    for (const Group& group : groups) surplus += group.devices * group.counts[profile];
    take_away(groups, profile, surplus);
  }
  std::map<ProfileCounts, std::int64_t, std::greater<>> merged;
  for (const Group& group : groups) merged[group.counts] += group.devices;
  groups.clear();
  for (const auto& [counts, devices] : merged) groups.push_back({counts, devices});
  return groups;
}

PlacedDevices placed_on_nodes(const Asked& asked, const LayoutQuestion& question, const Previous& previous,
                              std::span<const std::int64_t> values, std::span<const std::int64_t> cover) {
  PlacedDevices out = on_nodes(asked, question, previous, values);
  if (out.enough_left || previous.kinds.empty()) return out;
  PlacedDevices anew = on_nodes(asked, question, {std::vector<DeviceLayout>(previous.devices.size()), {}}, cover);
  // Nothing is enough: then what was stays.
  return anew.enough_left ? std::move(anew) : on_nodes(asked, question, previous, values, false);
}

std::int64_t devices_changed(const Asked& asked, const Previous& previous, const PlacedDevices& placed) {
  std::int64_t changed = 0;
  for (std::size_t place = 0; place < placed.devices.size(); ++place)
    if (counts_of(asked.hardware, previous.devices[place]) !=
        counts_of(asked.hardware, placed.table.layouts[placed.devices[place]]))
      ++changed;
  return changed;
}

}  // namespace gpol
