// The words of a .gpol file as the parts of the reader pass them on: kind and place, no text of their own. Places are
// byte offsets. What kinds and rules there are is generated from grammar/ (gpol_grammar_names.h).
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "compiler/source/diagnostic.h"
#include "compiler/syntax/lexer_table.h"
#include "compiler/syntax/places.h"
#include "gpol_grammar_names.h"

namespace gpol::syntax {

struct Token {
  Kind kind = Kind::END;
  bool after_bad = false;  // characters right before it were refused: a mistake here is a consequence, not a cause
  std::uint32_t begin = 0, end = 0;
};

using KindSet = std::bitset<kKinds>;
inline bool has(const KindSet& set, Kind kind) { return set.test(static_cast<std::size_t>(kind)); }

// What the reader knows of the grammar, all of it taken from the grammar itself.
struct GrammarFacts {
  LexerTable lexer;
  std::array<KindSet, kRules> first;  // by rule: the kinds that it can begin with
  const KindSet& first_of(Rule rule) const { return first[static_cast<std::size_t>(rule)]; }
};

// The diagnostics of one text, up to kMostMistakes (compiler/source/most.h).
class Findings {
 public:
  explicit Findings(const Places& places) : places_(places) {}
  Span span(std::uint32_t begin, std::uint32_t end) const { return places_.span(begin, end); }
  bool full() const { return full_; }
  bool none() const { return found_.empty(); }
  void add(Diagnostic found);
  std::vector<Diagnostic> take();  // in the order of the text

 private:
  const Places& places_;
  bool full_ = false;
  std::vector<Diagnostic> found_;
};

}  // namespace gpol::syntax
