// The words of CEL (cel.h). Only the parser uses them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checker/guards/value.h"

namespace gpol::cel {

struct Token {
  enum class Kind : std::uint8_t { Ident, Literal, Odd, Sign, End } kind = Kind::End;  // Odd: bytes, unsigned
  std::string text;                                                                    // of Ident and Sign
  Value value;                                                                         // of Literal
  std::size_t at = 0;
};

// `error` is set at the first thing that is no word.
std::vector<Token> scan(std::string_view text, std::string& error, std::size_t& error_at);

}  // namespace gpol::cel
