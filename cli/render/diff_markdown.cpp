// A comment of a pull request: GitHub takes 65,536 characters, and what is cut is said.
#include <fmt/format.h>

#include <ostream>

#include "cli/render/diff_render.h"
#include "cli/render/markdown_text.h"

namespace gpol {

namespace {

constexpr std::size_t kMostBytes = 58'000, kMostRows = 40;

std::string table_text(const std::vector<std::vector<std::string>>& table) {
  std::string out;
  for (std::size_t r = 0; r < table.size() && r <= kMostRows; ++r) {
    out += "|";
    for (const std::string& cell : table[r]) out += " " + markdown_plain(cell, true) + " |";
    out += "\n";
    if (r > 0) continue;
    out += "|";
    for (std::size_t c = 0; c < table[r].size(); ++c) out += "---|";
    out += "\n";
  }
  if (table.size() > kMostRows + 1) out += fmt::format("\nand {} more rows\n", table.size() - kMostRows - 1);
  return out + "\n";
}

std::string line_text(const DiffView::Line& line) {
  std::string out = fmt::format("- **{}** {}{}\n", line.word, line.place.empty() ? "" : markdown_code(line.place) + " ",
                                markdown_plain(line.text));
  if (line.story.empty()) return out;
  out += "  <details><summary>what happens</summary>\n\n";
  for (std::size_t i = 0; i < line.story.size(); ++i)
    out += fmt::format("  {}. {}\n", i + 1, markdown_plain(line.story[i]));
  return out + "\n  </details>\n";
}

}  // namespace

void render_diff_markdown(const DiffReport& report, std::ostream& out) {
  const DiffView view = view_of(report);
  std::string text = fmt::format("### gpol: {}\n\n", markdown_plain(view.headline));
  std::size_t left_out = 0;
  // Whole tables and whole lines: half of one would be worse than none.
  const auto add = [&](const std::string& part) {
    if (text.size() + part.size() > kMostBytes || left_out > 0)
      ++left_out;
    else
      text += part;
  };
  for (const DiffView::Part& part : view.parts) {
    if (!part.title.empty()) add(fmt::format("#### {}\n\n", markdown_plain(part.title)));
    for (const auto* table : {&part.table, &part.configuration})
      if (!table->empty()) add(table_text(*table));
    for (const DiffView::Line& line : part.lines) add(line_text(line));
    if (!part.lines.empty()) add("\n");
  }
  for (const DiffView::Line& line : view.lines) add(line_text(line));
  if (left_out > 0) text += fmt::format("\nCut here: {} more parts, which `gpol diff` prints.\n", left_out);
  out << text;
}

}  // namespace gpol
