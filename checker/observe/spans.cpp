#include "checker/observe/spans.h"

#include <algorithm>

#include "compiler/source/text.h"

namespace gpol::manifest {
namespace {

std::size_t find_or_end(std::string_view text, std::string_view characters, std::size_t at) {
  return std::min(text.find_first_of(characters, at), text.size());
}

}  // namespace

int line_at(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  for (; at < text.size(); ++at) {
    if (text[at] == '#') at = find_or_end(text, "\n", at);
    if (at < text.size() && std::string_view(" \t\r\n").find(text[at]) == std::string_view::npos) break;
  }
  return std::min(at, text.size());
}

std::size_t skip_properties(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == '&' || text[at] == '!')) {
    std::size_t end = at + 1;
    if (text[at] == '&')
      while (end < text.size() && (is_alphanumeric(text[end]) || text[end] == '-' || text[end] == '_')) ++end;
    else if (text.substr(at).starts_with("!<"))
      end = find_or_end(text, ">", at) + 1;
    else
      end = find_or_end(text, " \t\r\n,[]{}", at);
    at = skip_space(text, end);
  }
  return std::min(at, text.size());
}

std::string line_in(std::span<const YamlFile> files, Span at) {
  const YamlFile& file = files[at.file];
  return "`" + file.path + ":" + std::to_string(line_at(file.bytes, at.begin)) + "`";
}

}  // namespace gpol::manifest
