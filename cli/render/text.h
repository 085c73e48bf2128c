// Small pieces that the human renderer is made of: safe text, columns, colours, figures in words.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checker/report/report.h"

namespace gpol {

// Colour only where the world allows it; every function returns the text itself when it does not.
struct Style {
  bool colour = false;
  std::string error(std::string_view text) const { return paint("1;31", text); }
  std::string warning(std::string_view text) const { return paint("1;33", text); }
  std::string good(std::string_view text) const { return paint("1;32", text); }
  std::string margin(std::string_view text) const { return paint("1;34", text); }
  std::string bold(std::string_view text) const { return paint("1", text); }

 private:
  std::string paint(std::string_view sgr, std::string_view text) const;
};

// What comes from a file or a path, made safe for a terminal: control characters, text-direction marks and characters
// without width are shown as escapes (`\u200b`), bytes that are not UTF-8 as U+FFFD, a tab as four spaces.
std::string printable(std::string_view text);
// The same of each line of a text.
std::string printable_lines(std::string_view text);
// A printable text inside HTML or XML, also in an attribute.
std::string markup_escaped(std::string_view text);
// Columns that a printable text takes: two for wide characters, none for combining marks.
std::size_t columns(std::string_view printable_text);
std::string pad(std::string text, std::size_t width);  // to `width` columns

// Rows in columns, each cell printable; the first row is the header.
std::string aligned(std::vector<std::vector<std::string>> rows, const Style& style);

// "1 queue", "2 queues".
std::string plural(std::size_t count, std::string_view one);

// "5, 24-26".
std::string line_ranges(const std::set<int>& lines);

// "8 GPUs", "128 cpu", "960 GiB", "3 pods"; base units in. An unlimited amount is "any amount".
std::string figure_text(std::int64_t value, Unit unit);
// "; 1 while a victim ends": of what others can hold of a reserve, behind what they can hold for good.
std::string while_a_victim_ends(std::int64_t value, Unit unit);

}  // namespace gpol
