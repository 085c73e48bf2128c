#include "compiler/policy/modes.h"

#include <algorithm>
#include <map>
#include <set>

namespace gpol {

namespace {

constexpr int kDay = 24 * 60;

bool on_day(Window::Days days, int day) {  // 0 is Monday
  return days == Window::Days::Daily || (day < 5) == (days == Window::Days::Weekdays);
}

// A calendar may name any day: each that windows in force are excepted on, of the day on which they began, may be on or
// off. `found`: the sets that there can be.
void add_with_exceptions(const std::vector<Window>& windows, const std::vector<std::pair<std::uint32_t, Since>>& now,
                         std::set<WindowSet>& found) {
  std::set<std::pair<std::uint32_t, Since>> exceptions;  // calendars
  for (const auto& [window, since] : now)
    if (windows[window].except != kNone) exceptions.emplace(windows[window].except, since);
  const std::vector<std::pair<std::uint32_t, Since>> all(exceptions.begin(), exceptions.end());
  constexpr std::size_t kMostExceptions = 6;  // 64 sets, as many as there may be at all
  const std::size_t count = std::min(all.size(), kMostExceptions + 1);
  for (std::size_t off = 0; off < std::size_t{1} << count; ++off) {
    WindowSet set;
    for (const auto& [window, since] : now) {
      const auto at = std::ranges::find(all, std::pair(windows[window].except, since));
      const auto i = static_cast<std::size_t>(at - all.begin());
      if (at == all.end() || i >= count || (off >> i & 1U) == 0) set.push_back(window);
    }
    found.insert(std::move(set));
  }
}

std::set<WindowSet> modes_of_zone(const std::vector<Window>& windows, const std::vector<std::uint32_t>& members) {
  std::set<int> instants;  // sets change only where a window starts or ends, and at midnight
  for (int day = 0; day < 7; ++day) {
    instants.insert(day * kDay);
    for (const auto i : members) {
      instants.insert(day * kDay + windows[i].from);
      instants.insert(day * kDay + windows[i].to);
    }
  }
  std::set<WindowSet> found;
  for (const int instant : instants) {
    std::vector<std::pair<std::uint32_t, Since>> now;
    for (const auto i : members)
      if (const Since since = in_force(windows[i], (instant / kDay) % 7, instant % kDay); since != Since::Not)
        now.emplace_back(i, since);
    add_with_exceptions(windows, now, found);
  }
  return found;
}

}  // namespace

Since in_force(const Window& window, int day, int minute) {
  if (window.from < window.to)
    return on_day(window.days, day) && minute >= window.from && minute < window.to ? Since::Today : Since::Not;
  if (on_day(window.days, day) && minute >= window.from) return Since::Today;
  return on_day(window.days, (day + 6) % 7) && minute < window.to ? Since::Yesterday : Since::Not;
}

std::optional<std::vector<WindowSet>> window_modes(const std::vector<Window>& windows) {
  std::map<std::string, std::vector<std::uint32_t>> zones;
  for (std::uint32_t i = 0; i < windows.size(); ++i) zones[windows[i].zone].push_back(i);
  std::set<WindowSet> modes = {{}};
  for (const auto& [zone, members] : zones) {
    std::set<WindowSet> wider;
    for (const auto& here : modes_of_zone(windows, members))
      for (const auto& other : modes) {
        WindowSet both = other;
        both.insert(both.end(), here.begin(), here.end());
        std::ranges::sort(both);
        wider.insert(std::move(both));
        if (wider.size() > kMostModes) return std::nullopt;
      }
    modes = std::move(wider);
  }
  modes.insert(WindowSet{});  // the base: also while no window is in force, or before the first switch
  if (modes.size() > kMostModes) return std::nullopt;
  return std::vector<WindowSet>(modes.begin(), modes.end());
}

}  // namespace gpol
