// The hours of the week in which two policies have other windows in force. In: the policies. Out: for each kind of week
// that there can be the minutes of each pair of sets of windows, that of before and that of after.
//
// A week is local time of the windows' zone. Windows of several zones shift against each other: then each shift that
// the time zone database knows of in the year 2030 makes a week of its own. So does each week in which a calendar names
// a day. The hour that is left out or shown twice where the clock is changed is not counted.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/policy/modes.h"

namespace gpol {

struct Week {
  std::string monday;  // "2026-12-21"; empty: a week in which no calendar names a day
  std::map<std::pair<WindowSet, WindowSet>, int> minutes;
};
std::vector<Week> weeks_of(const Policy& before, const Policy& after);

// What differs between the sides, and for how long: "for 7 hours a week" by the value of before and that of after. It
// is the most of all weeks; "up to" where they differ. Where `value` has none on some side nothing is said.
using ValueOf = std::function<std::optional<std::int64_t>(const WindowSet&)>;
std::map<std::pair<std::int64_t, std::int64_t>, std::string> hours_of_change(const std::vector<Week>& weeks,
                                                                             const ValueOf& was, const ValueOf& is);

}  // namespace gpol
