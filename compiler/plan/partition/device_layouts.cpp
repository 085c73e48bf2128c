#include "compiler/plan/partition/device_layouts.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace gpol {

namespace {

using Cut = std::uint32_t;  // the memory slices that are taken, a bit each

constexpr std::int64_t kMostTries = 20'000'000;  // of a start, when multisets are listed

Cut taken(const MigProfile& profile, std::int64_t start) { return ((Cut{1} << *profile.memory) - 1) << start; }

// Of the profile's starts those within the device, in order, each once.
std::vector<std::int64_t> starts_of(const Hardware& hardware, const MigProfile& profile) {
  std::vector<std::int64_t> out;
  for (const std::int64_t start : profile.starts)
    if (start >= 0 && start + *profile.memory <= hardware.memory_slices) out.push_back(start);
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// All but the starts.
bool within_the_device(const Hardware& hardware, const ProfileCounts& counts) {
  std::int64_t compute = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const MigProfile& profile = hardware.profiles[i];
    if (profile.most && counts[i] > *profile.most) return false;
    compute += counts[i] * profile.compute;
  }
  if (hardware.compute_slices > 0 && compute > hardware.compute_slices) return false;
  return std::ranges::all_of(hardware.engines, [&](const auto& has) {
    std::int64_t used = 0;
    for (std::size_t i = 0; i < counts.size(); ++i)
      for (const auto& [engine, count] : hardware.profiles[i].engines)
        if (engine == has.first) used += counts[i] * count;
    return used <= has.second;
  });
}

// The large ones first: what is left for the others then differs least.
std::vector<std::size_t> by_size(const Hardware& hardware) {
  std::vector<std::size_t> out(hardware.profiles.size());
  std::iota(out.begin(), out.end(), std::size_t{0});
  std::ranges::stable_sort(
      out, [&](std::size_t a, std::size_t b) { return hardware.profiles[a].memory > hardware.profiles[b].memory; });
  return out;
}

struct Listing {
  const Hardware& hardware;
  std::size_t most = 0;
  bool too_many = false;
  std::int64_t tries_left = kMostTries;
  std::vector<std::size_t> order = by_size(hardware);
  std::vector<std::vector<std::int64_t>> starts = {};  // by profile
  ProfileCounts counts = ProfileCounts(hardware.profiles.size());
  std::vector<ProfileCounts> multisets = {};
  DeviceLayout layout = {};
  std::vector<DeviceLayout> layouts = {};
};

Listing listing_of(const Hardware& hardware, std::size_t most) {
  Listing out{hardware, most};
  for (const MigProfile& profile : hardware.profiles) out.starts.push_back(starts_of(hardware, profile));
  return out;
}

// All that can be taken once one more instance of the profile has found a start, each once.
std::vector<Cut> with_one_more(Listing& listing, const std::vector<Cut>& cuts, std::size_t profile) {
  std::vector<Cut> out;
  for (const Cut cut : cuts)
    for (const std::int64_t start : listing.starts[profile])
      if (const Cut own = taken(listing.hardware.profiles[profile], start); (cut & own) == 0) out.push_back(cut | own);
  listing.tries_left -= static_cast<std::int64_t>(cuts.size() * listing.starts[profile].size());
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void list_multisets(Listing& listing, std::size_t at, std::vector<Cut> cuts) {
  if (listing.tries_left < 0) listing.too_many = true;
  if (listing.too_many) return;
  if (at == listing.order.size()) {
    if (listing.multisets.size() == listing.most) listing.too_many = true;
    listing.multisets.push_back(listing.counts);
    return;
  }
  const std::size_t profile = listing.order[at];
  while (!cuts.empty() && within_the_device(listing.hardware, listing.counts) && !listing.too_many) {
    list_multisets(listing, at + 1, cuts);
    cuts = with_one_more(listing, cuts, profile);
    ++listing.counts[profile];
  }
  listing.counts[profile] = 0;
}

void list_layouts(Listing& listing, std::int64_t at, std::int64_t free_from) {
  if (listing.too_many) return;
  if (at == listing.hardware.memory_slices) {
    if (listing.layouts.size() > listing.most) listing.too_many = true;
    listing.layouts.push_back(listing.layout);
    return;
  }
  list_layouts(listing, at + 1, free_from);
  if (at < free_from) return;
  for (std::size_t i = 0; i < listing.counts.size(); ++i) {
    if (!std::ranges::binary_search(listing.starts[i], at)) continue;
    ++listing.counts[i];
    listing.layout.push_back({listing.hardware.profiles[i].name, at});
    if (within_the_device(listing.hardware, listing.counts))
      list_layouts(listing, at + 1, at + *listing.hardware.profiles[i].memory);
    listing.layout.pop_back();
    --listing.counts[i];
  }
}

}  // namespace

const MigProfile* unknown_place(const Hardware& hardware) {
  for (const MigProfile& profile : hardware.profiles)
    if (hardware.memory_slices < 1 || hardware.memory_slices > kMostMemorySlices || !profile.memory ||
        *profile.memory < 1 || profile.starts.empty())
      return &profile;
  return nullptr;
}

std::optional<std::vector<DeviceLayout>> device_layouts(const Hardware& hardware, std::size_t most) {
  Listing listing = listing_of(hardware, most);
  list_layouts(listing, 0, 0);
  if (listing.too_many) return std::nullopt;
  listing.layouts.erase(listing.layouts.begin());  // the first is empty
  return std::move(listing.layouts);
}

std::optional<std::vector<ProfileCounts>> device_multisets(const Hardware& hardware, std::size_t most) {
  Listing listing = listing_of(hardware, most + 1);
  list_multisets(listing, 0, {0});
  if (listing.too_many) return std::nullopt;
  listing.multisets.erase(listing.multisets.begin());
  return std::move(listing.multisets);
}

std::vector<ProfileCounts> maximal(const std::vector<ProfileCounts>& all) {
  const std::set<ProfileCounts> known(all.begin(), all.end());
  std::vector<ProfileCounts> out;
  for (ProfileCounts counts : all) {
    const bool more = std::ranges::any_of(counts, [&](std::int64_t& count) {
      ++count;
      const bool found = known.contains(counts);
      --count;
      return found;
    });
    if (!more) out.push_back(std::move(counts));
  }
  return out;
}

std::optional<ProfileCounts> counts_of(const Hardware& hardware, const DeviceLayout& layout) {
  ProfileCounts out(hardware.profiles.size());
  for (const Instance& instance : layout) {
    const MigProfile* profile = profile_of(hardware, instance.profile);
    if (profile == nullptr) return std::nullopt;
    ++out[static_cast<std::size_t>(profile - hardware.profiles.data())];
  }
  return out;
}

bool has_legal_starts(const Hardware& hardware, const DeviceLayout& layout) {
  if (const auto counts = counts_of(hardware, layout); !counts || !within_the_device(hardware, *counts)) return false;
  Cut cut = 0;
  for (const Instance& instance : layout) {
    const MigProfile& profile = *profile_of(hardware, instance.profile);
    if (!std::ranges::binary_search(starts_of(hardware, profile), instance.start)) return false;
    if ((cut & taken(profile, instance.start)) != 0) return false;
    cut |= taken(profile, instance.start);
  }
  return true;
}

DeviceLayout placed(const Hardware& hardware, const ProfileCounts& counts) {
  struct Step {
    Cut cut = 0;
    std::size_t before = 0;  // of the level below
    std::int64_t start = 0;
  };
  std::vector<const MigProfile*> order;
  for (const std::size_t i : by_size(hardware))
    order.insert(order.end(), static_cast<std::size_t>(counts[i]), &hardware.profiles[i]);
  std::vector<std::vector<Step>> levels{{Step{}}};
  for (const MigProfile* profile : order) {
    std::set<Cut> known;
    std::vector<Step> next;
    for (std::size_t i = 0; i < levels.back().size(); ++i)
      for (const std::int64_t start : starts_of(hardware, *profile)) {
        const Cut cut = levels.back()[i].cut, own = taken(*profile, start);
        if ((cut & own) == 0 && known.insert(cut | own).second) next.push_back({cut | own, i, start});
      }
    levels.push_back(std::move(next));
  }
  DeviceLayout out;
  if (levels.back().empty()) return out;
  for (std::size_t level = order.size(), at = 0; level > 0; --level) {
    const Step& step = levels[level][at];
    out.push_back({order[level - 1]->name, step.start});
    at = step.before;
  }
  std::ranges::sort(out, {}, &Instance::start);
  return out;
}

}  // namespace gpol
