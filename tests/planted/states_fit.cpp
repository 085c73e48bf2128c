// The lemmas of claim against states that the executable arithmetic has reached. A fact that such a state breaks leaves
// real states out of the proof; a side condition that is not exact there is another arithmetic than Kueue's. States of
// fixed quotas, and of quotas that were cut under what is held.
#include <algorithm>
#include <utility>

#include "checker/families/claim_lemmas.h"
#include "tests/support/catch.h"
#include "tests/support/random_tree.h"

using namespace gpol;
using kueue::kRoot;
using kueue::kUnlimited;
using kueue::Node;

namespace {

using Values = std::map<std::string, std::int64_t>;

struct Reached {
  Cluster cluster;
  kueue::Shape shape;
  kueue::Limits limits;
  kueue::Usage usage;

  explicit Reached(std::uint64_t seed) {
    testing::TreeSizes sizes;
    sizes.unlimited = false;
    cluster = testing::random_tree(seed, sizes).cluster;
    shape = kueue::shape_of(cluster);
    limits = kueue::limits_of(cluster, shape, 0, 0, nullptr);
    testing::Dice dice(seed * 17 + 3);
    for (int i = 0; i < 12; ++i) {
      const auto q = static_cast<Node>(dice.upto(shape.queues - 1));
      const std::int64_t room = std::max<std::int64_t>(0, kueue::available(shape, limits, usage, q));
      usage.add(shape, limits, q, dice.upto(room));
    }
  }
  // Every queue's quota is halved, and everybody keeps what it holds: debt (kueue.md 3.6).
  void halve_quotas() {
    for (Queue& queue : cluster.queues)
      for (auto& group : queue.groups)
        for (auto& row : group.flavors)
          for (Quota& quota : row.quotas) quota.nominal /= 2;
    limits = kueue::limits_of(cluster, shape, 0, 0, nullptr);
    const kueue::Usage before = std::exchange(usage, {});
    for (Node q = 0; q < shape.queues; ++q) usage.add(shape, limits, q, before.of(q));
  }
  std::int64_t spilled(std::int64_t used, Node v) const { return std::max<std::int64_t>(0, used - limits.local[v]); }
  std::int64_t left(Node v) const { return kueue::available(shape, limits, usage, v); }
};

void fits(ClaimLemma lemma, const Values& values) {
  const Formula formula = claim_lemma(lemma);
  for (const auto& fact : formula.facts) {
    INFO(formula.name << ", " << fact.name);
    CHECK(evaluate(fact.term, values) != 0);
  }
  INFO(formula.name);
  CHECK(evaluate(formula.negated_goal, values) == 0);
}

// With one unit more claimed, the side condition must say no.
void exact(ClaimLemma lemma, const Values& values) {
  const Formula formula = claim_lemma(lemma);
  INFO(formula.name);
  CHECK(std::any_of(formula.facts.begin(), formula.facts.end(), [&](const auto& fact) {
    return fact.name.starts_with("side-condition") && evaluate(fact.term, values) == 0;
  }));
}

void judge_owner(std::int64_t reserve, std::int64_t left) {
  const std::int64_t denied = reserve - std::max<std::int64_t>(0, left);
  Values values{{"reserve", reserve}, {"A", left}, {"left", left}, {"claimable", denied}};
  fits(ClaimLemma::Owner, values);
  --values["claimable"];
  exact(ClaimLemma::Owner, values);
}

// Of a state in debt only what is said of any state: not that usage stays within what admission lets in.
void judge(const Reached& at, Node v, bool in_debt) {
  const auto& l = at.limits;
  const Node parent = at.shape.parent[v];
  const std::int64_t used = at.usage.of(v);
  const bool limited = l.borrowing[v] != kUnlimited;
  if (v < at.shape.queues) judge_owner(l.nominal[v], at.left(v));
  Values values{{"U", used}, {"LQ", l.local[v]}, {"SQ", l.subtree[v]}, {"P", l.potential[v]}, {"bound", used}};
  values["BL"] = limited ? l.borrowing[v] : 0;
  values["wants"] = used;
  values["spill"] = at.spilled(used, v);
  if (!in_debt) fits(ClaimLemma::Spill, values);
  if (!in_debt && values["spill"] > 0) {
    --values["spill"];
    exact(ClaimLemma::Spill, values);
  }
  values["left"] = at.left(v);
  if (parent == kRoot) {
    if (!in_debt) fits(ClaimLemma::RootAbove, values);
    fits(ClaimLemma::RootLeft, values);
    ++values["left"];
    exact(ClaimLemma::RootLeft, values);
    return;
  }
  values["U_parent"] = at.usage.of(parent);
  values["others"] = at.usage.of(parent) - at.spilled(used, v);
  values["P_parent"] = l.potential[parent];
  values["A_parent"] = values["left_parent"] = at.left(parent);
  if (!in_debt) fits(limited ? ClaimLemma::AboveLimited : ClaimLemma::AboveUnlimited, values);
  const ClaimLemma step = limited ? ClaimLemma::StepLimited : ClaimLemma::StepUnlimited;
  fits(step, values);
  ++values["left"];
  exact(step, values);
}

}  // namespace

TEST_CASE("states that are reached fit the facts of the lemmas about claim") {
  int in_debt = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Reached reached(seed);
    INFO("tree " << seed);
    const auto nodes = static_cast<Node>(reached.shape.parent.size());
    for (Node v = 0; v < nodes; ++v) judge(reached, v, false);
    reached.halve_quotas();
    for (Node v = 0; v < nodes; ++v) {
      judge(reached, v, true);
      in_debt += reached.left(v) < 0 ? 1 : 0;
    }
  }
  CHECK(in_debt > 30);
}
