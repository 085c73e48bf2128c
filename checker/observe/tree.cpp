#include "checker/observe/tree.h"

#include <algorithm>
#include <unordered_set>

#include "checker/observe/documents.h"
#include "checker/observe/json.h"
#include "checker/observe/line_ends.h"
#include "checker/observe/simple_yaml.h"
#include "checker/observe/spans.h"
#include "checker/observe/templates.h"

namespace gpol::manifest {
namespace {

Tree parse_foreign(std::string_view text) {
  if (text.size() > kFlowLimit && text.find_first_of("[{") != std::string_view::npos)
    return {std::nullopt, "is larger than 1 MiB and is not written as kubectl writes: split it", 1};
  const auto directive = text.starts_with('%') ? 0 : text.find("\n%");
  if (directive != std::string_view::npos)
    return {std::nullopt, "holds a line that begins with %, a directive: kubectl cannot read that",
            line_at(text, std::min(directive + 1, text.size()))};
  // kubectl ends the last line where the file does not.
  if (text.ends_with('\n')) return parse_with_yaml_cpp(text, Reading::Kubernetes);
  return parse_with_yaml_cpp(std::string(text) + "\n", Reading::Kubernetes);
}

// Behind a quoted text.
std::size_t end_of_quotes(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote) at += quote == '"' && text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

// yaml-cpp takes a bracket that nothing closes, or too many of them, for a key.
Tree with_open_bracket(Tree tree, std::string_view text) {
  if (tree.root || !tree.refused_at || tree.refused != "holds a key that is not text") return tree;
  const auto line = text.substr(0, *tree.refused_at).rfind('\n');
  const auto begin = text.find_first_of("[{", line == std::string_view::npos ? 0 : line + 1);
  if (begin > *tree.refused_at) return tree;
  const auto refuse = [&](std::string why, std::size_t at, std::size_t place) {
    return Tree{std::nullopt, std::move(why), line_at(text, at), place};
  };
  int depth = 0;
  char sign = ' ';  // the last that is no space
  for (std::size_t at = begin; at < text.size();) {
    const char c = text[at], before = at == begin ? ' ' : text[at - 1];
    if ((c == '"' || c == '\'') && std::string_view("[{,:").find(sign) != std::string_view::npos) {
      sign = c;
      at = end_of_quotes(text, at);
      continue;
    }
    if (c == '#' && (before == ' ' || before == '\t' || before == '\n'))
      at = std::min(text.find('\n', at), text.size());
    if ((c == '[' || c == '{') && ++depth > kDepthLimit) return refuse("holds more than 64 nested levels", at, at);
    if ((c == ']' || c == '}') && --depth == 0) return tree;
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != '#') sign = c;
    ++at;
  }
  const auto last = text.find_last_not_of(" \t\r\n");
  return refuse("ends inside a `[` or a `{` that nothing closes", last, last + 1);
}

// A template is rarely YAML, and what its reader stumbles over does not say so; nor does it where a text is cut off:
// then the place is behind all that there is, some lines on.
Tree with_hint(Tree tree, std::string_view text) {
  if (tree.root) return tree;
  const auto last = text.find_last_not_of(" \t\r\n");
  if (tree.refused_at && last != std::string_view::npos && *tree.refused_at > last) {
    tree.refused_at = last + 1;
    tree.refused_line = line_at(text, last);
  }
  if (const auto mark = looks_like_template(text)) {
    const int line = line_at(text, mark->at);
    const bool here = line == tree.refused_line;
    tree.refused += here ? "; it " : "; line " + std::to_string(line) + " of it ";
    tree.refused += mark->says;
    if (here) tree.refused_at = mark->at;
  }
  return tree;
}

}  // namespace

const Entry* duplicate_key(const Node& map) {
  const auto& entries = map.entries;
  if (entries.size() <= 12) {
    for (std::size_t i = 1; i < entries.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (entries[i].key == entries[j].key) return &entries[i];
    return nullptr;
  }
  std::unordered_set<std::string_view> keys;
  for (const auto& entry : entries)
    if (!keys.insert(entry.key).second) return &entry;
  return nullptr;
}

std::string twice(const Entry& entry) { return "holds the key `" + entry.key.substr(0, 80) + "` twice in one mapping"; }

Tree parse_document(std::string_view text, Reading reading) {
  if (reading == Reading::Kubernetes)
    if (const auto ends = LineEnds::of(text)) {
      Tree tree = parse_document(ends->text(), reading);
      ends->put_back(tree);
      return tree;
    }
  if (auto root = read_simple(text, reading)) return {std::move(root), {}, 0};
  if (reading == Reading::Strict) return parse_with_yaml_cpp(text, reading);
  if (auto tree = text.starts_with('{') ? read_json(text) : std::nullopt) return *std::move(tree);
  return with_hint(with_open_bracket(parse_foreign(text), text), text);
}

Node::Node() = default;
Node::Node(const Node&) = default;
Node::Node(Node&&) noexcept = default;
Node& Node::operator=(const Node&) = default;
Node& Node::operator=(Node&&) noexcept = default;
Node::~Node() = default;

}  // namespace gpol::manifest
