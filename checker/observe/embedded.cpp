#include "checker/observe/embedded.h"

#include <algorithm>
#include <charconv>

#include "compiler/source/utf8.h"

namespace gpol::manifest {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// One character as it is written: how many bytes it takes there, and what it is; a blank where it is one.
struct Written {
  std::size_t size = 1;
  char is = ' ';
  bool beyond_ascii = false;  // by its number: what it is takes several bytes
};

Written escaped(std::string_view rest) {
  if (rest.size() < 2) return {1, '\0', false};
  const char c = rest[1];
  if (const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0; digits > 0) {
    std::uint32_t number = 0;
    const auto hex = rest.substr(2, digits);
    std::from_chars(hex.data(), hex.data() + hex.size(), number, 16);
    if (number >= 0x80) return {2 + hex.size(), '\0', true};
    return {2 + hex.size(), number < 0x20 ? ' ' : static_cast<char>(number), false};
  }
  // A line break, a tab and what else is no character to be seen; the rest stands for itself.
  constexpr std::string_view kBlanks = "nrtbfve0a \t\n\r";
  return {2, kBlanks.find(c) != std::string_view::npos ? ' ' : c, false};
}

Written at_start(std::string_view rest, char quote) {
  if (quote == '"' && rest.front() == '\\') return escaped(rest);
  if (quote == '\'' && rest.starts_with("''")) return {2, '\'', false};
  return {1, blank(rest.front()) ? ' ' : rest.front(), false};
}

}  // namespace

// Folding, chomping and indentation change blanks and line breaks and nothing else: what is not one of them stands in
// what is written in the same order as in the text.
std::optional<std::vector<std::uint32_t>> origins_of(std::string_view written, std::string_view text) {
  if (written.empty()) return std::nullopt;
  const char quote = written.front() == '"' || written.front() == '\'' ? written.front() : '\0';
  std::size_t at = quote != '\0' ? 1 : 0;
  if (written.front() == '|' || written.front() == '>') at = std::min(written.find('\n'), written.size());
  std::vector<std::uint32_t> origins;
  origins.reserve(text.size() + 1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (blank(text[i])) {
      origins.push_back(static_cast<std::uint32_t>(at));
      continue;
    }
    Written next;
    while (at < written.size() && (next = at_start(written.substr(at), quote)).is == ' ') at += next.size;
    if (at >= written.size() || (!next.beyond_ascii && next.is != text[i])) return std::nullopt;
    origins.push_back(static_cast<std::uint32_t>(at));
    for (; next.beyond_ascii && i + 1 < text.size() && !starts_code_point(text[i + 1]); ++i)
      origins.push_back(static_cast<std::uint32_t>(at));
    at += next.size;
  }
  origins.push_back(static_cast<std::uint32_t>(at));
  return origins;
}

Node config_map_of(const std::string& name, Node data) {
  const Node whole = data;
  const auto text = [](std::string what) {
    Node node;
    node.kind = Node::Kind::Text;
    node.text = std::move(what);
    return node;
  };
  const auto map = [](auto... entries) {
    Node node;
    node.kind = Node::Kind::Map;
    for (auto& [key, value] : {std::pair<const char*, Node>(entries)...}) {
      node.entries.emplace_back().key = key;
      node.entries.back().value = value;
    }
    return node;
  };
  Node made = map(std::pair{"apiVersion", text("v1")}, std::pair{"kind", text("ConfigMap")},
                  std::pair{"metadata", map(std::pair{"name", text(name)})});
  stand_at(whole, made);
  made.entries.emplace_back().key = "data";
  made.entries.back().value = std::move(data);
  return made;
}

void stand_at(const Node& whole, Node& node) {
  node.begin = whole.begin, node.end = whole.end, node.line = whole.line, node.file = whole.file;
  for (Node& item : node.items) stand_at(whole, item);
  for (Entry& entry : node.entries) {
    entry.begin = whole.begin, entry.end = whole.end;
    stand_at(whole, entry.value);
  }
}

void move_to(const std::vector<std::uint32_t>& origins, std::uint32_t begin, int line, Node& node) {
  const auto moved = [&](std::uint32_t at) { return begin + origins[std::min<std::size_t>(at, origins.size() - 1)]; };
  // What ends behind a character ends behind it there, whatever blanks follow.
  const auto moved_end = [&](std::uint32_t from, std::uint32_t to) {
    return to > from ? begin + origins[std::min<std::size_t>(to, origins.size() - 1) - 1] + 1 : moved(from);
  };
  node.end = moved_end(node.begin, node.end);
  node.begin = moved(node.begin);
  node.line = line;
  for (Node& item : node.items) move_to(origins, begin, line, item);
  for (Entry& entry : node.entries) {
    entry.end = moved_end(entry.begin, entry.end);
    entry.begin = moved(entry.begin);
    move_to(origins, begin, line, entry.value);
  }
}

}  // namespace gpol::manifest
