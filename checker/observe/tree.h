// One YAML document as a small tree. In: the text of a document. Out: its nodes, or why it is refused: malformed YAML,
// anchors, aliases, tags, merge keys, keys that are not text, duplicate keys, nesting beyond 64.
// A plain scalar keeps what YAML readers agree on: null, bool, integer, text; where they disagree (yes, 017, 1_000,
// 1:30, 2026-01-01, 1.5) it is Ambiguous, and whoever asks for its value gets a problem instead of a guess.
// tree.cpp is the only part of observe that sees yaml-cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpol::manifest {

inline constexpr int kDepthLimit = 64;

struct Entry;

struct Node {
  enum class Kind : std::uint8_t { Null, Text, Integer, Bool, Ambiguous, List, Map } kind = Kind::Null;
  int line = 0;      // 1-based within the document
  std::uint32_t begin = 0, end = 0;
  std::string text;  // of a scalar, as written (without quotes)
  std::vector<Node> items;
  std::vector<Entry> entries;
};

struct Entry {
  std::string key;
  Node value;
  std::uint32_t begin = 0, end = 0;  // of the key, with its quotes
  mutable bool read = false;  // set by whoever looked at it: what nobody looked at is reported (view.h)
};

struct Tree {
  std::optional<Node> root;  // absent: refused
  std::string refused;
  int refused_line = 0;  // 1-based within the document
};

// Reads what is simple directly (simple_yaml.h) and the rest through yaml-cpp.
Tree parse_document(std::string_view text);
// Always through yaml-cpp.
Tree parse_with_yaml_cpp(std::string_view text);

// The second entry with a key that the mapping has already; null when there is none.
const Entry* duplicate_key(const Node& map);

// What a plain (unquoted) scalar is.
Node::Kind plain_kind(std::string_view text);

}  // namespace gpol::manifest
