// Windows: when in the day, on which days, in whose local time.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/policy/codes.h"
#include "compiler/policy/modes.h"
#include "compiler/policy/resolver.h"
#include "compiler/policy/zones.h"
#include "compiler/source/lookup.h"
#include "compiler/source/split.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

constexpr std::size_t kMostZones = 32;  // that are looked for among all that there are

bool zone_character(char c) { return is_alphanumeric(c) || c == '_' || c == '-' || c == '+'; }

// The shape of a name of the tz database, `Area/City` or deeper; check_zone() knows whether it exists.
bool looks_like_zone(std::string_view zone) {
  if (zone == "UTC") return true;
  const auto parts = split(zone, '/');
  return parts.size() >= 2 && std::ranges::all_of(parts, [](std::string_view part) {
           return !part.empty() && part[0] >= 'A' && part[0] <= 'Z' && std::ranges::all_of(part, zone_character);
         });
}

constexpr std::string_view kDays[] = {"daily", "weekdays", "weekends"};

// What people write for days.
std::string meant_days(std::string_view written) {
  constexpr std::pair<std::string_view, std::string_view> kMeant[] = {
      {"mon-fri", "weekdays"},  {"monday-friday", "weekdays"}, {"mo-fr", "weekdays"},
      {"workdays", "weekdays"}, {"sat-sun", "weekends"},       {"saturday-sunday", "weekends"},
      {"sa-so", "weekends"},    {"everyday", "daily"},         {"always", "daily"},
      {"mon-sun", "daily"},     {"monday-sunday", "daily"}};
  const std::string low = lowered(written.substr(0, 32));
  for (const auto& [word, days] : kMeant)
    if (low == word) return fmt::format("did you mean `{}`?", days);
  return choice_hint(written, kDays);
}

bool resolve_days(Resolver& r, const ast::Name& written, Window& window) {
  if (written.text == kDays[0]) {
    window.days = Window::Days::Daily;
  } else if (written.text == kDays[1]) {
    window.days = Window::Days::Weekdays;
  } else if (written.text == kDays[2]) {
    window.days = Window::Days::Weekends;
  } else {
    error(r, code::BadValue, written.span, fmt::format("`{}` is not a choice of days", written.text),
          meant_days(written.text));
    return false;
  }
  return true;
}

bool resolve_window(Resolver& r, const ast::Window& written, Window& window) {
  // Plan calls the state in which no window is in force `default`.
  bool sound = written.name.text != "default";
  if (!sound)
    error(r, code::BadValue, written.name.span, "`default` is the name of the time outside all windows",
          "give the window another name");
  // ... and one in which several are, by their names with this between.
  if (written.name.text.find("-and-") != std::string::npos) {
    error(r, code::BadValue, written.name.span,
          fmt::format("`{}` would be the name of several windows", written.name.text),
          "give the window a name without `-and-`");
    sound = false;
  }
  const auto from = time_of_day(r, written.from);
  const auto to = time_of_day(r, written.to);
  if (from && to && *from == *to) {
    error(r, code::OutOfRange, join(written.from.span, written.to.span),
          fmt::format("window `{}` ends when it starts", window.name),
          "state two different times; what holds all day needs no window");
    sound = false;
  }
  window.from = from.value_or(0);
  window.to = to.value_or(0);
  window.zone = written.zone.text;
  if (contains(kDays, written.zone.text) && looks_like_zone(written.days.text)) {
    const std::string mended = fmt::format("{} {}", written.days.text, written.zone.text);
    Diagnostic& swapped = error(r, code::BadValue, written.zone.span,
                                fmt::format("`{}` is not the name of a time zone", written.zone.text),
                                fmt::format("the zone stands before the days: `{}`", mended));
    swapped.edits.push_back({join(written.zone.span, written.days.span), mended});
    return false;
  }
  if (!looks_like_zone(window.zone)) {
    const std::string meant = r.suggestions++ < kMostZones ? meant_zone(window.zone) : std::string();
    error(r, code::BadValue, written.zone.span, fmt::format("`{}` is not the name of a time zone", written.zone.text),
          meant.empty() ? "write `Area/City`, such as `Europe/Zurich`, or `UTC`"
                        : fmt::format("did you mean `{}`?", meant));
    sound = false;
  } else {
    sound = check_zone(r, written.zone) && sound;
  }
  if (written.except) window.except = r.calendars.find(*written.except);
  return resolve_days(r, written.days, window) && sound && from && to;
}

}  // namespace

void resolve_windows(Resolver& r) {
  bool sound = true;
  for (std::size_t i = 0; i < r.policy.windows.size(); ++i)
    sound = resolve_window(r, *r.declared.windows[i], r.policy.windows[i]) && sound;
  if (sound && !window_modes(r.policy.windows))
    error(r, code::TooManyModes, r.policy.windows.front().span,
          fmt::format("the windows overlap in more than {} ways", kMostModes),
          "use fewer windows, or put them in one time zone");
}

}  // namespace gpol
