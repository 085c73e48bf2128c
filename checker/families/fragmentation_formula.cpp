#include "checker/families/fragmentation_formula.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "checker/planted.h"
#include "compiler/source/lookup.h"

namespace gpol {

using nodes::Filling;
using nodes::kNoLimit;
using nodes::PodKind;
using nodes::Question;

namespace {

Term sum_of(const std::vector<Term>& terms) {
  Term sum = integer(0);
  for (const Term& term : terms) sum = sum + term;
  return sum;
}

Term pods_symbol(std::size_t kind) { return int_symbol(fmt::format("pods_{}", kind)); }
Term beyond_symbol(std::size_t kind, std::size_t resource) {
  return int_symbol(fmt::format("beyond_{}_{}", kind, resource));
}

Term more_symbol(std::size_t filling, std::uint32_t kind) {
  return int_symbol(fmt::format("more_{}_{}", filling, kind));
}

}  // namespace

Question in_largest_units(Question q, const std::vector<Filling>& fillings) {
  if (std::ranges::any_of(fillings, [](const Filling& filling) { return filling.beyond > 0; })) return q;
  for (std::size_t r = 0; r < q.node.size(); ++r) {
    std::int64_t unit = q.replica[r];
    for (const PodKind& kind : q.kinds)
      unit = std::gcd(unit, std::gcd(kind.each[r], r < kind.counted.size() ? kind.counted[r] : 0));
    if (unit < 2) continue;
    std::vector<nodes::Amounts*> all{&q.node, &q.replica, &q.batch, &q.together};
    for (nodes::Amounts& one : q.owned) all.push_back(&one);
    for (PodKind& kind : q.kinds) all.insert(all.end(), {&kind.each, &kind.counted, &kind.at_most});
    for (nodes::Amounts* amounts : all)
      if (r < amounts->size() && (*amounts)[r] != kNoLimit)
        (*amounts)[r] = (*amounts)[r] < 0 ? -1 : (*amounts)[r] / unit;  // below 0 nothing is possible
  }
  return q;
}

std::string nodes_symbol(std::size_t filling) { return fmt::format("nodes_{}", filling); }

Formula fillings_formula(const std::string& name, const Question& q, const std::vector<Filling>& fillings) {
  Formula f{name, "a node that is closed to the replica holds one of the fillings", {}, boolean(true)};
  std::vector<Term> use(q.node.size(), integer(0));
  for (std::size_t k = 0; k < q.kinds.size(); ++k) {
    const PodKind& kind = q.kinds[k];
    f.facts.push_back({fmt::format("pods-{}", k), pods_symbol(k) >= integer(0)});
    for (std::size_t r = 0; r < q.node.size(); ++r) {
      if (kind.each[r] > 0) use[r] = use[r] + kind.each[r] * pods_symbol(k);
      if (!kind.beyond[r]) continue;
      const Term more = beyond_symbol(k, r);
      use[r] = use[r] + more;
      f.facts.push_back({fmt::format("beyond-{}-{}", k, r),
                         more >= integer(0) && implies(more > integer(0), pods_symbol(k) >= integer(1))});
    }
  }
  std::vector<Term> short_of;
  for (std::size_t r = 0; r < q.node.size(); ++r) {
    f.facts.push_back({fmt::format("fit-{}", r), use[r] <= integer(q.node[r])});
    if (q.replica[r] == 0) continue;
    const Term left = integer(q.node[r]) - use[r], wanted = integer(q.replica[r]);
    short_of.push_back(planted(Bug::EncodingClosedTooEarly) ? left <= wanted : left < wanted);
  }
  f.facts.push_back({"closed", any_of(std::move(short_of))});
  std::vector<Term> holds_none;
  for (const Filling& filling : fillings) {
    std::vector<Term> holds;
    for (std::size_t k = 0; k < q.kinds.size(); ++k)
      if (filling.pods[k] > 0) holds.push_back(pods_symbol(k) >= integer(filling.pods[k]));
    if (filling.beyond > 0) {
      std::int64_t least = filling.beyond;
      std::vector<Term> of_kinds;
      for (const std::uint32_t k : filling.by) {
        const std::int64_t each = q.kinds[k].each[filling.resource];
        least += each * filling.pods[k];
        of_kinds.push_back(each * pods_symbol(k) + beyond_symbol(k, filling.resource));
      }
      holds.push_back(sum_of(of_kinds) >= integer(least));
    }
    holds_none.push_back(!all_of(std::move(holds)));
  }
  f.negated_goal = all_of(std::move(holds_none));
  return f;
}

Formula closed_formula(const std::string& name, const Question& q, const std::vector<Filling>& fillings,
                       std::int64_t wanted) {
  Formula f{name, "the replica finds a node wherever the other pods stand", {}, boolean(true)};
  std::vector<Term> nodes;
  for (std::size_t i = 0; i < fillings.size(); ++i) {
    nodes.push_back(int_symbol(nodes_symbol(i)));
    f.facts.push_back({fmt::format("nodes-{}", i), nodes[i] >= integer(0)});
    if (fillings[i].by.size() < 2) continue;  // what several kinds ask for beyond, split among them
    std::vector<Term> parts;
    for (const std::uint32_t k : fillings[i].by) {
      parts.push_back(more_symbol(i, k));
      f.facts.push_back({fmt::format("split-{}-{}", i, k), parts.back() >= integer(0)});
    }
    f.facts.push_back({fmt::format("split-{}", i), equal(sum_of(parts), fillings[i].beyond * nodes[i])});
  }
  const std::size_t resources = q.node.size();
  std::vector<std::vector<Term>> batch(resources), together(resources);
  std::vector<std::vector<std::vector<Term>>> owned(q.owned.size(), together);
  for (std::size_t k = 0; k < q.kinds.size(); ++k) {
    const PodKind& kind = q.kinds[k];
    if (kind.serving) {
      std::vector<Term> pods;
      for (std::size_t i = 0; i < fillings.size(); ++i)
        if (fillings[i].pods[k] > 0) pods.push_back(fillings[i].pods[k] * nodes[i]);
      const Term alone = int_symbol(fmt::format("alone_{}", k)), beside = int_symbol(fmt::format("beside_{}", k));
      f.facts.push_back({fmt::format("demand-{}", k), alone >= integer(0) && alone <= integer(kind.alone) &&
                                                          beside >= integer(0) && beside <= integer(kind.beside) &&
                                                          sum_of(pods) <= alone + beside});
      for (std::size_t r = 0; r < resources; ++r)
        if (kind.counted[r] > 0) together[r].push_back(kind.counted[r] * beside);
      for (std::size_t r = 0; kind.owner && !pods.empty() && r < resources; ++r)
        if (kind.counted[r] > 0) owned[*kind.owner][r].push_back(kind.counted[r] * sum_of(pods));
      continue;
    }
    for (std::size_t r = 0; r < resources; ++r) {
      std::vector<Term> use;
      for (std::size_t i = 0; i < fillings.size(); ++i) {
        const Filling& filling = fillings[i];
        const bool asks = filling.beyond > 0 && filling.resource == r && contains(filling.by, k);
        const bool alone = asks && filling.by.size() == 1;
        const std::int64_t of_one = filling.pods[k] * kind.each[r] + (alone ? filling.beyond : 0);
        if (of_one > 0) use.push_back(of_one * nodes[i]);
        if (asks && !alone) use.push_back(more_symbol(i, static_cast<std::uint32_t>(k)));
      }
      if (use.empty()) continue;
      if (kind.at_most[r] != kNoLimit)
        f.facts.push_back({fmt::format("at-most-{}-{}", k, r), sum_of(use) <= integer(kind.at_most[r])});
      batch[r].insert(batch[r].end(), use.begin(), use.end());
      together[r].insert(together[r].end(), use.begin(), use.end());
    }
  }
  for (std::size_t r = 0; r < resources; ++r) {
    if (q.batch[r] != kNoLimit && !batch[r].empty() && !planted(Bug::EncodingBatchBoundForgotten))
      f.facts.push_back({fmt::format("batch-{}", r), sum_of(batch[r]) <= integer(q.batch[r])});
    if (q.together[r] != kNoLimit && !together[r].empty() && !planted(Bug::EncodingQuotaTogetherForgotten))
      f.facts.push_back({fmt::format("quota-{}", r), sum_of(together[r]) <= integer(q.together[r])});
  }
  for (std::size_t o = 0; o < owned.size(); ++o)
    for (std::size_t r = 0; r < resources; ++r)
      if (!owned[o][r].empty())
        f.facts.push_back({fmt::format("owned-{}-{}", o, r), sum_of(owned[o][r]) <= integer(q.owned[o][r])});
  f.negated_goal = equal(sum_of(nodes), integer(wanted));  // more can be, if as many can
  return f;
}

bool closes(const Formula& formula, const Question& q, const std::vector<Filling>& fillings,
            const std::vector<std::int64_t>& nodes) {
  std::map<std::string, std::int64_t> values;
  std::vector<nodes::Amounts> left;  // of what each kind may use
  for (std::uint32_t k = 0; k < q.kinds.size(); ++k) {
    std::int64_t pods = 0;
    for (std::size_t i = 0; i < fillings.size(); ++i) pods += fillings[i].pods[k] * nodes[i];
    values[fmt::format("alone_{}", k)] = std::min(pods, q.kinds[k].alone);
    values[fmt::format("beside_{}", k)] = pods - std::min(pods, q.kinds[k].alone);
    left.push_back(q.kinds[k].at_most);
    for (std::size_t r = 0; r < left[k].size(); ++r) left[k][r] -= pods * q.kinds[k].each[r];
  }
  for (std::size_t several = 1; several <= q.kinds.size(); ++several)  // those with the least choice first
    for (std::size_t i = 0; i < fillings.size(); ++i) {
      values[nodes_symbol(i)] = nodes[i];
      if (fillings[i].by.size() != several) continue;
      std::int64_t missing = fillings[i].beyond * nodes[i];
      for (const std::uint32_t k : fillings[i].by) {
        std::int64_t& has = left[k][fillings[i].resource];
        const std::int64_t part = std::clamp<std::int64_t>(has, 0, missing);
        values[more_symbol(i, k)->name] = part;
        has -= part, missing -= part;
      }
    }
  return satisfies(formula, values);
}

Formula closed_by_formula(const std::string& name, const Question& q, const std::vector<Filling>& fillings,
                          std::uint32_t resource, std::int64_t wanted) {
  std::vector<Filling> of_it;  // the others take more, and close none of these
  for (const Filling& filling : fillings)
    if (filling.resource == resource) of_it.push_back(filling);
  Formula f = closed_formula(name, q, of_it, wanted);
  f.sentence = "so many nodes never have too little of this one resource";
  return f;
}

}  // namespace gpol
