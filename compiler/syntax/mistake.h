// What the parser could not read, in words for the author: what was expected, what stands there, what to do. In: the
// words of a declaration, the place, and the kinds that the grammar allows there. Out: a diagnostic (GP0101).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/syntax/tokens.h"

namespace gpol::syntax {

struct Mistake {
  std::span<const Token> tokens;         // of the declaration, the last is END
  std::size_t at = 0;                    // the word that does not fit
  KindSet expected;                      // what would have fitted
  std::size_t list_end = 0;              // where the list ends whose parts stand apart as items do; 0: it is none
  std::vector<std::size_t> starts = {};  // of the declaration and the items in it that hold the word, outermost first
};

// The first word of a text that does not fit.
struct Stopped {
  std::size_t at = 0;  // a place in the text; its end, where something is missing
  KindSet expected = {};
};
// Reads the words of a text as one declaration: nothing, if all of them fit.
struct Trial {
  std::function<std::optional<Stopped>(std::string_view text, std::span<const Token> words)> read;
  std::size_t& left;  // texts that may still be read, of one file or of all that definitions stand for
};
inline constexpr std::size_t kMostTries = 20'000;

Diagnostic describe(std::string_view text, const Findings& findings, const Mistake& mistake, const GrammarFacts& facts,
                    const Trial& trial);

// Text between declarations.
Diagnostic describe_loose(std::string_view text, const Findings& findings, const Token& found,
                          const GrammarFacts& facts, const Trial& trial);

inline std::string_view word_of(Kind kind) { return kWords[static_cast<std::size_t>(kind)]; }
bool is_word(Kind kind);  // of the language, and no sign

// A word as it is told; a hostile one may be megabytes long.
std::string quoted(std::string_view word);

// The word of the language that `written` was meant to be, among those expected.
std::optional<std::string> nearest_word(std::string_view written, const KindSet& expected);

// The block whose items a rule reads (`tenant` for tenantItem); empty for rules that read no item.
std::string_view block_of(Rule item_rule);

// The rule of the items that stand in the braces of a rule; nothing for rules without a block.
std::optional<Rule> items_of(Rule block);
// Likewise, by the word that the block begins with.
std::optional<Rule> items_of(Kind word);

// How many braces these words open and do not close: `mig { 2 x`.
std::size_t open_braces(std::span<const Token> words);

// Does an item of some block, or an item that is a block of its own, begin with this kind?
bool starts_item(Kind kind, const GrammarFacts& facts);

}  // namespace gpol::syntax
