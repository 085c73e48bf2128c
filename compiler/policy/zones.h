// Time zones and dates, by the tz database of the machine (the kept library cctz, which zones.cpp alone includes; in
// the directory TZDIR, else in /usr/share/zoneinfo). Local times that do not exist or exist twice: where the clock is
// set forward over a time, it stands for the moment of the change; where the clock is set back over it, for the first
// of the two.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpol {

enum class ZoneFound { Yes, No, NoDatabase };
ZoneFound find_zone(const std::string& name);
std::vector<std::string> zone_names();

// "2026-12-25": whether there is such a day, from 1970 on.
bool is_date(std::string_view text);

// Seconds since 1970 of a local time, minutes since midnight, on a day of a zone that exists.
std::int64_t moment(const std::string& zone, std::string_view date, int minutes);

// The zone that an abbreviation, a city alone or a name in small letters was meant to be; empty: none.
std::string meant_zone(std::string_view written);

}  // namespace gpol
