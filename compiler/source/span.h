// Positions. A span is a half-open range of byte offsets into one file of a SourceSet; line and column are worked
// out only when something is printed (SourceSet::position). What was written in a definition also knows for which use
// of it it was read: the same words mean another thing at each use (SourceSet::used_at).
#pragma once

#include <cstdint>

namespace gpol {

using FileId = std::uint32_t;
inline constexpr FileId kNoFile = UINT32_MAX;

using UseId = std::uint32_t;
inline constexpr UseId kNoUse = 0;

struct Span {
  FileId file = kNoFile;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  UseId use = kNoUse;

  bool known() const { return file != kNoFile; }
  friend auto operator<=>(const Span&, const Span&) = default;
};

// The smallest span that covers both; where they do not lie in the same file, or not in the same use of a definition,
// there is none, and it is the first.
inline Span join(Span a, Span b) {
  if (a.file != b.file || a.use != b.use) return a;
  return {a.file, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end, a.use};
}

}  // namespace gpol
