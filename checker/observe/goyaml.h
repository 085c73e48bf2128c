// What yaml-cpp takes and go.yaml.in/yaml/v2, Kubernetes' reader, does not, or takes for something else. In: the text
// and where something is in it. Out: why it is refused ("an empty element"), or null.
#pragma once

#include <cstddef>
#include <string_view>

namespace gpol::manifest {

// Of a scalar with its quotes; a plain or quoted key stands in front of its colon.
const char* refuse_scalar(std::string_view text, std::size_t begin, std::size_t end, bool in_flow, bool is_key);
const char* refuse_anchor(std::string_view name);
// Anchors and tags as they stand in the text, from `begin` to `end`.
const char* refuse_properties(std::string_view text, std::size_t begin, std::size_t end);
// A node in block style that begins here.
const char* refuse_tab_before(std::string_view text, std::size_t begin);
// A value in block style that begins in a line below its key, no further in than the mapping; lists may.
bool not_indented(std::string_view text, std::size_t map_begin, std::size_t key_end, std::size_t value_begin);
// A key in block style has its colon, unless a "?" stands in front of it.
bool lacks_colon(std::string_view text, std::size_t key_begin, std::size_t key_end);

}  // namespace gpol::manifest
