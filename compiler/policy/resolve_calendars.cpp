// Calendars, dates and time zones: that they exist.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/policy/zones.h"
#include "compiler/source/edit_distance.h"

namespace gpol {

std::optional<std::string> whole_date(Resolver& r, const ast::Date& written) {
  if (is_date(written.text)) return written.text;
  error(r, code::OutOfRange, written.span, fmt::format("`{}` is not a day", written.text),
        written.text.size() == 7 ? fmt::format("name the day, too: `{}-01`", written.text)
                                 : "write year, month and day of one that exists, from 1970 on: `2026-12-25`");
  return std::nullopt;
}

void month_or_day(Resolver& r, std::string_view written, Span span) {
  constexpr std::size_t kMonth = 7;  // of its letters
  if (const std::string first = std::string(written) + (written.size() == kMonth ? "-01" : ""); !is_date(first))
    error(r, code::OutOfRange, span,
          fmt::format("`{}` is not a {}", written, written.size() == kMonth ? "month" : "day"),
          "write one that exists, from 1970 on, as in `2026-10` or `2026-10-31`");
}

bool check_zone(Resolver& r, const ast::Name& zone) {
  const ZoneFound found = find_zone(zone.text);
  if (found == ZoneFound::NoDatabase)
    error(r, code::CannotRead, zone.span, "the time zone database of this machine cannot be read",
          "install it: `apt-get install tzdata`");
  if (found != ZoneFound::No) return found == ZoneFound::Yes;
  // Of an area that is known, cities that are written alike: a shared area makes no two of them alike.
  const auto names = zone_names();
  const auto area_of = [](std::string_view name) { return name.substr(0, std::min(name.rfind('/') + 1, name.size())); };
  const std::string_view written = zone.text, area = area_of(written);
  std::vector<std::string_view> known(names.begin(), names.end()), cities;
  for (const std::string_view name : known)
    if (!area.empty() && area_of(name) == area) cities.push_back(name.substr(area.size()));
  const bool far = !cities.empty() && !nearest(written.substr(area.size()), cities);
  std::string hint = far ? std::string() : suggested(r, zone.text, known);
  if (hint.empty()) hint = "write the `Area/City` of a large city in the same zone, such as `Europe/Zurich`";
  error(r, code::BadValue, zone.span, fmt::format("the time zone database has no `{}`", zone.text), std::move(hint));
  return false;
}

void resolve_calendars(Resolver& r) {
  for (std::size_t i = 0; i < r.policy.calendars.size(); ++i) {
    Calendar& made = r.policy.calendars[i];
    std::map<std::string_view, std::optional<Span>> first;
    for (const ast::Date& written : r.declared.calendars[i]->dates) {
      const auto day = whole_date(r, written);
      if (first_time(r, first[written.text], written.span, written.text) && day) made.dates.push_back(*day);
    }
    std::ranges::sort(made.dates);
  }
}

}  // namespace gpol
