// How one device can be cut. In: what is known of a model, whose starts and sizes are all known. Out: every legal set
// of instances at their starts; every multiset of profiles that has such starts; for one multiset, a witness. Legal:
// starts of the profile's list, no memory slice taken twice, no profile more often than it may stand, compute slices
// and engines within what the device has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/policy/mig_layout.h"

namespace gpol {

using DeviceLayout = std::vector<Instance>;       // by start; empty: the device is not cut
using ProfileCounts = std::vector<std::int64_t>;  // by Hardware::profiles

// The first profile of which somebody would have to say its size or its starts before it can be placed.
const MigProfile* unknown_place(const Hardware& hardware);

// All that are not empty, each once; nothing when there are more than `most`.
std::optional<std::vector<DeviceLayout>> device_layouts(const Hardware& hardware, std::size_t most);
// Likewise. Those of few instances may be part of those of many.
std::optional<std::vector<ProfileCounts>> device_multisets(const Hardware& hardware, std::size_t most);

// Those to which no instance can be added, of a list of all.
std::vector<ProfileCounts> maximal(const std::vector<ProfileCounts>& all);

// Nothing when a profile is none of the model.
std::optional<ProfileCounts> counts_of(const Hardware& hardware, const DeviceLayout& layout);
bool has_legal_starts(const Hardware& hardware, const DeviceLayout& layout);
// Starts for a multiset that has some: the large instances first, as far down as the others allow.
DeviceLayout placed(const Hardware& hardware, const ProfileCounts& counts);

}  // namespace gpol
