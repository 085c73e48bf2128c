#include "compiler/policy/mig_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

using Cut = std::uint32_t;  // the memory slices that are taken, a bit each

// All that can be taken once one more slice of the profile has found a start, each once.
std::vector<Cut> with_one_more(const std::vector<Cut>& cuts, const MigProfile& profile) {
  std::vector<Cut> out;
  std::vector<bool> known(std::size_t{1} << kMostMemorySlices);
  for (const Cut cut : cuts)
    for (const std::int64_t start : profile.starts) {
      const Cut own = ((Cut{1} << *profile.memory) - 1) << start;
      if ((cut & own) != 0 || known[cut | own]) continue;
      known[cut | own] = true;
      out.push_back(cut | own);
    }
  return out;
}

std::string joined(const std::vector<std::int64_t>& numbers) {
  std::string out;
  for (const std::int64_t n : numbers) add_to_list(out, std::to_string(n));
  return out;
}

// Of the profiles whose size and starts are known.
std::optional<std::string> no_start(const Hardware& hardware, const std::vector<Slices>& layout,
                                    const std::vector<Instance>& held) {
  std::vector<const MigProfile*> order;
  std::int64_t memory = 0;
  Cut taken = 0;
  for (const Instance& one : held) {
    const MigProfile* profile = profile_of(hardware, one.profile);
    if (!profile->memory) continue;
    memory += *profile->memory;
    const Cut own = ((Cut{1} << *profile->memory) - 1) << one.start;
    if ((taken & own) != 0) return fmt::format("`{}` at {} would stand over another", one.profile, one.start);
    taken |= own;
  }
  for (const Slices& slices : layout) {
    const MigProfile* profile = profile_of(hardware, slices.profile);
    if (!profile->memory || profile->starts.empty()) continue;
    memory = sum_of({memory, times(slices.count, *profile->memory)});
    order.insert(order.end(), static_cast<std::size_t>(std::min(slices.count, kMostMemorySlices + 1)), profile);
  }
  if (memory > hardware.memory_slices)
    return fmt::format("they take {} memory slices of {}", memory, hardware.memory_slices);
  std::vector<Cut> cuts{taken};
  for (const MigProfile* profile : order) {
    cuts = with_one_more(cuts, *profile);
    if (cuts.empty())
      return fmt::format("no place is left for `{}`, which may start only at {}", profile->name,
                         joined(profile->starts));
  }
  return std::nullopt;
}

}  // namespace

const MigProfile* profile_of(const Hardware& hardware, std::string_view name) {
  return find_by(hardware.profiles, name, &MigProfile::name);
}

std::string slices_in_words(const std::vector<Slices>& slices) {
  std::string list;
  for (const Slices& some : slices) add_to_list(list, fmt::format("{} x {}", some.count, some.profile));
  return list;
}

std::string drawn(const std::vector<Slices>& slices) {
  std::string text;
  for (const Slices& some : slices)
    for (std::int64_t i = 0; i < some.count; ++i) text += "[" + some.profile + "]";
  return text;
}

std::int64_t compute_of_node(const Partition& partition, std::int64_t devices) {
  if (!partition.device) return 0;
  if (partition.counted) {
    std::int64_t compute = partition.device->compute_slices;
    for (const MigProfile& profile : partition.device->profiles)  // where nobody is known to have seen it
      if (partition.device->compute_slices == 0)
        compute = std::max(compute, times(profile.most.value_or(1), profile.compute));
    return times(devices, compute);
  }
  std::int64_t sum = 0;
  for (const Slices& slices : partition.layout)
    if (const MigProfile* profile = profile_of(*partition.device, slices.profile))
      sum = sum_of({sum, times(slices.count, profile->compute)});
  return times(devices, sum);
}

std::int64_t share_of_slices(std::int64_t has, std::int64_t compute, std::int64_t all) {
  __extension__ using Wide = __int128;
  const Wide exact = all > 0 ? static_cast<Wide>(has) * compute / all : 0;
  return exact > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(exact);
}

std::optional<std::string> why_no_placement(const Hardware& hardware, const std::vector<Slices>& layout,
                                            const std::vector<Instance>& held) {
  std::int64_t compute = 0;
  std::map<std::string, std::int64_t> engines, counts;
  std::vector<Slices> all = layout;
  for (const Instance& one : held) all.push_back({one.profile, 1});
  for (const Slices& slices : all) {
    const MigProfile* profile = profile_of(hardware, slices.profile);
    std::int64_t& so_many = counts[slices.profile];
    so_many = sum_of({so_many, slices.count});
    if (profile->most && so_many > *profile->most)
      return fmt::format("a device holds at most {} of `{}`", *profile->most, profile->name);
    compute = sum_of({compute, times(slices.count, profile->compute)});
    for (const auto& [engine, count] : profile->engines)
      engines[engine] = sum_of({engines[engine], times(slices.count, count)});
  }
  if (hardware.compute_slices > 0 && compute > hardware.compute_slices)
    return fmt::format("they take {} compute slices of {}", compute, hardware.compute_slices);
  for (const auto& [engine, has] : hardware.engines)
    if (engines[engine] > has) return fmt::format("they take {} of its {} `{}` engines", engines[engine], has, engine);
  return no_start(hardware, layout, held);
}

}  // namespace gpol
