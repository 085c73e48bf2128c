// Small things about texts that many rooms need: ASCII digits and letters, lists in words. No locale has a say.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace gpol {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_alphanumeric(char c) { return is_letter(c) || is_digit(c); }
constexpr char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
inline std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lowered(c);
  return out;
}
// Also of an empty text.
inline bool only_digits(std::string_view text) { return std::ranges::all_of(text, is_digit); }

// Adds a word to a list that is told: "a" to "a, b".
inline void add_to_list(std::string& list, std::string_view word, std::string_view separator = ", ") {
  if (!list.empty()) list += separator;
  list += word;
}

// "a, b and c"
template <class Words>
std::string listed(const Words& words) {
  std::string list;
  std::size_t left = words.size();
  for (const auto& word : words) add_to_list(list, word, left-- == 1 ? " and " : ", ");
  return list;
}

// The first `most` of them, each `as` it is told: "a, b and 3 more".
template <class Words, class As = std::identity>
std::string listed_up_to(std::size_t most, const Words& words, As as = {}) {
  std::string list;
  std::size_t told = 0;
  for (const auto& word : words)
    if (told++ < most) add_to_list(list, as(word));
  return told > most ? list + " and " + std::to_string(told - most) + " more" : list;
}

}  // namespace gpol
