// UTF-8: one code point out of bytes that may be anything, and into bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gpol {

struct CodePoint {
  char32_t value = 0;
  std::uint32_t length = 1;  // bytes; 1 where they are not valid UTF-8
  bool valid = false;
};

// The code point at `at`, which must be inside `text`. Refuses overlong forms, surrogates and values over U+10FFFF.
CodePoint decode(std::string_view text, std::size_t at);
// `point` is no more than U+10FFFF.
void append_utf8(std::string& out, std::uint32_t point);

// A continuation byte (10xxxxxx) does not.
constexpr bool starts_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }
// How many bytes start one, valid or not.
std::size_t code_points(std::string_view text);

}  // namespace gpol
