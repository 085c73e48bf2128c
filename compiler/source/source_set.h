// The texts a run has read, and where their definitions were used. In: path and bytes. Out: a FileId that spans point
// into, and line and column of an offset.
// It reads nothing from disk (cli/ does) and never fails. A line ends at LF or CRLF; a byte order mark at the start of
// a file is not part of its text, neither a column nor shown. One look-up costs the same wherever it is, also in a line
// of megabytes.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/source/span.h"

namespace gpol {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct LineColumn {
  int line = 1;    // 1-based
  int column = 1;  // 1-based, in code points (a tab is one)
};

// A place in a file of documents, as those who read such files name it.
struct DocumentPlace {
  int document = 0;   // 0-based
  std::string field;  // "spec.resourceGroups[0].flavors[1].name"; empty: the whole document
};

class SourceSet {
 public:
  // Whoever read files of documents says what stands where in them.
  using PlaceFinder = std::function<std::optional<DocumentPlace>(Span)>;
  void set_place_finder(PlaceFinder finder) { finder_ = std::move(finder); }
  std::optional<DocumentPlace> document_place(Span span) const { return finder_ ? finder_(span) : std::nullopt; }

  // `built_in`: of the library that comes with gpol; its path is no place on the disk.
  FileId add(std::string path, std::string text, bool built_in = false);
  bool built_in(FileId file) const { return files_.at(file).built_in; }
  const std::string& path(FileId file) const { return files_.at(file).path; }
  const std::string& text(FileId file) const { return files_.at(file).text; }
  std::size_t size() const { return files_.size(); }
  LineColumn position(FileId file, std::uint32_t offset) const;
  // The text of a 1-based line without its line break; empty when there is no such line.
  std::string_view line(FileId file, int line) const;
  std::string_view slice(Span span) const;

  // A use of a definition: the reference to it, which may stand in a definition itself.
  UseId add_use(Span reference);
  // Where the author wrote it: the outermost of the references through which a span came about; unknown for one that
  // stands in no definition.
  Span used_at(Span span) const;

 private:
  struct File;
  static std::uint32_t code_points_before(const File& file, std::uint32_t offset);
  struct File {
    std::string path;
    std::string text;
    std::vector<std::uint32_t> line_starts;
    std::vector<std::uint32_t> code_points;  // before each block of the text
    bool built_in = false;
  };
  std::deque<File> files_;  // a deque: texts stay where they are
  std::vector<Span> uses_;  // the use n is the one at n - 1
  PlaceFinder finder_;
};

}  // namespace gpol
