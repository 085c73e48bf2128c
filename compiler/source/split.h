// A text in parts.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace gpol {

// What stands between the separators, empty parts as well: one more than there are separators.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace gpol
