// What stands at a place in a file of manifests, and where a field of an object stands. In: the files. Out: document
// and field of a span; nodes of the document that an object is in. Documents are read again when they are asked for:
// findings are few, and the trees of a large dump need not stay.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checker/observe/documents.h"
#include "checker/observe/tree.h"
#include "compiler/source/source_set.h"

namespace gpol::manifest {

// A document that was read again.
struct OpenDocument {
  FileId file = kNoFile;
  int index = 0;
  std::uint32_t offset = 0;  // of its first byte in the file
  std::string_view bytes;
  Tree tree;
  Span span(const Node& node) const { return {file, offset + node.begin, offset + node.end}; }
};

class Fields {
 public:
  explicit Fields(const SourceSet& sources) : sources_(sources) {}

  std::optional<DocumentPlace> at(Span span);
  // The document that holds a place; the last one is kept. Null where it cannot be read.
  const OpenDocument* document(Span span);
  // The object that holds a place: the document's root, or an item of a List. Null where there is none.
  const Node* object(Span span);
  // Where that object stands in its document: "items[3]", or nothing.
  std::string path_of(const Node& object) const;

  // An object that says the same as one before it: names of both.
  void note_copy(Span first, Span copy) { copies_[{first.file, first.begin}].push_back(copy); }
  // Places in the copies of the object that holds a place, in the order in which they were read.
  std::vector<Span> copies_of(Span span);

 private:
  const SourceSet& sources_;
  std::map<std::pair<FileId, std::uint32_t>, std::vector<Span>> copies_;
  std::vector<std::optional<Documents>> documents_;  // by file
  OpenDocument open_;
};

const Node* field(const Node& map, std::string_view key);
// Of a map that may be null. The text is empty where there is no such entry.
const Node* at(const Node* map, std::string_view key);
std::string text_at(const Node* map, std::string_view key);
std::string text_at(const Node& map, std::string_view key);
// Of a status: the first condition of that type says so.
bool is_true(const Node* status, std::string_view condition);
// "batch" of "batch/v1"; empty: the core.
std::string group_of(const std::string& api_version);
// A whole number that is not negative; nothing: none is there.
std::optional<std::int64_t> whole_at(const Node* map, std::string_view key);

}  // namespace gpol::manifest
