// The numbers in a text, and the text with one of them changed.
#pragma once

#include <cctype>
#include <string>
#include <utility>
#include <vector>

namespace gpol::mutation {

// Digits that are no part of a name, as (begin, end).
inline std::vector<std::pair<std::size_t, std::size_t>> numbers_in(const std::string& text) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  const auto digit = [&](std::size_t i) {
    return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
  };
  const auto of_name = [&](std::size_t i) {
    return std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_' || text[i] == '-' || text[i] == '@';
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!digit(i) || (i > 0 && of_name(i - 1))) continue;
    std::size_t end = i;
    while (digit(end)) ++end;
    found.emplace_back(i, end);
    i = end;
  }
  return found;
}

struct NumberChange {
  const char* what;
  std::string text;
};

// Zero, one more, one less; as many digits as before (06 and 07). One less than 0 is not tried.
inline std::vector<NumberChange> changes_of(const std::string& text, std::pair<std::size_t, std::size_t> at) {
  const std::string digits = text.substr(at.first, at.second - at.first);
  if (digits.size() > 17) return {};
  const long long value = std::stoll(digits);
  const auto put = [&](long long number) {
    std::string now = std::to_string(number);
    if (digits[0] == '0' && now.size() < digits.size()) now.insert(0, digits.size() - now.size(), '0');
    return text.substr(0, at.first) + now + text.substr(at.second);
  };
  std::vector<NumberChange> out;
  if (value > 1) out.push_back({"0", put(0)});
  out.push_back({"+1", put(value + 1)});
  if (value > 0) out.push_back({"-1", put(value - 1)});
  return out;
}

}  // namespace gpol::mutation
