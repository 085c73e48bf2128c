#include "compiler/syntax/lexer_table.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gpol::syntax {

// Subset construction: a state of the table is a set of places where the lexer rules may stand.
LexerTable determinize(const LexerEdges& lexer) {
  LexerTable table;
  std::map<std::pair<LexerEdges::Set, Kind>, std::uint16_t> numbers;
  std::vector<const LexerEdges::Set*> sets;  // by number; a map's keys stay where they are
  const auto number = [&](LexerEdges::Place place) {
    std::ranges::sort(place.next);
    place.next.erase(std::unique(place.next.begin(), place.next.end()), place.next.end());
    const auto [at, fresh] =
        numbers.try_emplace({std::move(place.next), place.ends}, static_cast<std::uint16_t>(sets.size()));
    if (fresh) {
      sets.push_back(&at->first.first);
      table.states.push_back({{}, place.ends});
    }
    return at->second;
  };
  number(lexer.start);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    // Most characters take the same edges from a state: the target is worked out once for each set of edges.
    std::vector<std::pair<LexerEdges::Set, std::uint16_t>> seen{{{}, LexerTable::kDead}};
    LexerEdges::Set taken;
    for (std::size_t c = 0; c < 128; ++c) {
      taken.clear();
      for (const std::uint16_t edge : *sets[i])
        if (lexer.edges[edge].reads[c]) taken.push_back(edge);
      auto known = std::ranges::find(seen, taken, &decltype(seen)::value_type::first);
      if (known == seen.end()) {
        LexerEdges::Place place;
        for (const std::uint16_t edge : taken) {
          const LexerEdges::Place& after = lexer.edges[edge].after;
          place.next.insert(place.next.end(), after.next.begin(), after.next.end());
          if (after.ends != Kind::END) place.end_with(after.ends);
        }
        known = seen.insert(seen.end(), {taken, number(std::move(place))});
      }
      table.states[i].next[c] = known->second;
    }
  }
  return table;
}

}  // namespace gpol::syntax
