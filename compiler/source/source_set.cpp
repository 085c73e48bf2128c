#include "compiler/source/source_set.h"

#include <algorithm>

namespace gpol {

FileId SourceSet::add(std::string path, std::string text) {
  File file{std::move(path), std::move(text), {0}};
  for (std::uint32_t i = 0; i < file.text.size(); ++i)
    if (file.text[i] == '\n') file.line_starts.push_back(i + 1);
  files_.push_back(std::move(file));
  return static_cast<FileId>(files_.size() - 1);
}

LineColumn SourceSet::position(FileId file, std::uint32_t offset) const {
  const File& f = files_.at(file);
  offset = std::min<std::uint32_t>(offset, static_cast<std::uint32_t>(f.text.size()));
  const auto next = std::upper_bound(f.line_starts.begin(), f.line_starts.end(), offset);
  const auto start = *(next - 1);
  LineColumn at;
  at.line = static_cast<int>(next - f.line_starts.begin());
  // A UTF-8 continuation byte (10xxxxxx) does not start a code point.
  at.column = 1 + static_cast<int>(std::count_if(f.text.begin() + start, f.text.begin() + offset,
                                                 [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
  return at;
}

std::string_view SourceSet::line(FileId file, int line) const {
  const File& f = files_.at(file);
  if (line < 1 || static_cast<std::size_t>(line) > f.line_starts.size()) return {};
  const std::size_t begin = f.line_starts[static_cast<std::size_t>(line) - 1];
  std::size_t end = f.text.find('\n', begin);
  if (end == std::string::npos) end = f.text.size();
  if (end > begin && f.text[end - 1] == '\r') --end;
  return std::string_view(f.text).substr(begin, end - begin);
}

std::string_view SourceSet::slice(Span span) const {
  return std::string_view(text(span.file)).substr(span.begin, span.end - span.begin);
}

}  // namespace gpol
