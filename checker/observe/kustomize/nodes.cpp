#include "checker/observe/kustomize/nodes.h"

#include <algorithm>
#include <utility>

#include "checker/observe/fields.h"

namespace gpol::manifest::kustomize {

using Kind = Node::Kind;

const Node* find(const Node& map, std::string_view key) { return field(map, key); }

Node* find(Node& map, std::string_view key) { return const_cast<Node*>(find(std::as_const(map), key)); }

bool is_null(const Node* node) { return node == nullptr || node->kind == Kind::Null; }

bool is_scalar(const Node& node) {
  return node.kind != Kind::Null && node.kind != Kind::List && node.kind != Kind::Map;
}

std::string text_of(const Node* scalar) { return scalar != nullptr && is_scalar(*scalar) ? scalar->text : ""; }

std::string text_at(const Node& map, std::string_view key) { return text_of(find(map, key)); }

Node made(Kind kind, std::string text, const Node& at) {
  Node node;
  node.kind = kind;
  node.line = at.line;
  node.begin = at.begin;
  node.end = at.end;
  node.file = at.file;
  node.text = std::move(text);
  return node;
}

Node& put(Node& map, std::string_view key, Node value) {
  if (Node* old = find(map, key)) return *old = std::move(value);
  Entry entry;
  entry.key = key;
  entry.begin = value.begin;
  entry.end = value.end;
  entry.file = value.file;
  entry.value = std::move(value);
  map.entries.push_back(std::move(entry));
  return map.entries.back().value;
}

void erase(Node& map, std::string_view key) {
  std::erase_if(map.entries, [&](const Entry& entry) { return entry.key == key; });
}

Node& mapping_at(Node& map, std::string_view key, const Node& at) {
  if (Node* found = find(map, key); found != nullptr && found->kind == Kind::Map) return *found;
  return put(map, key, made(Kind::Map, "", at));
}

Span span_of(const Node& node) { return {node.file, node.begin, node.end}; }

bool deeper_than(const Node& node, int levels) {
  const auto deeper = [&](const Node& below) { return deeper_than(below, levels - 1); };
  return levels < 0 || std::ranges::any_of(node.items, deeper) ||
         std::ranges::any_of(node.entries, deeper, &Entry::value);
}

std::size_t tree_bytes(const Node& node) {
  std::size_t bytes = sizeof(Node) + node.text.size();
  for (const Node& item : node.items) bytes += tree_bytes(item);
  for (const Entry& entry : node.entries)
    bytes += sizeof(Entry) - sizeof(Node) + entry.key.size() + tree_bytes(entry.value);
  return bytes;
}

}  // namespace gpol::manifest::kustomize
