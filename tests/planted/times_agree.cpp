// Time: the sum of the terms against the solver just at its limit and one millisecond below; and the number of rounds
// and turns against the model, where other serving queues ask first and batch refills whatever is freed.
#include "checker/families/time.h"
#include "checker/kueue/model.h"
#include "tests/support/catch.h"
#include "tests/support/random_tree.h"
#include "tests/unit/families/small_cluster.h"

using namespace gpol;
using namespace gpol::test;
using testing::Dice;

namespace {

struct World : SmallCluster {
  std::vector<std::uint32_t> serving_queues;
  std::vector<std::int64_t> each, count;
  std::uint32_t borrower = 0;

  explicit World(Dice& dice) : SmallCluster({"nvidia.com/gpu"}) {
    const std::int64_t queues = 1 + dice.upto(2);
    for (std::int64_t i = 0; i < queues; ++i) {
      each.push_back(1 + dice.upto(3));
      count.push_back(1 + dice.upto(3));
      const std::int64_t reserve = each.back() * count.back();
      const auto q = serving("s" + std::to_string(i), Isolation::B, {reserve, 0, dice.upto(reserve)}, "root", reserve);
      intent.roles[q].replica = {each.back()};
      intent.roles[q].victims_in_turn = count.back();
      intent.roles[q].deadline = seconds(100'000);
      intent.roles[q].start = {seconds(5), seconds(20), seconds(40), seconds(25), seconds(20)};
      serving_queues.push_back(q);
    }
    borrower = batch("batch", {0, std::nullopt, std::nullopt});
    intent.batch = {seconds(1 + dice.upto(6)), seconds(1 + dice.upto(6)), seconds(10 + dice.upto(60)),
                    seconds(1 + dice.upto(6)), dice.one_in(2)};
  }

  Claimable claimable() const {
    Claimable found(cluster.queues.size());
    const Report report = run(prove_claim);
    for (std::size_t q = 0; q < cluster.queues.size(); ++q)
      found[q].push_back(report.obligations.at(q).figures.claimable.value_or(0));
    return found;
  }

  // Rounds until all replicas of the queue are admitted, all others asking just before it.
  std::int64_t rounds(std::uint32_t queue) const {
    kueue::Model model(kueue::compile(cluster), 0);
    const auto submit = [&](std::uint32_t q, std::int64_t amount, std::int64_t priority) {
      kueue::WorkloadSpec workload;
      workload.queue = q;
      workload.priority = priority;
      workload.requests = {{0, amount}};
      workload.asks_again = true;
      return model.submit(workload);
    };
    for (int i = 0; i < 40; ++i) submit(borrower, 1, 0);
    for (int i = 0; i < 40; ++i) model.cycle();
    std::vector<kueue::WorkloadId> asks;
    for (std::size_t i = 0; i < serving_queues.size(); ++i)
      for (std::int64_t n = 0; serving_queues[i] != queue && n < count[i]; ++n) submit(serving_queues[i], each[i], 100);
    for (std::size_t i = 0; i < serving_queues.size(); ++i)
      for (std::int64_t n = 0; serving_queues[i] == queue && n < count[i]; ++n)
        asks.push_back(submit(serving_queues[i], each[i], 100));
    for (std::int64_t round = 1; round <= 200; ++round) {
      model.cycle();
      if (std::all_of(asks.begin(), asks.end(),
                      [&](auto id) { return model.state(id) == kueue::WorkloadState::Admitted; }))
        return round;
      model.release_victims();
    }
    return 1000;
  }
};

}  // namespace

TEST_CASE("the terms of the time add up to what the solver says, to the millisecond") {
  int timed = 0;
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    Dice dice(seed);
    World world(dice);
    INFO("world " << seed);
    const std::uint32_t q = world.serving_queues.front();
    const std::string& name = world.cluster.queues[q].name;
    const Obligation first = find(world.run(prove_reclaim), Family::Reclaim, name, "nvidia.com/gpu");
    REQUIRE(first.verdict == Verdict::Proven);
    if (!first.figures.back_within_ms) continue;  // nobody can take any of it
    ++timed;
    for (const std::int64_t less : {0, 1}) {
      world.intent.roles[q].back_within = TimeConstant{*first.figures.back_within_ms - less, "declared", {}};
      const Obligation o = find(world.run(prove_reclaim), Family::Reclaim, name, "nvidia.com/gpu");
      CHECK((o.verdict == Verdict::Proven) == (less == 0));
    }
  }
  CHECK(timed > 5);
}

TEST_CASE("no demand takes more rounds in the model than its turns count") {
  std::int64_t waited = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Dice dice(seed);
    const World world(dice);
    Solver solver;
    const Proof proof{world.cluster, world.intent, world.origins, solver, nullptr};
    const auto shape = kueue::shape_of(world.cluster);
    const TurnTable turns(proof, shape, world.claimable());
    for (const std::uint32_t q : world.serving_queues) {
      INFO("world " << seed << ", " << world.cluster.queues[q].name);
      const Turns of = turns.of(q);
      REQUIRE(of.missing.empty());
      const std::int64_t rounds = world.rounds(q);
      CHECK(rounds <= of.fitting + 2 * of.all);
      waited += rounds > of.replicas ? 1 : 0;
    }
  }
  CHECK(waited > 20);
}
