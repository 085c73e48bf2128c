// One code point out of bytes that may be anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpol::syntax {

struct CodePoint {
  char32_t value = 0;
  std::uint32_t length = 1;  // bytes; 1 where they are not valid UTF-8
  bool valid = false;
};

// The code point at `at`, which must be inside `text`. Refuses overlong forms, surrogates and values over U+10FFFF.
CodePoint decode(std::string_view text, std::size_t at);

// Characters that change how other text is shown without being seen: controls other than tab and line breaks, and
// the marks of bidirectional writing (a reviewer would read something else than gpol does).
bool misleads(char32_t c);

// Whether any of it is invalid, or misleads.
bool refused(std::string_view text);

}  // namespace gpol::syntax
