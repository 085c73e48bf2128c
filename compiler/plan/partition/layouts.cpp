#include "compiler/plan/partition/layouts.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "compiler/plan/partition/arrangement.h"
#include "compiler/plan/partition/integer_program.h"
#include "compiler/plan/partition/loss_spread.h"
#include "compiler/policy/units.h"

namespace gpol {

namespace {

constexpr std::size_t kMostMultisets = 20'000;              // of one device
constexpr std::int64_t kMostDevices = 1'000'000;            // of a pool
constexpr std::int64_t kMostOfOne = std::int64_t{1} << 40;  // instances of a profile

// The model with only those profiles that are asked for, in its order.
struct Asked {
  Hardware hardware;
  ProfileCounts counts;
  std::vector<ProfileCounts> multisets, widest;  // widest: no other holds all of one and more
};

NoLayouts unknown(std::string profile) {
  NoLayouts out;
  out.why = NoLayouts::Why::UnknownPlace;
  out.profile = std::move(profile);
  return out;
}

std::variant<Asked, NoLayouts> asked_of(const Hardware& hardware, const std::vector<Slices>& counts) {
  std::map<std::string_view, std::int64_t> by_profile;
  for (const Slices& slices : counts) {
    if (slices.count <= 0) continue;
    if (profile_of(hardware, slices.profile) == nullptr) return unknown(slices.profile);
    auto& count = by_profile[slices.profile];
    count = sum_of({count, slices.count});
  }
  Asked out{hardware, {}, {}, {}};
  std::erase_if(out.hardware.profiles, [&](const MigProfile& profile) { return !by_profile.contains(profile.name); });
  for (const MigProfile& profile : out.hardware.profiles) out.counts.push_back(by_profile.at(profile.name));
  if (const MigProfile* profile = unknown_place(out.hardware)) return unknown(profile->name);
  return out;
}

// How many devices each profile needs alone; 0: not even one fits.
std::vector<Slices> alone(const Asked& asked) {
  std::vector<Slices> out;
  for (std::size_t i = 0; i < asked.counts.size(); ++i) {
    std::int64_t most = 0;
    for (const ProfileCounts& multiset : asked.widest) most = std::max(most, multiset[i]);
    out.push_back({asked.hardware.profiles[i].name, most == 0 ? 0 : (asked.counts[i] - 1) / most + 1});
  }
  return out;
}

// A variable for each widest multiset: how many devices hold all or a part of it.
IntegerProgram covering(const Asked& asked) {
  IntegerProgram out;
  out.costs.assign(asked.widest.size(), 1);
  for (std::size_t i = 0; i < asked.counts.size(); ++i) {
    IntegerConstraint enough{{}, asked.counts[i]};
    for (const ProfileCounts& multiset : asked.widest) enough.factors.push_back(multiset[i]);
    out.constraints.push_back(std::move(enough));
  }
  return out;
}

// --- what there was
struct PreviousKind {
  ProfileCounts counts;
  std::vector<std::size_t> places;  // ascending
};
struct Previous {
  std::vector<DeviceLayout> devices;  // by place, sorted; empty: not cut
  std::vector<PreviousKind> kinds;    // those that may stay
};

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
      std::sort(device.begin(), device.end(), [](const Instance& a, const Instance& b) { return a.start < b.start; });
      if (device.empty()) continue;
      const auto counts = counts_of(asked.hardware, device);
      if (counts && part_of(*counts, asked.counts)) kinds[*counts].push_back(place);
    }
  for (auto& [counts, places] : kinds)
    if (std::find(asked.multisets.begin(), asked.multisets.end(), counts) != asked.multisets.end())
      out.kinds.push_back({counts, std::move(places)});
  return out;
}

// --- covers and what is made of them
struct Group {
  ProfileCounts counts;
  std::int64_t devices = 0;
};

// Takes so many of a profile away: the same from every device of a group as long as it goes, from small groups first;
// what remains from some devices of one group.
void take_away(std::vector<Group>& groups, std::size_t profile, std::int64_t surplus) {
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.devices < b.devices; });
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

// Devices that hold exactly `wanted`, one or more of each group.
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

// A first answer for keeping(): a cover that keeps what it happens to have in common with what there was.
std::vector<std::int64_t> first_kept(const Asked& asked, const Previous& previous,
                                     const std::vector<std::int64_t>& cover) {
  std::vector<std::int64_t> changed, rest(asked.widest.size());
  std::vector<Group> groups = exact(asked, cover, asked.counts);
  for (const PreviousKind& kind : previous.kinds) {
    changed.push_back(static_cast<std::int64_t>(kind.places.size()));
    for (Group& group : groups)
      if (group.counts == kind.counts) {
        const std::int64_t stay = std::min(group.devices, changed.back());
        group.devices -= stay;
        changed.back() -= stay;
      }
  }
  for (const Group& group : groups) {
    const auto holds = [&](const ProfileCounts& multiset) { return part_of(group.counts, multiset); };
    const auto widest = std::find_if(asked.widest.begin(), asked.widest.end(), holds);
    rest[static_cast<std::size_t>(widest - asked.widest.begin())] += group.devices;
  }
  changed.insert(changed.end(), rest.begin(), rest.end());
  return changed;
}

// As covering(), on so many devices, where each kind of device that there was has a variable of its own, before the
// others: how many of them change.
IntegerProgram keeping(const Asked& asked, const Previous& previous, const std::vector<std::int64_t>& cover) {
  IntegerProgram out;
  const std::size_t kinds = previous.kinds.size(), all = kinds + asked.widest.size();
  out.known = first_kept(asked, previous, cover);
  out.costs.assign(all, 0);
  std::fill_n(out.costs.begin(), kinds, 1);
  IntegerConstraint no_more_devices{std::vector<std::int64_t>(all, -1), 0};
  for (const std::int64_t count : cover) no_more_devices.least -= count;
  for (std::size_t k = 0; k < kinds; ++k) {
    const auto there = static_cast<std::int64_t>(previous.kinds[k].places.size());
    no_more_devices.factors[k] = 1;
    no_more_devices.least += there;
    IntegerConstraint no_others{std::vector<std::int64_t>(all), -there};
    no_others.factors[k] = -1;
    out.constraints.push_back(std::move(no_others));
  }
  out.constraints.push_back(std::move(no_more_devices));
  for (std::size_t i = 0; i < asked.counts.size(); ++i) {
    IntegerConstraint enough{{}, asked.counts[i]}, not_more{std::vector<std::int64_t>(all), -asked.counts[i]};
    for (std::size_t k = 0; k < kinds; ++k) {
      const PreviousKind& kind = previous.kinds[k];
      const std::int64_t there = static_cast<std::int64_t>(kind.places.size()) * kind.counts[i];
      enough.factors.push_back(-kind.counts[i]);
      enough.least -= there;
      not_more.factors[k] = kind.counts[i];
      not_more.least += there;
    }
    for (const ProfileCounts& multiset : asked.widest) enough.factors.push_back(multiset[i]);
    out.constraints.push_back(std::move(enough));
    out.constraints.push_back(std::move(not_more));
  }
  return out;
}

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
  std::stable_partition(places.begin(), places.end(), [&](std::size_t place) { return cut[place / per_node]; });
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
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<LaidOutNodes> nodes_alike(const std::vector<LayoutId>& devices, std::size_t per_node,
                                      const LayoutTable& table) {
  std::map<std::vector<LayoutId>, std::size_t> known;
  std::vector<LaidOutNodes> out;
  for (std::size_t at = 0; at < devices.size(); at += per_node) {
    const auto node = std::span(devices).subspan(at, per_node);
    const auto [found, fresh] = known.emplace(std::vector<LayoutId>(node.begin(), node.end()), out.size());
    if (fresh) {
      out.emplace_back();
      for (const LayoutId id : node) out.back().devices.push_back(table.layouts[id]);
    }
    out[found->second].nodes.push_back(static_cast<std::int64_t>(at / per_node));
  }
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

struct Placed {
  std::vector<LayoutId> devices;  // by place
  LayoutTable table;
  bool enough_left = true;
};

Placed placed_on_nodes(const Asked& asked, const LayoutQuestion& question, const Previous& previous,
                       std::span<const std::int64_t> values) {
  const std::size_t kinds = previous.kinds.size();
  const auto changed = values.first(kinds);
  ProfileCounts wanted = asked.counts;
  for (std::size_t k = 0; k < kinds; ++k)
    for (std::size_t i = 0; i < wanted.size(); ++i)
      wanted[i] -=
          (static_cast<std::int64_t>(previous.kinds[k].places.size()) - changed[k]) * previous.kinds[k].counts[i];
  Placed out;
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
  if (question.lost == 0) return out;
  out.enough_left = left_after_loss(asked, question, previous, out.devices, out.table);
  if (none_stays)  // alike, whichever device of theirs holds what
    for (auto node = out.devices.begin(); node != out.devices.end();
         node += static_cast<std::ptrdiff_t>(places.per_node))
      std::sort(node, node + static_cast<std::ptrdiff_t>(places.per_node), std::greater<>());
  return out;
}

std::int64_t devices_changed(const Asked& asked, const Previous& previous, const Placed& placed) {
  std::int64_t changed = 0;
  for (std::size_t place = 0; place < placed.devices.size(); ++place)
    if (counts_of(asked.hardware, previous.devices[place]) !=
        counts_of(asked.hardware, placed.table.layouts[placed.devices[place]]))
      ++changed;
  return changed;
}

// What was is given up where it is in the way of what is relied on.
Placed least_changed(const Asked& asked, const LayoutQuestion& question, const Previous& previous,
                     std::span<const std::int64_t> kept_values, std::span<const std::int64_t> cover) {
  Placed out = placed_on_nodes(asked, question, previous, kept_values);
  if (out.enough_left || previous.kinds.empty()) return out;
  Placed anew = placed_on_nodes(asked, question, {std::vector<DeviceLayout>(previous.devices.size()), {}}, cover);
  return anew.enough_left ? std::move(anew) : std::move(out);
}

}  // namespace

LayoutAnswer fewest_devices(const Hardware& hardware, const LayoutQuestion& question, std::int64_t most_steps) {
  auto read = asked_of(hardware, question.counts);
  if (auto* why = std::get_if<NoLayouts>(&read)) return std::move(*why);
  Asked& asked = std::get<Asked>(read);
  NoLayouts no;
  no.devices = times(question.nodes, question.devices_per_node);
  no.exactly = false;
  auto multisets = device_multisets(asked.hardware, kMostMultisets);
  if (!multisets) return no;
  asked.multisets = std::move(*multisets);
  asked.widest = maximal(asked.multisets);
  no.alone = alone(asked);
  for (const Slices& slices : no.alone) {
    no.needed = std::max(no.needed, slices.count);
    if (slices.count > 0) continue;
    no.why = NoLayouts::Why::NeverFits;
    no.profile = slices.profile;
    return no;
  }
  no.each_fits_alone = no.needed <= no.devices;
  const bool countable =
      std::all_of(asked.counts.begin(), asked.counts.end(), [](std::int64_t count) { return count <= kMostOfOne; });
  IntegerSolution least;
  if (countable) least = solved(covering(asked), most_steps);
  no.exactly = least.state == IntegerSolution::State::Optimal;
  no.needed = std::max(no.needed, least.at_least);
  if (no.needed > no.devices) no.why = NoLayouts::Why::TooFewDevices;
  if (no.needed > no.devices || !no.exactly || no.devices > kMostDevices) return no;
  if (no.devices == 0) return Layouts{};
  const Previous previous = previous_of(asked, question);
  const IntegerSolution most_kept = solved(keeping(asked, previous, least.values), most_steps - least.steps);
  const Placed placed = least_changed(asked, question, previous, most_kept.values, least.values);
  Layouts out;
  out.kinds = nodes_alike(placed.devices, static_cast<std::size_t>(question.devices_per_node), placed.table);
  out.devices_cut = least.cost;
  out.devices_changed = devices_changed(asked, previous, placed);
  out.fewest_changes = most_kept.state == IntegerSolution::State::Optimal;
  return out;
}

}  // namespace gpol
