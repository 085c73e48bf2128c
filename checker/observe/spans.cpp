#include "checker/observe/spans.h"

#include <algorithm>

namespace gpol::manifest {
namespace {

bool space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::size_t find_or_end(std::string_view text, std::string_view characters, std::size_t at) {
  return std::min(text.find_first_of(characters, at), text.size());
}

// Folding, chomping and indentation change blanks and line breaks and nothing else: what is not one of them stands in
// the text in the same order as in the value.
std::size_t behind_last_character(std::string_view text, std::size_t at, std::string_view value) {
  std::size_t end = at;
  for (const char c : value) {
    if (space(c)) continue;
    at = text.find(c, at);
    if (at == std::string_view::npos) return end;
    end = ++at;
  }
  return end;
}

std::size_t end_of_quoted(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  for (std::size_t at = begin + 1; at < text.size(); ++at) {
    if (text[at] == '\\' && quote == '"')
      ++at;
    else if (text[at] == quote && quote == '\'' && text.substr(at + 1, 1) == "'")
      ++at;
    else if (text[at] == quote)
      return at + 1;
  }
  return text.size();
}

}  // namespace

int line_at(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  for (; at < text.size(); ++at) {
    if (text[at] == '#') at = find_or_end(text, "\n", at);
    if (at < text.size() && !space(text[at])) break;
  }
  return std::min(at, text.size());
}

Properties skip_properties(std::string_view text, std::size_t at) {
  Properties result{at, at};
  while (result.value < text.size() && (text[result.value] == '&' || text[result.value] == '!')) {
    const bool verbatim = text.substr(result.value).starts_with("!<");
    result.end = verbatim ? std::min(find_or_end(text, ">", result.value) + 1, text.size())
                          : find_or_end(text, " \t\r\n,[]{}", result.value);
    result.value = skip_space(text, result.end);
  }
  return result;
}

std::size_t end_of_scalar(std::string_view text, std::size_t begin, std::string_view value) {
  if (begin >= text.size()) return text.size();
  const char first = text[begin];
  if (first == '"' || first == '\'') return end_of_quoted(text, begin);
  if (first != '|' && first != '>') return behind_last_character(text, begin, value);
  const auto header = find_or_end(text, " \t\r\n", begin);
  const auto end = behind_last_character(text, find_or_end(text, "\n", header), value);
  return value.find_first_not_of(" \t\r\n") == std::string_view::npos ? header : end;
}

std::size_t end_of_alias(std::string_view text, std::size_t begin) { return find_or_end(text, " \t\r\n,[]{}", begin); }

std::size_t end_of_flow(std::string_view text, std::size_t at) {
  for (;; ++at) {
    at = skip_space(text, at);
    if (at >= text.size()) return text.size();
    if (text[at] == ']' || text[at] == '}') return at + 1;
  }
}

}  // namespace gpol::manifest
