#include "compiler/syntax/item_ends.h"

#include <algorithm>

#include "compiler/source/lookup.h"
#include "compiler/syntax/mistake.h"

namespace gpol::syntax {

std::size_t ItemEnds::end(std::size_t from, Rule items, std::size_t depth, std::optional<Rule> unopened) const {
  const KindSet& first = facts_.first_of(items);
  std::size_t i = from;
  for (; words_[i].kind != Kind::END; ++i) {
    const Kind kind = words_[i].kind;
    if (unopened && depth == 1 && has(first, kind) && !has(facts_.first_of(*unopened), kind) && starts_line(i)) break;
    if (depth == 0) {
      if (kind == Kind::SEMICOLON && named_amounts_go_on(i)) continue;
      if (kind == Kind::SEMICOLON || kind == Kind::RBRACE) break;
      if (i > 0 && (has(first, kind) || (kind == Kind::ID && i > from)) && starts_line(i))
        if (has(first, kind) || nearest_word(written(i), first)) break;
    }
    if (kind == Kind::LBRACE) ++depth;
    if (kind == Kind::RBRACE) --depth;
  }
  return i;
}

std::size_t ItemEnds::begin(std::size_t i) const {
  constexpr Kind kEnds[] = {Kind::SEMICOLON, Kind::LBRACE, Kind::RBRACE};
  while (i > 0 && !contains(kEnds, words_[i - 1].kind) && !starts_line(i)) --i;
  return i;
}

KindSet ItemEnds::expected(std::size_t wrong, const KindSet& beginning, const KindSet& going_on) const {
  if (starts_line(wrong)) return beginning;
  const KindSet inner = going_on & ~beginning;
  const bool listed = has(inner, Kind::COMMA) && !nearest_word(written(wrong), beginning);
  return listed ? inner : going_on | beginning;
}

std::size_t ItemEnds::end_of_word(std::size_t i) const {
  std::size_t last = std::min(i + 1, words_.size() - 1);
  while (last + 1 < words_.size() && words_[last - 1].end == words_[last].begin) ++last;
  return last;
}

bool ItemEnds::named_amounts_go_on(std::size_t i) const {
  const auto named = [&](std::size_t at) {  // words_ ends with END
    constexpr Kind kNumbers[] = {Kind::NUMBER, Kind::MEASURE};
    const bool is_word = words_[at].kind == Kind::ID || words_[at].kind == Kind::MEMORY;
    if (!is_word || (words_[at + 1].kind != Kind::COLON && words_[at + 1].kind != Kind::EQUALS)) return false;
    return contains(kNumbers, words_[at + 2].kind);
  };
  const Kind sign = i >= 2 ? words_[i - 2].kind : Kind::END;
  return (sign == Kind::COLON || sign == Kind::EQUALS) && words_[i - 1].kind != Kind::SEMICOLON && named(i + 1);
}

std::size_t ItemEnds::list_end(std::size_t i, Rule items, const KindSet& expected) const {
  if (!has(expected, Kind::COMMA)) return 0;
  const auto ends = [&](std::size_t at) {
    const Kind kind = words_[at].kind;
    return kind == Kind::SEMICOLON || kind == Kind::RBRACE || kind == Kind::END ||
           (starts_line(at) && words_[at - 1].kind != Kind::COMMA);
  };
  std::size_t end = 0;
  while (is_part(i, items)) {
    do ++i;
    while (!ends(i));
    end = i;
    if (words_[i].kind == Kind::SEMICOLON) ++i;
  }
  return end;
}

// May the word at `i` be a part of a list, and no item?
bool ItemEnds::is_part(std::size_t i, Rule items) const {
  const KindSet& first = facts_.first_of(items);
  const Kind kind = words_[i].kind;
  if (has(first, kind)) return false;
  std::size_t item = i;
  while (item > 0 && words_[item - 1].kind != Kind::LBRACE && !has(first, words_[item].kind)) --item;
  if (kind == Kind::PREEMPTS) return words_[item].kind == Kind::OUTSIDE;
  if (kind != Kind::ID) {
    constexpr Kind kParts[] = {Kind::NUMBER, Kind::MEASURE, Kind::STRING, Kind::SURGE,
                               Kind::USER,   Kind::GROUP,   Kind::PROFILE};
    return contains(kParts, kind);
  }
  const Kind next = words_[i + 1].kind;
  if (next == Kind::SEMICOLON || next == Kind::RBRACE || next == Kind::COMMA) return true;
  if ((next != Kind::NUMBER && next != Kind::MEASURE) || nearest_word(written(i), first)) return false;
  return words_[item].kind == Kind::START;  // its terms have names
}

}  // namespace gpol::syntax
