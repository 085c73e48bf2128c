#include "cli/commands/versions.h"

#include "compiler/source/text.h"

namespace gpol {

std::string plain_version(std::string_view word) {
  if (word.starts_with('v')) word.remove_prefix(1);
  int dots = 0;
  char before = '.';
  for (const char c : word) {
    const bool digit = is_digit(c);
    if (!digit && (c != '.' || before == '.')) return {};
    dots += c == '.' ? 1 : 0;
    before = c;
  }
  return dots == 2 && before != '.' ? std::string(word) : std::string();
}

}  // namespace gpol
