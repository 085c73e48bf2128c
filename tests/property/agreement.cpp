// Three opinions on the claim of random trees: the family's verdict (closed form, whose every bound must meet a lemma
// that the solver proved), the executable arithmetic and scheduler model (attacks and replays), and, on one tree in
// ten, the solver alone on one formula over the whole tree, which shares nothing with the lemmas. GPOL_TREES in the
// environment sets how many trees (default 10,000).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "checker/families/families.h"
#include "checker/kueue/model.h"
#include "checker/kueue/walk.h"
#include "checker/story/hold.h"
#include "tests/support/catch.h"
#include "tests/support/random_tree.h"
#include "tests/support/tree_questions.h"

using namespace gpol;
using gpol::testing::Dice;

namespace {

int trees_wanted() {
  const char* wanted = std::getenv("GPOL_TREES");
  return wanted != nullptr ? std::atoi(wanted) : 10'000;
}

// Batch fills the tree in a random order, as far as admission lets it, sometimes less; what is left to the owner?
std::int64_t attacked(const kueue::Shape& shape, const kueue::Limits& limits, const kueue::Behaviour& behaviour,
                      kueue::Node owner, Dice& dice) {
  kueue::Usage usage;
  std::vector<kueue::Node> order;
  for (kueue::Node q = 0; q < shape.queues; ++q)
    if (q != owner && limits.listed[q]) order.push_back(q);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(dice.upto(static_cast<std::int64_t>(i) - 1))]);
  for (const auto q : order) {
    const std::int64_t room =
        std::min(behaviour.at_most[q], std::max<std::int64_t>(0, kueue::available(shape, limits, usage, q)));
    const std::int64_t amount = dice.one_in(4) ? dice.upto(room) : room;
    if (amount > 0) usage.add(shape, limits, q, amount);
  }
  return std::max<std::int64_t>(0, kueue::available(shape, limits, usage, owner));
}

// Plays the witness in the model, one workload per queue, and returns what is then available to the owner.
std::int64_t replayed(const Cluster& cluster, std::uint32_t flavor, std::uint32_t resource, kueue::Node owner,
                      const std::vector<kueue::Holding>& holdings) {
  kueue::Model model(kueue::compile(cluster), 0);
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q)
    if (cluster.queues[q].stop == StopPolicy::Hold) model.stop(q, StopPolicy::None);  // it got there before it was held
  for (const auto& holding : holdings) {
    kueue::WorkloadSpec workload;
    workload.queue = holding.queue;
    workload.requests = {{resource, holding.amount}};
    workload.flavor = flavor;
    const auto id = model.submit(workload);
    model.cycle();
    if (model.state(id) != kueue::WorkloadState::Admitted) return -1;
  }
  return model.available(owner, flavor, resource);
}

struct Counts {
  std::int64_t trees = 0, safe_trees = 0, claims = 0, proven = 0, refuted = 0, attacks = 0, formulas = 0;
};

void judge(int seed, Counts& counts, Solver& solver) {
  const auto tree = testing::claim_tree(static_cast<std::uint64_t>(seed));
  const Cluster& cluster = tree.cluster;
  const Intent intent = testing::intent_of(tree);
  Origins origins;
  origins.queue.resize(cluster.queues.size());
  origins.cohort.resize(cluster.cohorts.size());
  Report report;
  prove_claim({cluster, intent, origins, solver, nullptr}, report);  // its lemmas are asked anew for every tree

  const kueue::Shape shape = kueue::shape_of(cluster);
  Dice dice(static_cast<std::uint64_t>(seed) * 31 + 7);
  bool safe = true;
  std::size_t at = 0;
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    std::size_t pair = 0;
    for (const auto& group : cluster.queues[q].groups)
      for (const auto& flavor : group.flavors)
        for (const auto resource : group.covered) {
          const Obligation& o = report.obligations.at(at++);
          const std::int64_t reserve = intent.roles[q].reserve.empty() ? 0 : intent.roles[q].reserve[pair];
          ++pair;
          if (reserve == 0) continue;
          INFO("seed " << seed << ", " << cluster.queues[q].name << ", " << cluster.flavors[flavor.flavor].name << ", "
                       << cluster.resources[resource]);
          REQUIRE(o.figures.claimable);
          const std::int64_t claimable = *o.figures.claimable;
          ++counts.claims;
          REQUIRE((o.verdict == Verdict::Proven || o.verdict == Verdict::Refuted));
          CHECK((o.verdict == Verdict::Proven) == (claimable == 0));
          (claimable == 0 ? counts.proven : counts.refuted)++;
          safe = safe && claimable == 0;

          const auto limits = kueue::limits_of(cluster, shape, flavor.flavor, resource, nullptr);
          const auto behaviour = behaviour_of(cluster, intent, flavor.flavor, resource);
          for (int attack = 0; attack < 4; ++attack, ++counts.attacks)
            CHECK(reserve - std::min(reserve, attacked(shape, limits, behaviour, q, dice)) <= claimable);
          if (claimable > 0)
            CHECK(replayed(cluster, flavor.flavor, resource, q, kueue::witness(shape, limits, behaviour, q)) ==
                  reserve - claimable);
          if (seed % 10 != 0) continue;
          counts.formulas += 2;
          CHECK(solver.check(testing::whole_tree(shape, limits, behaviour, q, reserve - claimable)).kind ==
                Answer::Kind::Unsat);
          if (claimable > 0)
            CHECK(solver.check(testing::whole_tree(shape, limits, behaviour, q, reserve - claimable + 1)).kind ==
                  Answer::Kind::Sat);
        }
  }
  ++counts.trees;
  counts.safe_trees += safe ? 1 : 0;
}

TEST_CASE("model, closed form and solver agree on random trees") {
  const int wanted = trees_wanted();
  REQUIRE(wanted > 0);
  Counts counts;
  Solver solver;  // one for all: making one costs more than a tree
  for (int seed = 1; seed <= wanted; ++seed) judge(seed, counts, solver);
  std::printf(
      "agreement: %lld trees (%lld with every claim proven), %lld claims: %lld proven, %lld refuted; %lld attacks, "
      "%lld whole-tree formulas\n",
      static_cast<long long>(counts.trees), static_cast<long long>(counts.safe_trees),
      static_cast<long long>(counts.claims), static_cast<long long>(counts.proven),
      static_cast<long long>(counts.refuted), static_cast<long long>(counts.attacks),
      static_cast<long long>(counts.formulas));
  CHECK(counts.safe_trees * 5 >= counts.trees);
  CHECK((counts.trees - counts.safe_trees) * 5 >= counts.trees);
  CHECK(counts.proven * 5 >= counts.claims);
  CHECK(counts.refuted * 5 >= counts.claims);
}

}  // namespace
