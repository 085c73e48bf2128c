// Whether a device can be cut into a layout. In: what is known of the model, how many slices of which profile, and what
// instances it holds already beside those, which never move. Out: why there is no legal placement, or nothing; where
// starts or sizes are not known, nothing is said of them. The rules: no profile more often than it may stand, compute
// slices and engines within what the device has, and a start for every slice such that no two overlap (an exhaustive
// search: a device has few memory slices).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/policy/vocabulary.h"

namespace gpol {

inline constexpr std::int64_t kMostMemorySlices = 16;

const MigProfile* profile_of(const Hardware& hardware, std::string_view name);

std::string slices_in_words(const std::vector<Slices>& slices);  // "1 x 3g.40gb, 4 x 1g.10gb"
std::string drawn(const std::vector<Slices>& slices);            // "[3g.40gb][1g.10gb][1g.10gb]"; of none: empty

// The compute slices among which the cpu and memory of a node with so many devices are divided: those that a layout
// takes; where the layout is worked out all that the devices have, since no node's slices take more.
std::int64_t compute_of_node(const Partition& partition, std::int64_t devices);

// What goes with slices that take `compute` of them, of an amount that the node has; rounded down, so that the parts of
// one node are together never more than it has.
std::int64_t share_of_slices(std::int64_t has, std::int64_t compute, std::int64_t all);

// Every profile is one of the model, every count above 0; what is held begins at one of its starts.
std::optional<std::string> why_no_placement(const Hardware& hardware, const std::vector<Slices>& layout,
                                            const std::vector<Instance>& held = {});

}  // namespace gpol
