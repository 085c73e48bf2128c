#include "checker/partition/loss.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpol::partition {

Formula loss_formula(const std::vector<NodesAlike>& kinds, std::int64_t lost, std::int64_t counted) {
  Formula formula{"partition/loss",
                  "whichever of the nodes are lost, as many slices are left as are counted on",
                  {},
                  boolean(true)};
  Term all_lost = integer(0), left = integer(0);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const Term gone = int_symbol(fmt::format("lost {}", k));
    formula.facts.push_back({fmt::format("some {}", k), integer(0) <= gone && gone <= integer(kinds[k].nodes)});
    all_lost = all_lost + gone;
    left = left + integer(kinds[k].nodes * kinds[k].slices) - kinds[k].slices * gone;
  }
  formula.facts.push_back({"tolerated", all_lost <= integer(lost)});
  formula.negated_goal = left < integer(counted);
  return formula;
}

std::int64_t left_after(std::vector<NodesAlike> kinds, std::int64_t lost) {
  std::ranges::sort(kinds, std::greater{}, &NodesAlike::slices);
  std::int64_t left = 0;
  for (const NodesAlike& kind : kinds) {
    const std::int64_t gone = std::min(lost, kind.nodes);
    lost -= gone;
    left += (kind.nodes - gone) * kind.slices;
  }
  return left;
}

}  // namespace gpol::partition
