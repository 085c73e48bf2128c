# Run with `cmake -DPARSER=GpolParser -DOUT=names.h -P`: token kinds, rules and literals of the generated parser as plain
# C++, so that everything but parse.cpp can speak of them without ANTLR. It also refuses a grammar that needs more than
# one word of look-ahead (the generated parser would call adaptivePredict).
file(READ ${PARSER}.cpp code)
if(code MATCHES "adaptivePredict")
  message(FATAL_ERROR "grammar/GpolParser.g4 is no longer LL(1): some choice needs more than one word")
endif()
file(READ ${PARSER}.interp text)
string(REGEX REPLACE ";" "<semicolon>" text "${text}")
string(REGEX MATCH "token literal names:\n(.*)\ntoken symbolic names:\n(.*)\nrule names:\n(.*)\natn:" found "${text}")
if(NOT found)
  message(FATAL_ERROR "${PARSER}.interp is not in the form this script knows")
endif()
set(literals "${CMAKE_MATCH_1}")
set(symbols "${CMAKE_MATCH_2}")
set(rules "${CMAKE_MATCH_3}")
foreach(list IN ITEMS literals symbols rules)
  string(STRIP "${${list}}" ${list})
  string(REPLACE "\n" ";" ${list} "${${list}}")
endforeach()

set(kinds "")
foreach(symbol IN LISTS symbols)
  if(symbol STREQUAL "null")
    set(symbol END)  # the end of a declaration or a file
  endif()
  string(APPEND kinds "  ${symbol},\n")
endforeach()
list(LENGTH symbols count)
set(words "")
foreach(literal IN LISTS literals)
  string(REPLACE "<semicolon>" ";" literal "${literal}")
  if(literal STREQUAL "null")
    string(APPEND words "    \"\",\n")
  else()
    string(REGEX REPLACE "^'(.*)'$" "\\1" literal "${literal}")
    string(APPEND words "    \"${literal}\",\n")
  endif()
endforeach()
list(LENGTH rules rule_count)
string(REPLACE ";" ",\n  " rules "${rules}")
file(WRITE ${OUT}.new "// Generated from the grammar by cmake/grammar_names.cmake.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace gpol::syntax {

enum class Kind : std::uint8_t {
${kinds}};
inline constexpr std::size_t kKinds = ${count};

enum class Rule : std::uint8_t {
  ${rules}
};
inline constexpr std::size_t kRules = ${rule_count};

// What a kind is written as; empty where it has many spellings.
inline constexpr std::array<std::string_view, kKinds> kWords = {
${words}};

}  // namespace gpol::syntax
")
file(RENAME ${OUT}.new ${OUT})
