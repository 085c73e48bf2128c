// Where things end in the text of a YAML document: yaml-cpp says only where they begin. In: the text, which yaml-cpp
// has read without complaint, and offsets in bytes. Out: offsets. Nothing here judges what is YAML.
#pragma once

#include <cstddef>
#include <string_view>

namespace gpol::manifest {

// 1-based, of an offset.
int line_at(std::string_view text, std::size_t at);
// Behind blanks, line breaks and comments.
std::size_t skip_space(std::string_view text, std::size_t at);

struct Properties {
  std::size_t end = 0;    // behind the anchor and the tag, where there are any
  std::size_t value = 0;  // where what they belong to begins, if it is not empty
};
Properties skip_properties(std::string_view text, std::size_t at);

// Of a scalar, a quoted one with its quotes, whose value is `value`; of a block scalar its last line that is not blank.
std::size_t end_of_scalar(std::string_view text, std::size_t begin, std::string_view value);
std::size_t end_of_alias(std::string_view text, std::size_t begin);
// Behind the bracket that closes a flow collection whose last element ends at `at`.
std::size_t end_of_flow(std::string_view text, std::size_t at);

}  // namespace gpol::manifest
