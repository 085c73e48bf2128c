#include <algorithm>
#include <string_view>

#include "compiler/cluster/normal_form.h"

namespace gpol {

std::string first_difference(const std::string& expected, const std::string& found) {
  if (expected == found) return {};
  std::string_view left = expected, right = found;
  const auto take_line = [](std::string_view& text) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    return line;
  };
  for (;;) {
    const bool left_done = left.empty(), right_done = right.empty();
    const auto want = take_line(left), have = take_line(right);
    if (want == have && left_done == right_done) continue;
    const auto shown = [](std::string_view line, bool done) {
      return done ? std::string("nothing") : "`" + std::string(line) + "`";
    };
    return "expected " + shown(want, left_done) + "; found " + shown(have, right_done);
  }
}

}  // namespace gpol
