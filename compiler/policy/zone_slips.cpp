// What people write for a time zone: abbreviations, a city alone, small letters.
#include "compiler/policy/zones.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

// An abbreviation is no zone: it says nothing of the clock in the other half of the year, and several are used twice.
constexpr std::pair<std::string_view, std::string_view> kAbbreviations[] = {{"CET", "Europe/Berlin"},
                                                                            {"CEST", "Europe/Berlin"},
                                                                            {"MEZ", "Europe/Berlin"},
                                                                            {"MET", "Europe/Berlin"},
                                                                            {"WET", "Europe/Lisbon"},
                                                                            {"EET", "Europe/Helsinki"},
                                                                            {"BST", "Europe/London"},
                                                                            {"EST", "America/New_York"},
                                                                            {"EDT", "America/New_York"},
                                                                            {"ET", "America/New_York"},
                                                                            {"CST", "America/Chicago"},
                                                                            {"CDT", "America/Chicago"},
                                                                            {"MST", "America/Denver"},
                                                                            {"MDT", "America/Denver"},
                                                                            {"PST", "America/Los_Angeles"},
                                                                            {"PDT", "America/Los_Angeles"},
                                                                            {"PT", "America/Los_Angeles"},
                                                                            {"JST", "Asia/Tokyo"},
                                                                            {"IST", "Asia/Kolkata"},
                                                                            {"SGT", "Asia/Singapore"},
                                                                            {"AEST", "Australia/Sydney"},
                                                                            {"GMT", "UTC"},
                                                                            {"Z", "UTC"},
                                                                            {"Zulu", "UTC"}};

}  // namespace

std::string meant_zone(std::string_view written) {
  const std::string low = lowered(written.substr(0, 64));
  for (const auto& [abbreviation, zone] : kAbbreviations)
    if (lowered(abbreviation) == low) return std::string(zone);
  if (find_zone("UTC") != ZoneFound::Yes) return {};
  for (const std::string& name : zone_names()) {
    if (const std::string known = lowered(name); known == low || known.ends_with("/" + low)) return name;
  }
  return {};
}

}  // namespace gpol
