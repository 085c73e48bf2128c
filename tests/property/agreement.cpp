// Three opinions on the claim of random trees: the family's verdict (closed form, whose every bound must meet a lemma
// that the solver proved), the executable arithmetic and scheduler model (attacks and replays), and, on one tree in
// ten, the solver alone on one formula over the whole tree, which shares nothing with the lemmas. GPOL_TREES in the
// environment sets how many trees (default 20,000).
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

using namespace gpol;
using gpol::testing::Dice;

namespace {

int trees_wanted() {
  const char* wanted = std::getenv("GPOL_TREES");
  return wanted != nullptr ? std::atoi(wanted) : 20'000;
}

Intent intent_of(testing::RandomTree& tree) {
  Intent intent;
  for (std::size_t q = 0; q < tree.cluster.queues.size(); ++q) {
    QueueRole role;
    if (tree.roles[q] == testing::Role::Serving) {
      role.kind = QueueRole::Kind::Serving;
      role.isolation = Isolation::A;
      for (const auto& group : tree.cluster.queues[q].groups)
        for (const auto& flavor : group.flavors)
          for (const auto& quota : flavor.quotas) {
            role.reserve.push_back(quota.nominal);
            role.permitted.push_back(0);
          }
    } else if (tree.roles[q] == testing::Role::Batch) {
      role.kind = QueueRole::Kind::Batch;
    }
    intent.roles.push_back(std::move(role));
  }
  return intent;
}

// Every third tree is built to be safe: serving lends nothing. The rest is as the dice have it.
void make_safe(testing::RandomTree& tree) {
  for (std::size_t q = 0; q < tree.cluster.queues.size(); ++q)
    if (tree.roles[q] == testing::Role::Serving && !tree.cluster.queues[q].cohort.empty())
      for (auto& group : tree.cluster.queues[q].groups)
        for (auto& flavor : group.flavors)
          for (auto& quota : flavor.quotas) quota.lending = 0;
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

// The tree as one formula: usages of all queues free, admissible; can less than `least` be left to the owner?
Formula whole_tree(const kueue::Shape& shape, const kueue::Limits& limits, const kueue::Behaviour& behaviour,
                   kueue::Node owner, std::int64_t least) {
  Formula formula;
  formula.name = "test/whole-tree";
  std::vector<Term> usage(shape.parent.size());
  const auto spill = [&](kueue::Node v) { return max(integer(0), usage[v] - integer(limits.local[v])); };
  for (const auto v : shape.bottom_up) {
    if (v < shape.queues) {
      usage[v] = v == owner || !limits.listed[v] ? integer(0) : int_symbol("u" + std::to_string(v));
      formula.facts.push_back({"held" + std::to_string(v), usage[v] >= integer(0)});
      if (behaviour.at_most[v] != kueue::kUnlimited)
        formula.facts.push_back({"most" + std::to_string(v), usage[v] <= integer(behaviour.at_most[v])});
    } else {
      usage[v] = integer(0);
      for (const auto child : shape.children[v]) usage[v] = usage[v] + spill(child);
    }
    const bool root = shape.parent[v] == kueue::kRoot;
    if (root || limits.borrowing[v] != kueue::kUnlimited)
      formula.facts.push_back(
          {"admitted" + std::to_string(v), usage[v] <= integer(limits.subtree[v] + (root ? 0 : limits.borrowing[v]))});
  }
  std::vector<kueue::Node> path;
  for (kueue::Node v = owner; v != kueue::kRoot; v = shape.parent[v]) path.push_back(v);
  Term left = integer(limits.subtree[path.back()]) - usage[path.back()];
  for (std::size_t i = path.size() - 1; i-- > 0;) {
    const auto v = path[i];
    if (limits.borrowing[v] != kueue::kUnlimited)
      left = min(left, integer(limits.subtree[v] - limits.local[v] + limits.borrowing[v]) - spill(v));
    left = max(integer(0), integer(limits.local[v]) - usage[v]) + left;
  }
  formula.negated_goal = max(integer(0), left) < integer(least);
  return formula;
}

struct Counts {
  std::int64_t trees = 0, safe_trees = 0, claims = 0, proven = 0, refuted = 0, attacks = 0, formulas = 0;
};

void judge(int seed, Counts& counts, Solver& solver) {
  testing::TreeSizes sizes;
  sizes.flavors = 2;
  sizes.resources = 3;
  sizes.unlimited = false;
  sizes.stops = true;
  auto tree = testing::random_tree(static_cast<std::uint64_t>(seed), sizes);
  if (seed % 3 == 0) make_safe(tree);
  const Cluster& cluster = tree.cluster;
  const Intent intent = intent_of(tree);
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
          CHECK(solver.check(whole_tree(shape, limits, behaviour, q, reserve - claimable)).kind == Answer::Kind::Unsat);
          if (claimable > 0)
            CHECK(solver.check(whole_tree(shape, limits, behaviour, q, reserve - claimable + 1)).kind ==
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
