// Which sets of windows can be in force at the same moment. Windows of one time zone are compared minute by minute over
// a week of local time; windows of different zones shift against each other (daylight saving), so every combination of
// what each zone can show counts. In: a policy's windows. Out: the sets, each sorted, the empty one first, then in
// order of their windows; nothing when there are more than kMostModes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/policy/policy.h"

namespace gpol {

inline constexpr std::size_t kMostModes = 64;
using WindowSet = std::vector<std::uint32_t>;  // indices into Policy::windows, ascending

// Since when a window is in force at a minute of a day, 0 being Monday: one past midnight belongs to the day on which
// it starts.
enum class Since : std::uint8_t { Not, Today, Yesterday };
Since in_force(const Window& window, int day, int minute);

std::optional<std::vector<WindowSet>> window_modes(const std::vector<Window>& windows);

}  // namespace gpol
