// Time zones and dates, by the tz database of the machine (the kept library cctz, which zones.cpp alone includes; in
// the directory TZDIR, else in /usr/share/zoneinfo).
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace gpol {

enum class ZoneFound { Yes, No, NoDatabase };
ZoneFound find_zone(const std::string& name);
std::vector<std::string> zone_names();

// By how many minutes the clock of a zone that exists is ahead of UTC when this day begins in UTC.
int minutes_ahead(const std::string& zone, std::chrono::sys_days day);

// "2026-12-25": whether there is such a day, from 1970 on.
bool is_date(std::string_view text);

// The zone that an abbreviation, a city alone or a name in small letters was meant to be; empty: none.
std::string meant_zone(std::string_view written);

}  // namespace gpol
