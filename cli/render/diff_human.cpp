#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "cli/render/diff_render.h"
#include "cli/render/text.h"

namespace gpol {

namespace {

constexpr std::size_t kMostRows = 12, kMostLines = 4, kMostSteps = 6;

void print_table(const std::vector<std::vector<std::string>>& rows, std::ostream& out) {
  if (rows.empty()) return;
  std::vector<std::vector<std::string>> table(
      rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), kMostRows + 1)));
  out << aligned(table, Style{});
  if (rows.size() > table.size())
    out << fmt::format("and {} more rows (`--format json`)\n", rows.size() - table.size());
}

void print_lines(const std::vector<DiffView::Line>& lines, std::ostream& out) {
  std::map<std::string, std::size_t> shown, left_out;
  for (const DiffView::Line& line : lines) ++left_out[line.word];
  for (const DiffView::Line& line : lines) {
    if (shown[line.word] == kMostLines) continue;
    ++shown[line.word], --left_out[line.word];
    out << fmt::format("{:<9} {}{}\n", line.word, line.place.empty() ? "" : printable(line.place) + "  ",
                       printable(line.text));
    for (std::size_t i = 0; i < std::min(line.story.size(), kMostSteps); ++i)
      out << fmt::format("            {}\n", printable(line.story[i]));
    if (line.story.size() > kMostSteps)
      out << fmt::format("            and {} more (`--format json`)\n", plural(line.story.size() - kMostSteps, "step"));
    if (shown[line.word] == kMostLines && left_out[line.word] > 0)
      out << fmt::format("{:<9} and {} more (`--format json`)\n", line.word, left_out[line.word]);
  }
}

}  // namespace

void render_diff_human(const DiffReport& report, std::ostream& out) {
  const DiffView view = view_of(report);
  out << printable(view.headline) << "\n";
  for (const DiffView::Part& part : view.parts) {
    out << "\n";
    if (!part.title.empty()) out << printable(part.title) << "\n";
    print_table(part.table, out);
    if (!part.table.empty() && !part.configuration.empty()) out << "\n";
    print_table(part.configuration, out);
    print_lines(part.lines, out);
  }
  if (!view.lines.empty()) out << "\n";
  print_lines(view.lines, out);
}

}  // namespace gpol
