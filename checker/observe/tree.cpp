#include "checker/observe/tree.h"

#include <unordered_set>

#include "checker/observe/documents.h"
#include "checker/observe/json.h"
#include "checker/observe/libyaml.h"
#include "checker/observe/spans.h"
#include "checker/observe/templates.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest {
namespace {

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
  return find_where(entries, [&](const auto& entry) { return !keys.insert(entry.key).second; });
}

std::string twice(const Entry& entry) { return "holds the key `" + entry.key.substr(0, 80) + "` twice in one mapping"; }

Tree parse_as_yaml(std::string_view text) {
  // kubectl ends the last line where the file does not.
  const bool ended = text.ends_with('\n');
  return with_hint(read_yaml(ended ? text : std::string(text).append(1, '\n'), Reading::Kubernetes), text);
}

Tree parse_document(std::string_view text, Reading reading) {
  if (reading == Reading::Strict) return read_yaml(text, reading);
  if (auto tree = text.starts_with('{') ? read_json(text) : std::nullopt) return *std::move(tree);
  return parse_as_yaml(text);
}

GPOL_SPECIAL_MEMBERS_OF(Node);

}  // namespace gpol::manifest
