#include "checker/observe/problems.h"

#include <algorithm>

#include "compiler/source/utf8.h"

namespace gpol::manifest {

constexpr int kProblemsPerFile = 100;

void Problems::enter(Place place) { place_ = std::move(place); }

void Problems::add(std::string field, std::string what, int line) {
  add_at(place_, std::move(field), std::move(what), line);
}

void Problems::add(std::string field, std::string what, const Node& at, Trouble trouble) {
  Place place = place_;
  if (at.file != kNoFile) place.first_line = 1;  // its line is one of the file that its span names
  add_at(place, std::move(field), std::move(what), at.line, place_.span(at), trouble);
}

void Problems::add_at(const Place& place, std::string field, std::string what, int line, Span span, Trouble trouble) {
  if (place.file != counted_file_) {
    counted_file_ = place.file;
    count_ = 0;
  }
  if (++count_ > kProblemsPerFile + 1) return;
  if (count_ == kProblemsPerFile + 1) {
    list_.push_back({place.file, "", "has more problems than are listed", place.document, 0, span, false});
    return;
  }
  const int in_file = line > 0 ? place.first_line + line - 1 : place.first_line;
  list_.push_back(
      {place.file, std::move(field), std::move(what), place.document, in_file, span, trouble == Trouble::NotModelled});
}

std::string shown(std::string_view text) {
  constexpr std::size_t limit = 80;
  std::string result = "`";
  std::size_t end = std::min(text.size(), limit);
  while (end < text.size() && end > 0 && !starts_code_point(text[end])) --end;
  for (const char c : text.substr(0, end)) result.push_back(static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
  if (end < text.size()) result += "...";
  return result + "`";
}

void append_key(std::string& path, std::string_view key) {
  constexpr std::size_t kMost = 120;
  if (key.find_first_of("./[] ") != std::string_view::npos) {
    path.append("[").append(key.substr(0, kMost)).append("]");
    return;
  }
  if (!path.empty()) path.push_back('.');
  path.append(key.substr(0, kMost));
}

}  // namespace gpol::manifest
