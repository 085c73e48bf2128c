// Positions. A span is a half-open range of byte offsets into one file of a SourceSet; line and column are worked
// out only when something is printed (SourceSet::position).
#pragma once

#include <cstdint>

namespace gpol {

using FileId = std::uint32_t;
inline constexpr FileId kNoFile = UINT32_MAX;

struct Span {
  FileId file = kNoFile;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool known() const { return file != kNoFile; }
  friend auto operator<=>(const Span&, const Span&) = default;
};

// The smallest span that covers both; both must lie in the same file.
inline Span join(Span a, Span b) { return {a.file, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end}; }

}  // namespace gpol
