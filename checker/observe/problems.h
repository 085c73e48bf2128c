// Where the readers put what they do not understand. It knows which document is being read, so that a reader names only
// the field; a file full of mistakes does not fill memory: after 100 problems in one file the rest is summed up.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/observe/observe.h"
#include "checker/observe/tree.h"

namespace gpol::manifest {

// A document, to report something about it later.
struct Place {
  std::string file;
  int document = 0;
  int first_line = 1;        // of the document, 1-based in the file
  FileId index = kNoFile;    // of the file, in the order in which files were given
  std::uint32_t offset = 0;  // of the document's first byte in the file

  Span key(const Entry& entry) const {
    if (entry.file != kNoFile) return {entry.file, entry.begin, entry.end};
    return {index, offset + entry.begin, offset + entry.end};
  }
  Span span(const Node& node) const {
    if (node.file != kNoFile) return {node.file, node.begin, node.end};
    return {index, offset + node.begin, offset + node.end};
  }
};

enum class Trouble : std::uint8_t { Wrong, NotModelled };

class Problems {
 public:
  void enter(Place place);
  const Place& place() const { return place_; }
  // `line` is 1-based within the document.
  void add(std::string field, std::string what, int line);
  void add(std::string field, std::string what, const Node& at, Trouble trouble = Trouble::Wrong);
  void add_at(const Place& place, std::string field, std::string what, int line, Span span = {},
              Trouble trouble = Trouble::Wrong);
  std::vector<NotUnderstood> take() { return count_ = 0, std::exchange(list_, {}); }

 private:
  Place place_;
  std::string counted_file_;
  int count_ = 0;
  std::vector<NotUnderstood> list_;
};

// User text inside a message: in back-ticks, cut after 80 bytes, with control characters replaced.
std::string shown(std::string_view text);

// A field below `path`: "spec.nodeLabels[example.com/pool]", a key in brackets where a dot would mislead.
void append_key(std::string& path, std::string_view key);

}  // namespace gpol::manifest
