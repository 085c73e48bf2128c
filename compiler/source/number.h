// A text that is a number as a whole.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gpol {

// As std::from_chars reads it; nothing where it is none, or does not fit.
template <class Number = std::int64_t>
std::optional<Number> whole_number(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace gpol
