// Paths as text. In: a directory and what a kustomization names. Out: a path without `.`, `..` and doubled slashes, as
// far as that can be said without a disk.
#pragma once

#include <string>
#include <string_view>

namespace gpol::manifest::kustomize {

std::string join_path(std::string_view directory, std::string_view name);  // "" and "." are the same directory
bool lies_below(std::string_view path, std::string_view directory);        // or is it
bool is_remote(std::string_view name);  // what kustomize would fetch, where no such file or directory is there

}  // namespace gpol::manifest::kustomize
