// Places in the text of a YAML document. In: the text and offsets in bytes. Out: offsets. Nothing here judges what is
// YAML.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "checker/observe/observe.h"

namespace gpol::manifest {

// 1-based, of an offset.
int line_at(std::string_view text, std::size_t at);
// Behind blanks, line breaks and comments.
std::size_t skip_space(std::string_view text, std::size_t at);
// Behind the anchors and tags that stand here, and what is between them and what they belong to.
std::size_t skip_properties(std::string_view text, std::size_t at);

// "`queues.yaml:12`", of one of the files.
std::string line_in(std::span<const YamlFile> files, Span at);

}  // namespace gpol::manifest
