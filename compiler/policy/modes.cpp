#include "compiler/policy/modes.h"

#include <algorithm>
#include <map>
#include <set>

namespace gpol {

namespace {

constexpr int kDay = 24 * 60;

bool on_day(Window::Days days, int day) {  // 0 is Monday
  switch (days) {
    case Window::Days::Daily:
      return true;
    case Window::Days::Weekdays:
      return day < 5;
    case Window::Days::Weekends:
      return day >= 5;
  }
  return true;
}

// A window past midnight belongs to the day on which it starts.
bool in_force(const Window& window, int day, int minute) {
  if (window.from < window.to) return on_day(window.days, day) && minute >= window.from && minute < window.to;
  const int yesterday = (day + 6) % 7;
  return (on_day(window.days, day) && minute >= window.from) || (on_day(window.days, yesterday) && minute < window.to);
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
    WindowSet now;
    for (const auto i : members)
      if (in_force(windows[i], (instant / kDay) % 7, instant % kDay)) now.push_back(i);
    found.insert(std::move(now));
  }
  return found;
}

}  // namespace

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
        std::sort(both.begin(), both.end());
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
