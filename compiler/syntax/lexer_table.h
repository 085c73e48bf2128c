// The lexer rules of the grammar as one automaton over bytes. In: the edges of the lexer rules, as parse.cpp reads them
// off ANTLR. Out: a table that reads a word with one look-up a byte. It relies on rules that are regular (none calls
// itself, no modes, no actions but the channel) and name no character over 127 (`.` and `~[...]` may include them).
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "gpol_grammar_names.h"

namespace gpol::syntax {

struct LexerEdges {
  using Set = std::vector<std::uint16_t>;  // indices into `edges`
  struct Place {
    Set next;               // the edges that can be taken from here
    Kind ends = Kind::END;  // the word that can end here; of several the one whose rule stands first
    void end_with(Kind kind) {
      if (ends == Kind::END || kind < ends) ends = kind;
    }
  };
  struct Edge {
    std::bitset<128> reads;  // one of these characters
    Place after;
  };
  Place start;
  std::vector<Edge> edges;
};

struct LexerTable {
  static constexpr std::uint16_t kDead = UINT16_MAX;  // no word goes on from here
  static constexpr unsigned char kOther = 127;        // stands for every byte over 127
  struct State {
    std::array<std::uint16_t, 128> next;
    Kind accept = Kind::END;  // END: no word ends here
  };
  std::vector<State> states;  // 0 is the start
};

LexerTable determinize(const LexerEdges& lexer);

}  // namespace gpol::syntax
