#include "compiler/plan/partition/layouts.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "compiler/plan/partition/integer_program.h"
#include "compiler/plan/partition/layout_parts.h"
#include "compiler/policy/units.h"

namespace gpol {

namespace {

constexpr std::size_t kMostMultisets = 20'000;              // of one device
constexpr std::int64_t kMostDevices = 1'000'000;            // of a pool
constexpr std::int64_t kMostOfOne = std::int64_t{1} << 40;  // instances of a profile

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
    const auto widest = std::ranges::find_if(asked.widest, holds);
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
  const bool countable = std::ranges::all_of(asked.counts, [](std::int64_t count) { return count <= kMostOfOne; });
  IntegerSolution least;
  if (countable) least = solved(covering(asked), most_steps);
  no.exactly = least.state == IntegerSolution::State::Optimal;
  no.needed = std::max(no.needed, least.at_least);
  if (no.needed > no.devices) no.why = NoLayouts::Why::TooFewDevices;
  if (no.needed > no.devices || !no.exactly || no.devices > kMostDevices) return no;
  if (no.devices == 0) return Layouts{};
  const Previous previous = previous_of(asked, question);
  const IntegerSolution most_kept = solved(keeping(asked, previous, least.values), most_steps - least.steps);
  const PlacedDevices placed = placed_on_nodes(asked, question, previous, most_kept.values, least.values);
  Layouts out;
  out.kinds = nodes_alike(placed.devices, static_cast<std::size_t>(question.devices_per_node), placed.table);
  out.devices_cut = least.cost;
  out.devices_changed = devices_changed(asked, previous, placed);
  out.fewest_changes = question.lost == 0 && most_kept.state == IntegerSolution::State::Optimal;
  return out;
}

}  // namespace gpol
