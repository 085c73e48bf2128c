// Where an output directory really is. In: the path that the user gave. Out: the directory behind symbolic links, or
// why nothing can be written there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gpol {

inline constexpr std::string_view kCircle = "it is a link that leads in a circle";
inline constexpr std::string_view kMendLink = "mend the link, or remove it";

struct Target {
  std::filesystem::path path = {};  // absolute, free of links
  bool exists = false;
  std::string problem = {}, hint = {};  // problem not empty: it cannot be a target
};

Target find_target(std::filesystem::path directory);

}  // namespace gpol
