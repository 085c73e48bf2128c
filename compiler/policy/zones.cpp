#include "compiler/policy/zones.h"

#include <date/date.h>
#include <date/tz.h>

#include <chrono>
#include <sstream>
#include <stdexcept>

namespace gpol {

namespace {

std::optional<date::year_month_day> parsed(std::string_view text) {
  if (text.size() != 10) return std::nullopt;
  std::istringstream in{std::string(text)};
  date::year_month_day day;
  in >> date::parse("%F", day);
  if (in.fail() || !day.ok() || day.year() < date::year{1970}) return std::nullopt;  // a slip: no cluster is as old
  return day;
}

}  // namespace

ZoneFound find_zone(const std::string& name) {
  const date::tzdb* database = nullptr;
  try {
    database = &date::get_tzdb();
  } catch (const std::exception&) {
    return ZoneFound::NoDatabase;
  }
  if (database->zones.empty()) return ZoneFound::NoDatabase;
  try {
    date::locate_zone(name);
  } catch (const std::runtime_error&) {
    return ZoneFound::No;
  }
  return ZoneFound::Yes;
}

std::vector<std::string> zone_names() {
  std::vector<std::string> names;
  for (const date::time_zone& zone : date::get_tzdb().zones) names.push_back(zone.name());
  return names;
}

bool is_date(std::string_view text) { return parsed(text).has_value(); }

std::int64_t moment(const std::string& zone, std::string_view date, int minutes) {
  const auto day = parsed(date);
  if (!day) throw std::logic_error("not a date: " + std::string(date));
  const date::local_seconds local = date::local_days(*day) + std::chrono::minutes(minutes);
  const date::local_info info = date::locate_zone(zone)->get_info(local);
  // A time that the clock leaves out lies between the offsets before and after: the change itself stands for it.
  if (info.result == date::local_info::nonexistent) return info.first.end.time_since_epoch().count();
  return (local.time_since_epoch() - info.first.offset).count();
}

}  // namespace gpol
