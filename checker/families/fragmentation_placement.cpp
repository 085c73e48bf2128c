#include "checker/families/fragmentation_placement.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace gpol {

using nodes::Amounts;
using nodes::Filling;
using nodes::kNoLimit;
using nodes::Question;

namespace {

using Split = std::map<std::uint32_t, std::int64_t>;  // by kind

// Who asks for what one node of the filling holds beyond: one kind where one has enough left, the fullest first.
Split split_of(const Filling& filling, std::vector<std::int64_t>& left) {
  std::vector<std::uint32_t> by = filling.by;
  std::ranges::sort(by,
                    [&](std::uint32_t a, std::uint32_t b) { return left[a] != left[b] ? left[a] > left[b] : a < b; });
  Split split;
  std::int64_t missing = filling.beyond;
  for (const std::uint32_t k : by) {
    const std::int64_t part = std::min(missing, left[k]);
    if (part <= 0) continue;
    split[k] = part;
    if (left[k] != kNoLimit) left[k] -= part;
    missing -= part;
  }
  return split;
}

}  // namespace

NoNode placed(NoNode what, const Question& question, const std::vector<Filling>& fillings,
              const std::vector<Standing>& kinds, const std::vector<std::int64_t>& nodes) {
  what.standing = kinds;
  for (std::size_t k = 0; k < kinds.size(); ++k) what.standing[k].requests = question.kinds[k].each;
  std::vector<std::vector<std::int64_t>> left(question.node.size());  // by resource and kind
  for (std::uint32_t r = 0; r < left.size(); ++r)
    for (std::uint32_t k = 0; k < kinds.size(); ++k) {
      const nodes::PodKind& kind = question.kinds[k];
      left[r].push_back(kind.serving || kind.at_most[r] == kNoLimit
                            ? kNoLimit
                            : kind.at_most[r] - nodes::taken(question, fillings, nodes, k, r));
    }
  // Those with the least choice first.
  std::vector<std::size_t> order(fillings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return std::pair(fillings[a].by.size(), a) < std::pair(fillings[b].by.size(), b);
  });
  for (const std::size_t i : order) {
    const Filling& filling = fillings[i];
    std::map<Split, std::int64_t> alike;
    if (filling.beyond == 0) {
      if (nodes[i] > 0) alike[{}] = nodes[i];
    } else {
      for (std::int64_t n = 0; n < nodes[i]; ++n) ++alike[split_of(filling, left[filling.resource])];
    }
    for (const auto& [split, count] : alike) {
      NoNode::Filled filled{count, filling.pods};
      filled.pods.resize(what.standing.size(), 0);
      for (const auto& [k, more] : split) {  // one pod of the kind asks for more than the others
        Standing larger = what.standing[k];
        larger.requests[filling.resource] += more;
        --filled.pods[k];
        what.standing.push_back(std::move(larger));
        filled.pods.push_back(1);
      }
      what.filled.push_back(std::move(filled));
    }
  }
  for (auto& filled : what.filled) filled.pods.resize(what.standing.size(), 0);
  return what;
}

}  // namespace gpol
