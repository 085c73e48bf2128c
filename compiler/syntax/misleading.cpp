#include "compiler/syntax/misleading.h"

#include "compiler/source/utf8.h"

namespace gpol::syntax {

bool misleads(char32_t c) {
  if (c < 0x20) return c != '\t' && c != '\n' && c != '\r';
  return (c >= 0x7F && c <= 0x9F) || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

bool refused(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = decode(text, i);
    if (!point.valid || misleads(point.value)) return true;
    i += point.length;
  }
  return false;
}

}  // namespace gpol::syntax
