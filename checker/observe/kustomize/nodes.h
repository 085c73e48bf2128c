// Small edits of trees. In: nodes. Out: nodes, which keep the place of what they were made from.
#pragma once

#include <string>
#include <string_view>

#include "checker/observe/tree.h"

namespace gpol::manifest::kustomize {

Node* find(Node& map, std::string_view key);  // null where it is no mapping or has no such key
const Node* find(const Node& map, std::string_view key);
bool is_null(const Node* node);           // absent or null
std::string text_of(const Node* scalar);  // empty where it is none
std::string text_at(const Node& map, std::string_view key);
bool is_scalar(const Node& node);

// A node that stands for what `at` asked for.
Node made(Node::Kind kind, std::string text, const Node& at);
inline Node made_text(std::string text, const Node& at) { return made(Node::Kind::Text, std::move(text), at); }
// The value of a key, which is put in behind the others where it is new.
Node& put(Node& map, std::string_view key, Node value);
void erase(Node& map, std::string_view key);
// The mapping at a key; made where there is none.
Node& mapping_at(Node& map, std::string_view key, const Node& at);

Span span_of(const Node& node);
bool deeper_than(const Node& node, int levels);
std::size_t tree_bytes(const Node& node);

}  // namespace gpol::manifest::kustomize
