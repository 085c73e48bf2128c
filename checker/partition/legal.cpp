#include "checker/partition/legal.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"

namespace gpol::partition {

namespace {

// One more than any device has memory slices: so many can never stand side by side.
constexpr std::int64_t kMostInstances = kMostMemorySlices + 1;

std::string start_symbol(const std::string& profile, std::int64_t index) {
  return fmt::format("start {} {}", profile, index);
}

struct Stands {
  Term start;
  const MigProfile* profile;
};

Term apart(const Stands& a, const Stands& b) {
  return a.start + integer(*a.profile->memory) <= b.start || b.start + integer(*b.profile->memory) <= a.start;
}

}  // namespace

Formula layout_formula(const Hardware& device, const std::vector<Slices>& layout, const std::vector<Instance>& held) {
  Formula formula{"partition/layout", "no device of this model can be cut so", {}, boolean(true)};
  std::vector<Stands> all;
  Term compute = integer(0);
  std::map<std::string, Term> engines;
  std::map<std::string, std::int64_t> counts;
  const auto take = [&](const MigProfile& profile, std::int64_t count) {
    counts[profile.name] += count;
    compute = compute + count * integer(profile.compute);
    for (const auto& [engine, each] : profile.engines) {
      const auto [sum, fresh] = engines.try_emplace(engine, integer(0));
      sum->second = sum->second + count * integer(each);
    }
  };
  for (const Instance& one : held)
    if (const MigProfile* profile = profile_of(device, one.profile)) {
      all.push_back({integer(one.start), profile});
      take(*profile, 1);
    }
  // More than the memory slices that there are: nothing need be known of where they begin.
  Term memory = integer(0);
  std::int64_t least = 0;
  const auto occupy = [&](const std::string& name, std::int64_t count, bool stands) {
    const MigProfile* profile = profile_of(device, name);
    if (profile == nullptr || !profile->memory || (!stands && profile->starts.empty())) return;
    memory = memory + count * integer(*profile->memory);
    least = sum_of({least, times(count, *profile->memory)});
  };
  for (const Instance& one : held) occupy(one.profile, 1, true);
  for (const Slices& slices : layout) occupy(slices.profile, slices.count, false);
  if (least > device.memory_slices) {
    formula.facts.push_back({"memory slices", memory <= integer(device.memory_slices)});
    return formula;
  }
  for (const Slices& slices : layout) {
    const MigProfile* profile = profile_of(device, slices.profile);
    if (profile == nullptr) continue;
    take(*profile, slices.count);
    if (!profile->memory || profile->starts.empty()) continue;
    for (std::int64_t i = 0; i < std::min(slices.count, kMostInstances); ++i) {
      const Term start = int_symbol(start_symbol(slices.profile, i));
      std::vector<Term> starts;
      for (const std::int64_t at : profile->starts) starts.push_back(equal(start, integer(at)));
      formula.facts.push_back({fmt::format("starts of {} {}", slices.profile, i), any_of(std::move(starts))});
      all.push_back({start, profile});
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (all[i].profile->memory && all[j].profile->memory)
        formula.facts.push_back({fmt::format("apart {} {}", j, i), apart(all[j], all[i])});
  for (const auto& [name, count] : counts)
    if (const MigProfile* profile = profile_of(device, name); profile->most)
      formula.facts.push_back({"most of " + name, integer(count) <= integer(*profile->most)});
  if (device.compute_slices > 0) formula.facts.push_back({"compute slices", compute <= integer(device.compute_slices)});
  for (const auto& [engine, has] : device.engines)
    if (const auto sum = engines.find(engine); sum != engines.end())
      formula.facts.push_back({"engine " + engine, sum->second <= integer(has)});
  return formula;
}

std::vector<Instance> instances_of(const Answer& answer, const Hardware& device, const std::vector<Slices>& layout) {
  std::vector<Instance> all;
  for (const Slices& slices : layout) {
    const MigProfile* profile = profile_of(device, slices.profile);
    if (profile == nullptr || !profile->memory || profile->starts.empty()) continue;
    for (std::int64_t i = 0; i < std::min(slices.count, kMostInstances); ++i) {
      const auto at = answer.model.find(start_symbol(slices.profile, i));
      if (at == answer.model.end()) return {};
      all.push_back({slices.profile, at->second});
    }
  }
  return all;
}

bool stand(const Hardware& device, const std::vector<Instance>& instances) {
  std::vector<bool> taken(static_cast<std::size_t>(kMostMemorySlices), false);
  for (const Instance& one : instances) {
    const MigProfile* profile = profile_of(device, one.profile);
    if (profile == nullptr || !profile->memory) return false;
    if (!contains(profile->starts, one.start)) return false;
    for (std::int64_t s = one.start; s < one.start + *profile->memory; ++s) {
      if (s < 0 || s >= std::min(device.memory_slices, kMostMemorySlices) || taken[static_cast<std::size_t>(s)])
        return false;
      taken[static_cast<std::size_t>(s)] = true;
    }
  }
  return true;
}

}  // namespace gpol::partition
