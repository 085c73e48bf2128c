#include "cli/config/insert_lines.h"

#include <algorithm>

namespace gpol {

std::string with_lines(std::string_view text, std::span<const NewLines> all) {
  const auto first = text.find('\n');
  const bool returns = first != std::string_view::npos && first > 0 && text[first - 1] == '\r';
  const std::string_view line_break = returns ? "\r\n" : "\n";
  std::string out;
  std::size_t line = 0;
  const auto put = [&](const NewLines& some) {
    if (!out.empty() && out.back() != '\n') out += line_break;
    for (const std::string& one : some.lines) out.append(one).append(line_break);
  };
  auto next = all.begin();
  while (!text.empty()) {
    for (; next != all.end() && next->before <= line; ++next) put(*next);
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    out += text.substr(0, end);
    text.remove_prefix(end);
    ++line;
  }
  for (; next != all.end(); ++next) put(*next);
  return out;
}

}  // namespace gpol
