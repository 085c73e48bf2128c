#include "checker/observe/goyaml.h"

#include <algorithm>

#include "checker/observe/spans.h"

namespace gpol::manifest {
namespace {

constexpr auto kNone = std::string_view::npos;

char at(std::string_view text, std::size_t position) { return position < text.size() ? text[position] : '\n'; }

const char* refuse_quoted(std::string_view quoted) {
  if (quoted.size() < 2 || quoted.back() != quoted.front()) return "a quoted text that does not end";
  if (quoted.front() == '\'') return nullptr;
  for (auto i = quoted.find('\\'); i < quoted.size() - 1; i = quoted.find('\\', i + 2))
    if (std::string_view("0abt\tnvfre \"'\\N_LPxuU\r\n").find(quoted[i + 1]) == kNone)
      return "an unknown escape in a text";
  return nullptr;
}

const char* refuse_block(std::string_view text, std::size_t begin) {
  const auto header = text.substr(begin, text.find_first_of(" \t\r\n", begin) - begin);
  // yaml-cpp loses a line break at the end of these.
  if (header.starts_with('>') && header.find('+') != kNone) return "a text in the style >+";
  if (header.find_first_of("123456789") != kNone) return nullptr;
  const auto line = text.find('\n', begin);
  const auto first = text.find_first_not_of(" \r\n", line);
  return at(text, first) == '\t' ? "a tab in the indentation of a text" : nullptr;
}

}  // namespace

const char* refuse_scalar(std::string_view text, std::size_t begin, std::size_t end, bool in_flow, bool is_key) {
  const char first = at(text, begin);
  if (first == '"' || first == '\'') return refuse_quoted(text.substr(begin, end - begin));
  if (first == '|' || first == '>') return refuse_block(text, begin);
  if (!in_flow) return nullptr;
  if (first == ':') return "a text that begins with a colon, between brackets";
  const auto colon = text.find_first_not_of(" \t", end);
  if (is_key && at(text, colon) == ':' && std::string_view(" \t\r\n").find(at(text, colon + 1)) == kNone)
    return "a colon without a space behind it, between brackets";
  return nullptr;
}

const char* refuse_anchor(std::string_view name) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  return name.find_first_not_of(letters) == kNone ? nullptr : "an anchor whose name is not of letters and digits";
}

const char* refuse_properties(std::string_view text, std::size_t begin, std::size_t end) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.:/";
  const auto properties = text.substr(begin, end - begin);
  const auto begin_of_tag = properties.find('!');
  if (begin_of_tag == kNone) return nullptr;
  auto tag = properties.substr(begin_of_tag, properties.find_first_of(" \t\r\n", begin_of_tag) - begin_of_tag);
  const char behind = at(text, begin + begin_of_tag + tag.size());
  if (std::string_view(" \t\r\n").find(behind) == kNone) return "a tag with nothing behind it";
  if (tag.starts_with("!<")) return nullptr;
  tag.remove_prefix(tag.starts_with("!!") ? 2 : 1);
  return tag.find_first_not_of(letters) == kNone ? nullptr : "a tag that is no word";
}

const char* refuse_tab_before(std::string_view text, std::size_t begin) {
  auto i = begin;
  bool tab = false;
  for (; i > 0 && (text[i - 1] == ' ' || text[i - 1] == '\t'); --i) tab = tab || text[i - 1] == '\t';
  if (!tab) return nullptr;
  const bool behind_sign = i > 0 && (text[i - 1] == '-' || text[i - 1] == '?');
  return i == 0 || text[i - 1] == '\n' || behind_sign ? "a tab where YAML has spaces" : nullptr;
}

bool not_indented(std::string_view text, std::size_t map_begin, std::size_t key_end, std::size_t value_begin) {
  if (value_begin < key_end || text.substr(key_end, value_begin - key_end).find('\n') == kNone) return false;
  const auto column = [&](std::size_t position) {
    const auto newline = position == 0 ? kNone : text.rfind('\n', position - 1);
    return newline == kNone ? position : position - newline - 1;
  };
  return column(value_begin) <= column(map_begin);
}

bool lacks_colon(std::string_view text, std::size_t key_begin, std::size_t key_end) {
  if (at(text, skip_space(text, key_end)) == ':') return false;
  const auto before = key_begin == 0 ? kNone : text.find_last_not_of(" \t\r\n", key_begin - 1);
  return before == kNone || text[before] != '?';
}

}  // namespace gpol::manifest
