#include "checker/observe/simple_text.h"

#include <algorithm>
#include <cstdint>

#include "compiler/source/utf8.h"

namespace gpol::manifest {
namespace {

constexpr auto kNone = std::string_view::npos;

// Appends what an escape stands for; false: not one of the common ones. `at` is behind the backslash and goes on.
bool append_escape(std::string_view text, std::size_t& at, std::string& out) {
  constexpr std::string_view letters = "0abtnvfre \"\\";
  constexpr std::string_view values("\0\a\b\t\n\v\f\r\x1B \"\\", 12);
  const char letter = text[at++];
  if (const auto found = letters.find(letter); found != kNone) {
    out.push_back(values[found]);
    return true;
  }
  const std::size_t digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
  if (digits == 0 || at + digits > text.size()) return false;
  std::uint32_t point = 0;
  for (const auto end = at + digits; at < end; ++at) {
    const char c = text[at];
    const auto digit = c >= '0' && c <= '9'   ? c - '0'
                       : c >= 'a' && c <= 'f' ? c - 'a' + 10
                       : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                              : -1;
    if (digit < 0) return false;
    point = point << 4U | static_cast<std::uint32_t>(digit);
  }
  if (point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return false;
  append_utf8(out, point);
  return true;
}

// At a line break inside of quotes: goes behind it, the blank lines and the next line's indentation.
void fold(std::string_view text, std::size_t& at, std::string& out, std::size_t kept) {
  while (out.size() > kept && out.back() == ' ') out.pop_back();
  std::size_t breaks = 0;
  for (; at < text.size() && (text[at] == '\n' || text[at] == ' '); ++at) breaks += text[at] == '\n' ? 1 : 0;
  out.append(breaks == 1 ? 1 : breaks - 1, breaks == 1 ? ' ' : '\n');
}

std::optional<std::size_t> first_indent(std::string_view rest) {
  std::size_t widest = 0;
  while (!rest.empty()) {
    const auto newline = std::min(rest.find('\n'), rest.size());
    const auto indent = rest.find_first_not_of(' ');
    if (indent < newline) return indent < widest ? std::nullopt : std::optional(indent);
    widest = std::max(widest, newline);
    rest.remove_prefix(std::min(newline + 1, rest.size()));
  }
  return std::nullopt;
}

}  // namespace

std::size_t closing_quote(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    at = text.find_first_of(quote == '"' ? "\"\\" : "'", at);
    if (at == kNone) return kNone;
    if (text[at] == '\\' || (quote == '\'' && at + 1 < text.size() && text[at + 1] == quote))
      ++at;
    else
      return at;
  }
  return kNone;
}

std::optional<std::string> unquoted(std::string_view quoted) {
  const bool escapes = quoted[0] == '"';
  const auto text = quoted.substr(1, quoted.size() - 2);
  std::string out;
  std::size_t kept = 0;  // what an escape gave stays in front of a line break
  for (std::size_t at = 0; at < text.size();) {
    const auto next = std::min(text.find_first_of(escapes ? "\\\n" : "'\n", at), text.size());
    out.append(text.substr(at, next - at));
    at = next;
    if (at == text.size()) break;
    if (text[at] == '\n') {
      fold(text, at, out, kept);
    } else if (!escapes) {
      out.push_back('\'');
      at += 2;
    } else if (text[at + 1] == '\n') {
      at = std::min(text.find_first_not_of(' ', at + 2), text.size());
      if (at == text.size() || text[at] == '\n') return std::nullopt;
    } else if (!append_escape(text, ++at, out)) {
      return std::nullopt;
    }
    if (escapes) kept = out.size();
  }
  return out;
}

std::optional<BlockText> block_text(std::string_view header, std::string_view rest, std::size_t indent) {
  const bool folded = header[0] == '>';
  char chomp = ' ';
  std::size_t depth = 0;
  for (const char c : header.substr(1)) {
    if ((c == '+' || c == '-') && chomp == ' ')
      chomp = c;
    else if (c >= '1' && c <= '9' && depth == 0)
      depth = indent + static_cast<std::size_t>(c - '0');
    else
      return std::nullopt;
  }
  if (folded && chomp == '+') return std::nullopt;  // yaml-cpp loses a line break
  const auto first = first_indent(rest);
  if (!first || *first <= indent || (depth > 0 && *first < depth)) return std::nullopt;
  if (depth == 0) depth = *first;

  BlockText result;
  std::string breaks, line_break;
  bool space_before = false;
  while (result.size < rest.size()) {
    const auto newline = std::min(rest.find('\n', result.size), rest.size());
    const auto whole = rest.substr(result.size, newline - result.size);
    const auto begin = std::min(whole.find_first_not_of(' '), whole.size());
    if (begin < whole.size() && begin < depth) break;
    if (newline == rest.size()) return std::nullopt;  // the last line is not ended
    const auto line = whole.substr(std::min(depth, whole.size()));
    if (line.empty()) {
      breaks += '\n';
    } else {
      const bool space = line[0] == ' ';
      if (folded && !space_before && !space && !line_break.empty())
        result.value += breaks.empty() ? " " : "";
      else
        result.value += line_break;
      result.value += breaks;
      result.value += line;
      space_before = space;
      line_break = "\n";
      breaks.clear();
      if (begin < whole.size()) result.end = result.size + whole.find_last_not_of(' ') + 1;
    }
    result.size = newline + 1;
  }
  if (chomp != '-') result.value += line_break;
  if (chomp == '+') result.value += breaks;
  return result;
}

}  // namespace gpol::manifest
