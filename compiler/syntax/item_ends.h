// Where the item that holds a mistake ends, so that reading goes on with the next. In: the words of a declaration. Out:
// places among them. Private to the parser (compiler/syntax/parse.cpp).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "compiler/syntax/tokens.h"

namespace gpol::syntax {

class ItemEnds {
 public:
  ItemEnds(std::string_view text, const GrammarFacts& facts, std::span<const Token> words)
      : text_(text), facts_(facts), words_(words) {}

  std::string_view written(std::size_t i) const {
    return text_.substr(words_[i].begin, words_[i].end - words_[i].begin);
  }
  bool starts_line(std::size_t i) const {
    const std::uint32_t before = i > 0 ? words_[i - 1].end : 0;
    return text_.substr(before, words_[i].begin - before).find('\n') != std::string_view::npos;
  }

  // Where an item begins that holds the word at `i`, as its line and what ends items tell.
  std::size_t begin(std::size_t i) const;

  // What a diagnostic says was expected at a word between items: of an item's beginning, and of what would have gone
  // on with the item before. With a `,` it would have, unless the word is an item's mistyped.
  KindSet expected(std::size_t wrong, const KindSet& beginning, const KindSet& going_on) const;

  // The last of the words that stand together from `i` on, and the one behind it: one word to the author.
  std::size_t end_of_word(std::size_t i) const;

  // The end of an item: its `;`, the `}` of its block, or a word that starts a line and can start an item, mistyped
  // ones too. `depth`: how many braces are open. `unopened`: the items of a block whose `{` is missing, as one of
  // those.
  std::size_t end(std::size_t from, Rule items, std::size_t depth, std::optional<Rule> unopened) const;

  // `each 8 gpus; 192 cpu; 2 TiB`: where the list ends whose parts stand apart as items do, by `;` or by lines, from
  // the first such part on; 0 where the word at `i` is no part. `expected`: what would have fitted before it.
  std::size_t list_end(std::size_t i, Rule items, const KindSet& expected) const;

 private:
  bool is_part(std::size_t i, Rule items) const;
  // `gpus: 8; cpu: 192`: what stands behind the `;` belongs to the same list, and so to the same mistake.
  bool named_amounts_go_on(std::size_t i) const;

  std::string_view text_;
  const GrammarFacts& facts_;
  std::span<const Token> words_;
};

}  // namespace gpol::syntax
