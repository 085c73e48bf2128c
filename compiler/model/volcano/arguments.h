// What the arguments of Volcano's plugins are: framework/arguments.go takes numbers, true and false, and texts, each as
// YAML has it.
#pragma once

#include <string_view>

#include "compiler/source/text.h"

namespace gpol::volcano {

// A number of YAML: digits, with or without a sign and a fraction.
inline bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto dot = text.find('.');
  const auto digits = [](std::string_view part) { return !part.empty() && only_digits(part); };
  return digits(text.substr(0, dot)) && (dot == std::string_view::npos || digits(text.substr(dot + 1)));
}

}  // namespace gpol::volcano
