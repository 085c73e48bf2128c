// The YAML that tools write, read directly: block mappings and lists of texts in any style, numbers and empty values,
// with comments. yaml-cpp takes most of the time of reading a large cluster; this takes a twentieth of that. In: a
// document. Out: the very tree that yaml-cpp's events give (tests compare the two), or nothing for anything that is not
// plainly of this form, mistakes included: yaml-cpp then reads it and says what is wrong.
#pragma once

#include <optional>
#include <string_view>

#include "checker/observe/tree.h"

namespace gpol::manifest {

std::optional<Node> read_simple(std::string_view text, Reading reading = Reading::Strict);

}  // namespace gpol::manifest
