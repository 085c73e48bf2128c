#include "compiler/policy/zones.h"

#include <cctz/time_zone.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace gpol {

namespace {

namespace fs = std::filesystem;

// Where cctz reads, too (time_zone_info.cc: TZDIR, else this path).
fs::path directory() {
  const char* given = std::getenv("TZDIR");
  return given != nullptr && *given != '\0' ? given : "/usr/share/zoneinfo";
}

// "Europe/Zurich", not "../etc/passwd" or "file:x", nor one of the other calendars of tzdata ("right/" counts leap
// seconds).
bool could_name_zone(std::string_view name) {
  if (name.empty() || name.starts_with("posix/") || name.starts_with("right/")) return false;
  if (name == "posixrules" || name == "localtime" || name == "Factory") return false;
  if (name.front() == '/' || name.back() == '/') return false;
  return std::ranges::all_of(name, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '+' || c == '/';
  });
}

// RFC 8536: a file of tzdata begins with these four letters.
bool is_zone_file(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return false;
  std::ifstream in(path, std::ios::binary);
  char magic[4] = {};
  return in.read(magic, 4) && std::string_view(magic, 4) == "TZif";
}

}  // namespace

ZoneFound find_zone(const std::string& name) {
  if (!is_zone_file(directory() / "UTC")) return ZoneFound::NoDatabase;
  cctz::time_zone zone;
  if (!could_name_zone(name) || !is_zone_file(directory() / name) || !cctz::load_time_zone(name, &zone))
    return ZoneFound::No;
  return ZoneFound::Yes;
}

std::vector<std::string> zone_names() {
  std::vector<std::string> names;
  std::error_code failed;
  const fs::path root = directory();
  for (fs::recursive_directory_iterator i(root, failed), end; !failed && i != end; i.increment(failed)) {
    const std::string name = i->path().lexically_relative(root).string();
    if (could_name_zone(name) && is_zone_file(i->path())) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

int minutes_ahead(const std::string& zone, std::chrono::sys_days day) {
  cctz::time_zone found;
  cctz::load_time_zone(zone, &found);
  return found.lookup(std::chrono::system_clock::time_point(day)).offset / 60;
}

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  int number[3] = {0, 0, 0};
  for (std::size_t i = 0, part = 0; i < text.size(); ++i) {
    if (i == 4 || i == 7)
      ++part;
    else if (text[i] < '0' || text[i] > '9')
      return false;
    else
      number[part] = number[part] * 10 + (text[i] - '0');
  }
  const std::chrono::year_month_day day{std::chrono::year{number[0]},
                                        std::chrono::month{static_cast<unsigned>(number[1])},
                                        std::chrono::day{static_cast<unsigned>(number[2])}};
  return day.ok() && number[0] >= 1970;  // before, a slip: no cluster is as old
}

}  // namespace gpol
