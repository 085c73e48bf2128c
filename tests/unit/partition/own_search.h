// For the tests of layouts: the models of the shipped catalogue, and a search of its own that knows neither linear
// programmes nor multisets. It takes its time: few devices, small counts.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "compiler/plan/partition/layouts.h"
#include "compiler/policy/catalogue.h"
#include "tests/unit/policy/policy_text.h"

namespace gpol::test {

inline const Hardware& model(std::string_view name) {
  static const Policy all = Resolved(std::string(shipped_hardware())).policy();
  for (const Hardware& hardware : all.hardware)
    if (hardware.name == name) return hardware;
  throw std::logic_error("no such model");
}

// The model with these profiles alone, by their places in the catalogue.
inline Hardware only(Hardware hardware, const std::vector<std::size_t>& places) {
  const auto all = std::exchange(hardware.profiles, {});
  for (const std::size_t place : places) hardware.profiles.push_back(all.at(place));
  return hardware;
}

inline bool legal(const Hardware& hardware, const DeviceLayout& layout) {
  std::vector<bool> taken(static_cast<std::size_t>(hardware.memory_slices));
  std::map<std::string, std::int64_t> used, engines;
  std::int64_t compute = 0, last = -1;
  for (const Instance& instance : layout) {
    const auto profile = std::find_if(hardware.profiles.begin(), hardware.profiles.end(),
                                      [&](const MigProfile& one) { return one.name == instance.profile; });
    if (profile == hardware.profiles.end() || instance.start <= last) return false;
    last = instance.start;
    if (std::count(profile->starts.begin(), profile->starts.end(), instance.start) == 0) return false;
    for (std::int64_t i = instance.start; i < instance.start + *profile->memory; ++i) {
      if (i >= hardware.memory_slices || taken[static_cast<std::size_t>(i)]) return false;
      taken[static_cast<std::size_t>(i)] = true;
    }
    if (++used[instance.profile] > profile->most.value_or(INT64_MAX)) return false;
    compute += profile->compute;
    for (const auto& [engine, count] : profile->engines) engines[engine] += count;
  }
  for (const auto& [engine, has] : hardware.engines)
    if (engines[engine] > has) return false;
  return hardware.compute_slices == 0 || compute <= hardware.compute_slices;
}

using Counts = std::vector<std::int64_t>;  // by profile of the model

struct InOrder {
  bool operator()(const DeviceLayout& a, const DeviceLayout& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
      return x.start != y.start ? x.start < y.start : x.profile < y.profile;
    });
  }
};

// What one device can hold: an instance at a time, anywhere.
inline std::set<Counts> held_by_one(const Hardware& hardware) {
  std::set<DeviceLayout, InOrder> seen{{}};
  std::set<Counts> out;
  for (std::vector<std::pair<DeviceLayout, Counts>> open{{{}, Counts(hardware.profiles.size())}}; !open.empty();) {
    const auto [layout, counts] = open.back();
    open.pop_back();
    out.insert(counts);
    for (std::size_t i = 0; i < hardware.profiles.size(); ++i)
      for (const std::int64_t start : hardware.profiles[i].starts) {
        auto more = layout;
        more.push_back({hardware.profiles[i].name, start});
        std::sort(more.begin(), more.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
        if (!legal(hardware, more) || !seen.insert(more).second) continue;
        auto one_more = counts;
        ++one_more[i];
        open.emplace_back(std::move(more), std::move(one_more));
      }
  }
  return out;
}

// The fewest devices for all counts up to `most` of each profile, from those for fewer.
struct Fewest {
  std::int64_t most = 0;
  std::vector<std::int64_t> devices;

  std::size_t index(const Counts& counts) const {
    std::size_t out = 0;
    for (const std::int64_t count : counts)
      out = out * static_cast<std::size_t>(most + 1) + static_cast<std::size_t>(count);
    return out;
  }
  std::int64_t at(const Counts& counts) const { return devices.at(index(counts)); }
};

inline Fewest fewest_of_all(const std::set<Counts>& held, std::size_t profiles, std::int64_t most) {
  Fewest out{most, {0}};
  std::vector<std::pair<Counts, std::size_t>> steps;
  for (const Counts& one : held)
    if (std::all_of(one.begin(), one.end(), [&](std::int64_t n) { return n <= most; }))
      steps.emplace_back(one, out.index(one));
  Counts counts(profiles);
  const auto next = [&] {  // the last profile turns fastest, as in index()
    for (std::size_t i = profiles; i-- > 0;)
      if (counts[i]++ < most)
        return true;
      else
        counts[i] = 0;
    return false;
  };
  while (next()) {
    std::int64_t fewest = INT64_MAX;
    for (const auto& [one, step] : steps)
      if (step > 0 && std::equal(one.begin(), one.end(), counts.begin(), std::less_equal<>()))
        fewest = std::min(fewest, out.devices[out.devices.size() - step] + 1);
    out.devices.push_back(fewest);
  }
  return out;
}

// --- what is asked and answered
inline std::vector<Slices> slices_of(const Hardware& hardware, const Counts& counts) {
  std::vector<Slices> out;
  for (std::size_t i = 0; i < counts.size(); ++i) out.push_back({hardware.profiles[i].name, counts[i]});
  return out;
}

inline std::vector<NodeLayout> by_node(const Layouts& layouts, std::int64_t nodes) {
  std::vector<NodeLayout> out(static_cast<std::size_t>(nodes));
  std::int64_t given = 0;
  for (const LaidOutNodes& alike : layouts.kinds)
    for (const std::int64_t node : alike.nodes) {
      out.at(static_cast<std::size_t>(node)) = alike.devices;
      ++given;
    }
  CHECK(given == nodes);
  return out;
}

// The multiset that a device holds; of one that is not cut it is empty.
inline std::multiset<std::string> held(const DeviceLayout& device) {
  std::multiset<std::string> out;
  for (const Instance& instance : device) out.insert(instance.profile);
  return out;
}

inline Layouts answered(const Hardware& hardware, const LayoutQuestion& question) {
  const LayoutAnswer answer = fewest_devices(hardware, question);
  REQUIRE(std::holds_alternative<Layouts>(answer));
  return std::get<Layouts>(answer);
}

// Legal, exactly what is asked, and what it says of itself is so. Gives the layouts by node.
inline std::vector<NodeLayout> checked(const Hardware& hardware, const LayoutQuestion& question,
                                       const Layouts& layouts) {
  auto nodes = by_node(layouts, question.nodes);
  std::map<std::string, std::int64_t> found, asked;
  for (const Slices& slices : question.counts)
    if (slices.count > 0) asked[slices.profile] += slices.count;
  std::int64_t cut = 0, changed = 0;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    REQUIRE(nodes[n].size() == static_cast<std::size_t>(question.devices_per_node));
    for (std::size_t i = 0; i < nodes[n].size(); ++i) {
      CHECK(legal(hardware, nodes[n][i]));
      cut += nodes[n][i].empty() ? 0 : 1;
      for (const Instance& instance : nodes[n][i]) ++found[instance.profile];
      const bool was = n < question.previous.size() && i < question.previous[n].size();
      changed += held(nodes[n][i]) == (was ? held(question.previous[n][i]) : held({})) ? 0 : 1;
    }
  }
  CHECK(found == asked);
  CHECK(cut == layouts.devices_cut);
  CHECK(changed == layouts.devices_changed);
  CHECK(layouts.fewest_changes);
  return nodes;
}

inline NoLayouts refused(const Hardware& hardware, const LayoutQuestion& question, std::int64_t steps = kLayoutSteps) {
  const LayoutAnswer answer = fewest_devices(hardware, question, steps);
  REQUIRE(std::holds_alternative<NoLayouts>(answer));
  return std::get<NoLayouts>(answer);
}

}  // namespace gpol::test
