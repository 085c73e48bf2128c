// The library of policies that comes with gpol, compiled in from policies/ (cmake/Library.cmake). In: nothing. Out: the
// files by the names that they are imported by, sorted.
#pragma once

#include <span>
#include <string_view>

namespace gpol {

struct LibraryFile {
  std::string_view name;  // "gpol/classes"
  std::string_view text;
};
std::span<const LibraryFile> library();

}  // namespace gpol
