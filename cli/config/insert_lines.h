// Lines that are put into a text whose other bytes stay as they are. In: the text, and lines with the place of each.
// Out: the text with them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpol {

struct NewLines {
  std::size_t before = 0;  // the line of the text that they stand above, 0-based; as many as there are: at the end
  std::vector<std::string> lines;
};

// `all`: in order of their places. Line breaks are of the kind of the first one in the text; a last line without one
// gets one where something is put behind it.
std::string with_lines(std::string_view text, std::span<const NewLines> all);

}  // namespace gpol
