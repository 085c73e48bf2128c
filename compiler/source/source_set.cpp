#include "compiler/source/source_set.h"

#include <algorithm>

#include "compiler/source/utf8.h"

namespace gpol {

namespace {

constexpr std::uint32_t kBlock = 1024;  // bytes whose code points are counted when a column is asked for

}  // namespace

FileId SourceSet::add(std::string path, std::string text, bool built_in) {
  File file{std::move(path), std::move(text), {0}, {}, built_in};
  if (file.text.starts_with(kByteOrderMark)) file.line_starts.front() = kByteOrderMark.size();
  std::uint32_t code_points = 0;
  for (std::uint32_t i = 0; i < file.text.size(); ++i) {
    if (i % kBlock == 0) file.code_points.push_back(code_points);
    if (starts_code_point(file.text[i])) ++code_points;
    if (file.text[i] == '\n') file.line_starts.push_back(i + 1);
  }
  file.code_points.push_back(code_points);
  files_.push_back(std::move(file));
  return static_cast<FileId>(files_.size() - 1);
}

std::uint32_t SourceSet::code_points_before(const File& file, std::uint32_t offset) {
  const std::uint32_t block = offset / kBlock;
  const auto begin = file.text.begin() + static_cast<std::ptrdiff_t>(block) * kBlock;
  const auto more = std::count_if(begin, file.text.begin() + offset, starts_code_point);
  return file.code_points[block] + static_cast<std::uint32_t>(more);
}

LineColumn SourceSet::position(FileId file, std::uint32_t offset) const {
  const File& f = files_.at(file);
  // Whatever stands at the byte order mark stands at the first character.
  offset = std::clamp(offset, f.line_starts.front(), static_cast<std::uint32_t>(f.text.size()));
  const auto next = std::ranges::upper_bound(f.line_starts, offset);
  const auto start = *(next - 1);
  LineColumn at;
  at.line = static_cast<int>(next - f.line_starts.begin());
  at.column = 1 + static_cast<int>(code_points_before(f, offset) - code_points_before(f, start));
  return at;
}

std::string_view SourceSet::line(FileId file, int line) const {
  const File& f = files_.at(file);
  if (line < 1 || static_cast<std::size_t>(line) > f.line_starts.size()) return {};
  const auto index = static_cast<std::size_t>(line);
  const std::size_t begin = f.line_starts[index - 1];
  std::size_t end = index < f.line_starts.size() ? f.line_starts[index] - 1 : f.text.size();
  if (end > begin && f.text[end - 1] == '\r') --end;
  return std::string_view(f.text).substr(begin, end - begin);
}

std::string_view SourceSet::slice(Span span) const {
  return std::string_view(text(span.file)).substr(span.begin, span.end - span.begin);
}

UseId SourceSet::add_use(Span reference) {
  uses_.push_back(reference);
  return static_cast<UseId>(uses_.size());
}

Span SourceSet::used_at(Span span) const {
  Span at;
  while (span.use != kNoUse) span = at = uses_.at(span.use - 1);
  return at;
}

}  // namespace gpol
