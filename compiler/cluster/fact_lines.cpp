#include "compiler/cluster/fact_lines.h"

#include <algorithm>
#include <charconv>

#include "compiler/source/text.h"

namespace gpol {

void put(std::string& out, std::string_view word) {
  const auto safe = [](char c) {
    return is_alphanumeric(c) || c == '-' || c == '.' || c == '/' || c == '_' || c == '@' || c == ':';
  };
  if (!word.empty() && std::ranges::all_of(word, safe)) {
    out.append(word);
    return;
  }
  constexpr std::string_view hex = "0123456789abcdef";
  out.push_back('"');
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && c != '"' && c != '\\')
      out.push_back(c);
    else
      out.append("\\x").append(1, hex[byte >> 4U]).append(1, hex[byte & 15U]);
  }
  out.push_back('"');
}

void put(std::string& out, std::int64_t number) {
  char digits[24];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  out.append(digits, end);
}

std::string word(std::string_view text) {
  std::string out;
  put(out, text);
  return out;
}

void Section::append_to(std::string& out) {
  std::ranges::sort(blocks_);
  for (const auto& [name, text] : blocks_) out += text;
}

}  // namespace gpol
