// Where the bytes of a text were written: of a file at the same place, of an expansion where each part of it comes
// from. In: offsets into the text that is parsed. Out: spans of files, the only ones that anybody else sees.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/source/span.h"

namespace gpol::syntax {

// From `begin` of the text on, up to the next piece, the bytes are those of `file` from `at` on.
struct Piece {
  std::uint32_t begin = 0;
  FileId file = kNoFile;
  std::uint32_t at = 0;
  UseId use = kNoUse;
};

class Places {
 public:
  explicit Places(FileId file) : pieces_{{0, file, 0, kNoUse}} {}
  explicit Places(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {}

  // What lies in several pieces is covered where that is one stretch of a file, else only its beginning is named.
  Span span(std::uint32_t begin, std::uint32_t end) const;

 private:
  const Piece& piece(std::uint32_t at) const;
  std::vector<Piece> pieces_;  // by `begin`, the first at 0; none is empty
};

}  // namespace gpol::syntax
