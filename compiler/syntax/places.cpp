#include "compiler/syntax/places.h"

#include <algorithm>

namespace gpol::syntax {

const Piece& Places::piece(std::uint32_t at) const {
  const auto next = std::ranges::upper_bound(pieces_, at, {}, &Piece::begin);
  return *(next == pieces_.begin() ? next : next - 1);
}

Span Places::span(std::uint32_t begin, std::uint32_t end) const {
  const Piece& first = piece(begin);
  const std::uint32_t from = first.at + (begin - first.begin);
  if (end <= begin) return {first.file, from, from, first.use};
  const Piece& last = piece(end - 1);
  const std::uint32_t to = last.at + (end - last.begin);
  if (last.file == first.file && last.use == first.use && to >= from) return {first.file, from, to, first.use};
  const Piece* next = &first + 1;  // there is one: `last` is another piece
  return {first.file, from, first.at + (next->begin - first.begin), first.use};
}

}  // namespace gpol::syntax
