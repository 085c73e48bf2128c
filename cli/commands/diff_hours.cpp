#include "cli/commands/diff_hours.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "cli/render/text.h"
#include "compiler/policy/zones.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

using std::chrono::days;
using std::chrono::sys_days;

constexpr int kDay = 24 * 60, kWeek = 7 * kDay;
constexpr int kYear = 2030;  // no zone is known to change its rules by then

sys_days day_of(const std::string& date) {
  return sys_days{std::chrono::year{std::stoi(date.substr(0, 4))} / std::stoi(date.substr(5, 2)) /
                  std::stoi(date.substr(8, 2))};
}
std::string date_of(sys_days day) {
  const std::chrono::year_month_day date{day};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}
sys_days monday_of(sys_days day) { return day - days{static_cast<int>(std::chrono::weekday{day}.iso_encoding()) - 1}; }

using Shifts = std::map<std::string, int>;  // by zone, how far its clock is ahead, in minutes
Shifts shifts_of(const std::set<std::string>& zones, sys_days monday) {
  Shifts shifts;
  for (const std::string& zone : zones) shifts[zone] = zones.size() > 1 ? minutes_ahead(zone, monday) : 0;
  return shifts;
}

// Whether a window is in force at a minute of the week that begins on this Monday.
bool in_force(const Policy& policy, const Window& window, int minute, const std::optional<sys_days>& monday) {
  const int day = (minute + kWeek) / kDay - 7;  // it may be one of the weeks beside it
  const Since since = in_force(window, (day + 7) % 7, (minute + kWeek) % kDay);
  if (since == Since::Not || !monday || window.except == kNone) return since != Since::Not;
  const int began = since == Since::Today ? day : day - 1;
  return !contains(policy.calendars[window.except].dates, date_of(*monday + days{began}));
}

WindowSet windows_at(const Policy& policy, int minute, const Shifts& shifts, const std::optional<sys_days>& monday) {
  WindowSet set;
  for (std::uint32_t w = 0; w < policy.windows.size(); ++w)
    if (in_force(policy, policy.windows[w], minute + shifts.at(policy.windows[w].zone), monday)) set.push_back(w);
  return set;
}

std::string duration(int minutes) {
  return minutes % 60 == 0 ? plural(static_cast<std::size_t>(minutes / 60), "hour")
                           : fmt::format("{}h {}min", minutes / 60, minutes % 60);
}

}  // namespace

std::vector<Week> weeks_of(const Policy& before, const Policy& after) {
  std::set<std::string> zones;
  std::set<sys_days> named;
  for (const Policy* side : {&before, &after})
    for (const Window& window : side->windows) {
      zones.insert(window.zone);
      if (window.except == kNone) continue;
      for (const std::string& date : side->calendars[window.except].dates)
        for (const days later : {days{0}, days{1}})  // a night may end in the week after
          named.insert(monday_of(day_of(date) + later));
    }
  std::set<std::pair<std::optional<sys_days>, Shifts>> kinds;
  for (sys_days day = sys_days{std::chrono::year{kYear} / 1 / 1}; day < sys_days{std::chrono::year{kYear + 1} / 1 / 1};
       day += days{7})
    kinds.emplace(std::nullopt, shifts_of(zones, day));
  for (const sys_days monday : named) kinds.emplace(monday, shifts_of(zones, monday));

  std::vector<Week> weeks;
  for (const auto& [monday, shifts] : kinds) {
    std::set<int> cuts{0, kWeek};  // what is in force changes there alone
    for (const Policy* side : {&before, &after})
      for (const Window& window : side->windows)
        for (int day = -1; day <= 8; ++day)
          for (const int minute : {0, window.from, window.to})
            cuts.insert(std::clamp(day * kDay + minute - shifts.at(window.zone), 0, kWeek));
    Week week{monday ? date_of(*monday) : "", {}};
    for (auto at = cuts.begin(); std::next(at) != cuts.end(); ++at)
      week.minutes[{windows_at(before, *at, shifts, monday), windows_at(after, *at, shifts, monday)}] +=
          *std::next(at) - *at;
    weeks.push_back(std::move(week));
  }
  return weeks;
}

std::map<std::pair<std::int64_t, std::int64_t>, std::string> hours_of_change(const std::vector<Week>& weeks,
                                                                             const ValueOf& was, const ValueOf& is) {
  std::vector<std::map<std::pair<std::int64_t, std::int64_t>, int>> each;
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> texts;
  for (const Week& week : weeks) {
    auto& minutes = each.emplace_back();
    for (const auto& [sets, count] : week.minutes)
      if (const auto old = was(sets.first), now = is(sets.second); old && now && *old != *now)
        texts[{*old, *now}], minutes[{*old, *now}] += count;
  }
  for (auto& [change, text] : texts) {
    int usual = 0;  // in weeks in which no calendar names a day: they stand first
    std::size_t longest = 0;
    bool differ = false;
    for (std::size_t w = 0; w < weeks.size(); ++w) {
      if (each[w][change] > each[longest][change]) longest = w;
      if (!weeks[w].monday.empty()) continue;
      differ = differ || each[w][change] != each[0][change];
      usual = std::max(usual, each[w][change]);
    }
    const std::string &monday = weeks[longest].monday, there = duration(each[longest][change]);
    text = usual == 0 ? fmt::format("for {} of the week of {}", there, monday)
                      : fmt::format("for {}{} a week", differ ? "up to " : "", duration(usual)) +
                            (monday.empty() ? "" : fmt::format(" ({} in that of {})", there, monday));
  }
  return texts;
}

}  // namespace gpol
