#include "cli/render/markdown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/render/text.h"

namespace gpol {

// `@name` at the beginning of `text`, with which GitHub would call somebody; empty: there is none. `before`: the
// character in front of it.
std::string_view markdown_mention(std::string_view text, char before) {
  const auto wordy = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  if (!text.starts_with('@') || wordy(before)) return {};
  std::size_t end = 1;
  while (end < text.size() && (wordy(text[end]) || text[end] == '-' || text[end] == '/')) ++end;
  return end == 1 ? std::string_view() : text.substr(0, end);
}

// User text outside of code: what Markdown or HTML would take for its own is put under a backslash, and so is a
// backtick without a second one; whoever is named is not called.
std::string markdown_plain(std::string_view text, bool in_table) {
  const std::string shown = printable(text);
  const std::size_t odd = std::ranges::count(shown, '`') % 2 == 0 ? std::string::npos : shown.rfind('`');
  std::string out;
  bool code = false;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    if (c == '`' && i != odd) code = !code;
    if (const auto name = markdown_mention(std::string_view(shown).substr(i), i == 0 ? ' ' : shown[i - 1]);
        !code && !name.empty()) {
      out += fmt::format("`{}`", name);
      i += name.size() - 1;
      continue;
    }
    if (!code && (i == odd || c == '<' || c == '>' || c == '*' || c == '_' || c == '[' || c == '\\' || c == '#'))
      out += '\\';
    if (c == '|' && (in_table || !code)) out += '\\';
    out += c;
  }
  return out;
}

// Between more backticks than it has in a row.
std::string markdown_code(std::string_view text) {
  const std::string shown = printable(text);
  std::size_t longest = 0, run = 0;
  for (const char c : shown) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`'), gap(longest > 0 ? 1 : 0, ' ');
  return fence + gap + shown + gap + fence;
}

}  // namespace gpol
