#include "cli/render/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/policy/units.h"
#include "compiler/source/split.h"
#include "compiler/source/utf8.h"

namespace gpol {

namespace {

// What a reader does not see, or what moves the text around it: controls, marks of direction, characters without width,
// the soft hyphen, tags.
bool hidden(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x061C || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xE0000 && c <= 0xE007F);
}

std::size_t width(char32_t c) {
  if ((c >= 0x0300 && c <= 0x036F) || (c >= 0xFE00 && c <= 0xFE0F)) return 0;
  // The wide blocks of Unicode's East Asian Width table, in ranges.
  const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF && c != 0x303F) ||
                    (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) ||
                    (c >= 0xFF00 && c <= 0xFF60) || (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) ||
                    (c >= 0x20000 && c <= 0x3FFFD);
  return wide ? 2 : 1;
}

}  // namespace

std::string Style::paint(std::string_view sgr, std::string_view text) const {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", sgr, text) : std::string(text);
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint c = decode(text, 0);
    if (c.value == '\t')
      out += "    ";
    else if (!c.valid)
      out += "\xEF\xBF\xBD";
    else if (hidden(c.value))
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c.value));
    else
      out += text.substr(0, c.length);
    text.remove_prefix(c.length);
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, '\n')) (out += printable(line)) += '\n';
  out.pop_back();
  return out;
}

std::string markup_escaped(std::string_view text) {
  constexpr std::pair<char, std::string_view> kEscapes[] = {
      {'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  std::string out;
  for (const char c : printable_lines(text)) {
    const auto* const known = std::ranges::find(kEscapes, c, &std::pair<char, std::string_view>::first);
    out += known == std::end(kEscapes) ? std::string(1, c) : std::string(known->second);
  }
  return out;
}

std::size_t columns(std::string_view printable_text) {
  std::size_t total = 0;
  while (!printable_text.empty()) {
    const CodePoint c = decode(printable_text, 0);
    total += width(c.value);
    printable_text.remove_prefix(c.length);
  }
  return total;
}

std::string pad(std::string text, std::size_t width) {
  if (const std::size_t has = columns(text); has < width) text.append(width - has, ' ');
  return text;
}

std::string aligned(std::vector<std::vector<std::string>> rows, const Style& style) {
  std::vector<std::size_t> widths;
  for (auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = printable(row[i]);
      widths[i] = std::max(widths[i], columns(row[i]));
    }
  }
  std::string out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < rows[r].size(); ++i) line += pad(rows[r][i], widths[i] + 2);
    line.erase(line.find_last_not_of(' ') + 1);
    out += (r == 0 ? style.bold(line) : line) + "\n";
  }
  return out;
}

std::string plural(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string line_ranges(const std::set<int>& lines) {
  std::string out;
  for (auto it = lines.begin(); it != lines.end();) {
    const int first = *it;
    int last = first;
    while (++it != lines.end() && *it == last + 1) last = *it;
    if (!out.empty()) out += ", ";
    out += first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
  }
  return out;
}

std::string figure_text(std::int64_t value, Unit unit) {
  constexpr std::pair<Unit, Resource> kResources[] = {{Unit::Devices, Resource::Gpu},
                                                      {Unit::Cores, Resource::Cpu},
                                                      {Unit::Bytes, Resource::Memory},
                                                      {Unit::Pods, Resource::Pods}};
  if (value == INT64_MAX) return "any amount";
  for (const auto& [known, resource] : kResources)
    if (known == unit) return human_amount(resource, value);
  return human_count(value) + (unit == Unit::Slices     ? " slices"
                               : unit == Unit::Streams  ? " streams"
                               : unit == Unit::Requests ? " requests"
                                                        : "");
}

std::string while_a_victim_ends(std::int64_t value, Unit unit) {
  const std::string figure = figure_text(value, unit);
  return fmt::format("; {} while a victim ends", unit == Unit::Devices ? figure.substr(0, figure.find(' ')) : figure);
}

}  // namespace gpol
