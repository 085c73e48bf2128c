// What the closed form of placement finds the solver must find by itself: the formula leaves the findings out, so that
// it has to be asked again without that.
#include "tests/support/catch.h"
#include "tests/support/random_tree.h"
#include "tests/unit/families/nodes_cluster.h"

using namespace gpol;
using namespace gpol::test;

TEST_CASE("every finding of placement is one of the solver's") {
  int found = 0;
  Solver solver;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    testing::Dice dice(seed);
    NodesCluster c;
    for (const char* name : {"a", "b"}) c.pool(name, 1, 0, dice.one_in(4));
    for (std::uint32_t p = 0; p < 2; ++p) {
      if (dice.one_in(4)) c.cluster.flavors[p].node_labels["zone"] = "a";
      if (dice.one_in(4)) c.cluster.flavors[p].node_labels.erase("pool");
      if (dice.one_in(4)) c.cluster.node_pools[p].labels["zone"] = "a";
      if (dice.one_in(3)) c.cluster.flavors[p].tolerations.clear();
    }
    c.quota(c.serves("chat", 1), 0, {80, 8, 8});
    const auto train = c.trains("train", "");
    c.quota(train, 1, {80, 8, 8});
    if (dice.one_in(3)) {  // it covers no pods: one that asks for nothing is given no flavor, and may stand anywhere
      ResourceGroup& group = c.cluster.queues[train].groups.front();
      group.covered.pop_back();
      for (FlavorQuotas& row : group.flavors) row.quotas.pop_back();
    }
    std::vector<Formula> asked;
    c.run(prove_placement, &asked);
    for (Formula formula : asked) {
      for (auto at = formula.facts.begin(); at != formula.facts.end();) {
        if (!at->name.starts_with("known-")) {
          ++at;
          continue;
        }
        // Of all findings this one alone: whoever is not it is left out instead.
        Formula alone = formula;
        std::erase_if(alone.facts, [](const auto& fact) { return fact.name.starts_with("known-"); });
        alone.facts.push_back({"only", !at->term});
        INFO("cluster " << seed << ", " << formula.name << ", " << at->name);
        CHECK(solver.check(alone).kind == Answer::Kind::Sat);
        ++found;
        at = formula.facts.erase(at);
      }
    }
  }
  CHECK(found > 40);
}
