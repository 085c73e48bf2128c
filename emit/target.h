// Where an output directory really is. In: the path that the user gave. Out: the directory behind symbolic links, or
// why nothing can be written there.
#pragma once

#include <filesystem>
#include <string>

namespace gpol {

struct Target {
  std::filesystem::path path = {};  // absolute, free of links
  bool exists = false;
  std::string problem = {}, hint = {};  // problem not empty: it cannot be a target
};

Target find_target(std::filesystem::path directory);

}  // namespace gpol
