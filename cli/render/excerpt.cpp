#include "cli/render/excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace gpol {

namespace {

constexpr std::size_t kWidest = 160;  // bytes of one source line that are shown
constexpr std::size_t kBefore = 48;   // of them before the span where a line is cut

struct Mark {
  std::size_t begin = 0, end = 0;  // bytes of the line
  std::string text;
  bool primary = false;
};

struct Line {
  std::string_view text;
  std::vector<Mark> marks;
};

Mark mark_on(const SourceSet& sources, const Label& label, int line, bool primary) {
  const std::string_view text = sources.line(label.span.file, line);
  const auto start = static_cast<std::size_t>(text.data() - sources.text(label.span.file).data());
  Mark mark;
  mark.begin = std::min<std::size_t>(label.span.begin < start ? 0 : label.span.begin - start, text.size());
  mark.end = std::clamp<std::size_t>(label.span.end < start ? 0 : label.span.end - start, mark.begin, text.size());
  mark.text = printable(label.text);
  mark.primary = primary;
  return mark;
}

bool continues(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

// Where a line that is too long is cut, on boundaries of characters.
std::pair<std::size_t, std::size_t> window(const Line& line) {
  if (line.text.size() <= kWidest) return {0, line.text.size()};
  std::size_t begin = line.marks.front().begin > kBefore ? line.marks.front().begin - kBefore : 0;
  while (continues(line.text, begin)) ++begin;
  std::size_t end = std::min(begin + kWidest, line.text.size());
  while (continues(line.text, end)) --end;
  return {begin, end};
}

void print_line(std::string& out, const Line& line, int number, std::size_t margin, const Style& style) {
  const auto [from, to] = window(line);
  const auto shown = [&](std::size_t begin, std::size_t end) {
    begin = std::clamp(begin, from, to);
    return printable(line.text.substr(begin, std::clamp(end, begin, to) - begin));
  };
  const std::string_view cut = from > 0 ? "..." : "";
  out += fmt::format("{} {}{}{}\n", style.margin(fmt::format("{:>{}} |", number, margin)), cut, shown(from, to),
                     to < line.text.size() ? "..." : "");
  for (const Mark& mark : line.marks) {
    const std::size_t indent = cut.size() + columns(shown(from, mark.begin));
    const std::size_t length = std::max<std::size_t>(1, columns(shown(mark.begin, mark.end)));
    const std::string under =
        std::string(length, mark.primary ? '^' : '-') + (mark.text.empty() ? "" : " " + mark.text);
    out += fmt::format("{} {}{}\n", style.margin(fmt::format("{:>{}} |", "", margin)), std::string(indent, ' '),
                       mark.primary ? style.error(under) : style.margin(under));
  }
}

// What stands in a definition is read for a use of it, and that is what its author can change.
std::vector<Label> with_uses(const SourceSet& sources, std::span<const Label> given) {
  std::vector<Label> marks(given.begin(), given.end());
  for (const Label& label : given) {
    const Span used = sources.used_at(label.span);
    const bool known = std::ranges::any_of(marks, [&](const Label& mark) { return mark.span == used; });
    if (used.known() && !known) marks.push_back({used, "used here"});
  }
  return marks;
}

}  // namespace

std::string place_text(const SourceSet& sources, Span span) {
  const LineColumn at = sources.position(span.file, span.begin);
  return fmt::format("{}:{}:{}", printable(sources.path(span.file)), at.line, at.column);
}

std::string excerpt(const SourceSet& sources, std::span<const Label> given, const Style& style) {
  const std::vector<Label> marks = with_uses(sources, given);
  std::map<FileId, std::map<int, Line>> files;
  const Span* first = nullptr;
  int widest = 0;
  for (const Label& label : marks) {
    if (!label.span.known()) continue;
    const int number = sources.position(label.span.file, label.span.begin).line;
    Line& line = files[label.span.file][number];
    line.text = sources.line(label.span.file, number);
    const bool primary = first == nullptr;
    if (primary) first = &label.span;
    line.marks.push_back(mark_on(sources, label, number, primary));
    widest = std::max(widest, number);
  }
  if (first == nullptr) return {};
  const std::size_t margin = std::to_string(widest).size();
  std::string out;
  const auto print_file = [&](FileId file, std::string_view arrow, Span at) {
    out += fmt::format("{}{} {}\n", std::string(margin, ' '), style.margin(arrow), place_text(sources, at));
    out += fmt::format("{}\n", style.margin(fmt::format("{:>{}} |", "", margin)));
    int before = 0;
    for (const auto& [number, line] : files[file]) {
      if (before != 0 && number > before + 1) out += style.margin("...") + "\n";
      print_line(out, line, number, margin, style);
      before = number;
    }
  };
  print_file(first->file, "-->", *first);
  for (const Label& label : marks) {
    if (!label.span.known() || label.span.file == first->file || !files.count(label.span.file)) continue;
    print_file(label.span.file, ":::", label.span);
    files.erase(label.span.file);
  }
  return out;
}

}  // namespace gpol
