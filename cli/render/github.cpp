// Workflow commands of GitHub Actions: `::error file=...,line=...::message`. A step shows 10 errors and 10 warnings;
// its escapes are those of actions/toolkit, packages/core/src/command.ts.
#include <fmt/format.h>

#include <ostream>

#include "cli/render/annotations.h"
#include "cli/render/text.h"

namespace gpol {

namespace {

constexpr std::size_t kMost = 10;

std::string data(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '%' ? "%25" : c == '\r' ? "%0D" : c == '\n' ? "%0A" : std::string(1, c);
  return out;
}

std::string property(const std::string& text) {
  std::string out;
  for (const char c : data(text)) out += c == ':' ? "%3A" : c == ',' ? "%2C" : std::string(1, c);
  return out;
}

void print(std::string_view word, const Annotation& one, std::ostream& out) {
  std::string file = printable(one.file);
  while (file.starts_with("./")) file.erase(0, 2);
  std::string where;
  if (!file.empty()) where += fmt::format("file={},", property(file));
  if (one.line > 0) where += fmt::format("line={},col={},", one.line, one.column);
  if (one.line > 0 && one.end_line >= one.line) where += fmt::format("endLine={},", one.end_line);
  const std::string title = one.code != Code{} ? "gpol " + to_string(one.code) : std::string("gpol diff");
  out << fmt::format("::{} {}title={}::{}\n", word, where, property(title),
                     data(printable_lines(one.message + (one.help.empty() ? "" : "\nhelp: " + one.help))));
}

}  // namespace

void write_github(const std::vector<Annotation>& found, const std::string& headline, std::ostream& out) {
  for (const auto& [level, word] :
       {std::pair{Annotation::Level::Error, "error"}, std::pair{Annotation::Level::Warning, "warning"}}) {
    std::vector<const Annotation*> all;
    for (const Annotation& one : found)
      if (one.level == level) all.push_back(&one);
    const std::size_t shown = all.size() > kMost ? kMost - 1 : all.size();
    for (std::size_t i = 0; i < shown; ++i) print(word, *all[i], out);
    if (shown < all.size())
      out << fmt::format("::{} title=gpol::and {} more, which `gpol` prints\n", word, all.size() - shown);
  }
  out << printable(headline) << "\n";
}

}  // namespace gpol
