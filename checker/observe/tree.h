// One YAML document as a small tree. In: the text of a document. Out: its nodes, or why it is refused: malformed YAML,
// duplicate keys, nesting beyond 64, and what the reading refuses.
// libyaml.cpp is the only part of observe that sees libyaml.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/source/span.h"
#include "compiler/source/special_members.h"

namespace gpol::manifest {

inline constexpr int kDepthLimit = 64;
inline constexpr const char* kTooDeep = "holds more than 64 nested levels";
// A dump of 64 MiB has two million.
inline constexpr std::size_t kNodeLimit = 4'000'000;
inline constexpr const char* kTooMany = "holds more than 4 million values: split it";
// What aliases and merge keys may add to one document, in bytes of tree. Kubernetes has a limit of its own, and its API
// server takes no object above 3 MiB.
inline constexpr std::size_t kAliasLimit = 16U << 20U;

enum class Reading : std::uint8_t {
  // What all YAML readers agree on: no anchors, aliases, tags, merge keys, keys that are not text. A plain scalar on
  // which
  // they disagree (yes, 017, 1_000, 1:30, 2026-01-01, 1.5) is Ambiguous, and whoever asks for its value gets a problem
  // instead of a guess. For what `build` wrote.
  Strict,
  // What kubectl sends for it: the JSON that sigs.k8s.io/yaml makes of it. For what others wrote.
  Kubernetes,
};

struct Entry;

struct Node {
  enum class Kind : std::uint8_t { Null, Text, Integer, Float, Bool, Ambiguous, List, Map } kind = Kind::Null;
  int line = 0;  // 1-based within the document
  // Bytes of the document's text: a scalar with its quotes, a mapping or a list from the first character of its first
  // entry (of flow style: its bracket) to the end of its last; an empty null is nothing, behind its colon or dash.
  // What an alias stands for lies where its anchor is.
  std::uint32_t begin = 0, end = 0;
  // Set where a document was put together from several files (kustomize/build.h): begin and end are then bytes of that
  // file and `line` is its line.
  FileId file = kNoFile;
  bool quoted = false;  // a text in quotes or a block of text, a null that is written out; known of such documents only
  // Of a scalar, without quotes. Strict: as written. Kubernetes: numbers and booleans as JSON has them ("15" of 017).
  std::string text;
  std::vector<Node> items;
  std::vector<Entry> entries;

  GPOL_SPECIAL_MEMBERS(Node);
};

struct Entry {
  std::string key;
  Node value;
  std::uint32_t begin = 0, end = 0;  // of the key, with its quotes
  mutable bool read = false;         // set by whoever looked at it: what nobody looked at is reported (view.h)
  FileId file = kNoFile;             // as of a Node
};

struct Tree {
  std::optional<Node> root;  // absent: refused
  std::string refused;
  int refused_line = 0;                        // 1-based within the document
  std::optional<std::size_t> refused_at = {};  // in that line or, of what is cut off, behind the last character
  bool aliases = false;                        // some of its nodes stand for the same text
  bool kubectl_reads_on = false;               // refused by gpol alone: a limit, a key twice
};

// Through libyaml (libyaml.h); what begins with "{" and is JSON, as kubectl, as JSON (json.h).
Tree parse_document(std::string_view text, Reading reading = Reading::Strict);

// As Kubernetes' reading takes YAML, be it JSON or not: of a document behind a separator.
Tree parse_as_yaml(std::string_view text);

// The second entry with a key that the mapping has already; null when there is none.
const Entry* duplicate_key(const Node& map);
std::string twice(const Entry& entry);  // the sentence about it

}  // namespace gpol::manifest
