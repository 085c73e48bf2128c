// kube-scheduler's preemption, rule by rule, and against trying everything.
#include "checker/nodes/preemption.h"

#include <algorithm>

#include "tests/support/catch.h"
#include "tests/support/random_tree.h"

using namespace gpol;
using namespace gpol::nodes;
using gpol::testing::Dice;
using Kind = Cycle::Kind;
using State = PreemptionModel::State;

namespace {

Cluster one_pool() {
  Cluster cluster;
  cluster.resources = {"nvidia.com/gpu", "pods"};
  cluster.node_pools = {{"site", {{"pool", "site"}}, {}}, {"other", {{"pool", "other"}}, {}}};
  return cluster;
}

PodSpec pod(std::int64_t gpus, std::int64_t priority) {
  return {{{gpus, 1}, {{"pool", "site"}}, {}}, priority, true, false};
}

struct Site {
  Cluster cluster = one_pool();
  PreemptionModel model{cluster};
  explicit Site(std::int64_t nodes) { model.add_nodes(0, nodes, {8, 10}); }
  std::uint32_t on(std::uint32_t node, PodSpec spec) {
    const auto made = model.create(std::move(spec));
    REQUIRE(model.bind(made, node));
    return made;
  }
};

}  // namespace

TEST_CASE("a pod that fits is bound, and evicts nobody") {
  Site site(2);
  site.on(0, pod(8, 0));
  const auto web = site.model.create(pod(4, 100));
  const Cycle done = site.model.cycle(web);
  CHECK(done.kind == Kind::Bound);
  CHECK(done.node == 1);
}

TEST_CASE("lower priority is evicted, its grace is waited for, and the place is kept") {
  Site site(1);
  const auto batch = site.on(0, pod(8, 0));
  const auto web = site.model.create(pod(4, 100));
  Cycle done = site.model.cycle(web);
  REQUIRE(done.kind == Kind::Nominated);
  CHECK(done.evicted == std::vector{batch});
  CHECK(site.model.state(batch) == State::Ending);
  // Tried again before the grace is over it evicts nobody else.
  CHECK(site.model.cycle(web).kind == Kind::Waits);
  CHECK(site.model.nominated(web) == 0U);
  site.model.end(batch);
  // The Job's next pod comes first and must leave the place alone.
  const auto again = site.model.create(pod(8, 0));
  CHECK(site.model.cycle(again).kind == Kind::Hopeless);
  const auto small = site.model.create(pod(4, 0));  // beside what is kept there is room
  CHECK(site.model.cycle(small).kind == Kind::Bound);
  CHECK(site.model.cycle(web).kind == Kind::Bound);
  CHECK_FALSE(site.model.nominated(web));
}

TEST_CASE("equal priority evicts nobody, and neither does preemptionPolicy Never") {
  Site site(1);
  site.on(0, pod(8, 0));
  CHECK(site.model.cycle(site.model.create(pod(4, 0))).kind == Kind::Hopeless);
  PodSpec never = pod(4, 100);
  never.preempts = false;
  CHECK(site.model.cycle(site.model.create(never)).kind == Kind::Waits);
}

TEST_CASE("pods of equal priority do not take each other's place") {
  Site site(2);
  const auto a = site.on(0, pod(8, 0)), b = site.on(1, pod(8, 0));
  const auto first = site.model.create(pod(8, 100)), second = site.model.create(pod(8, 100));
  CHECK(site.model.next() == first);
  const Cycle one = site.model.cycle(first);
  CHECK(site.model.next() == second);
  const Cycle two = site.model.cycle(second);
  REQUIRE(one.kind == Kind::Nominated);
  REQUIRE(two.kind == Kind::Nominated);
  CHECK(one.node != two.node);
  // The second one's node is free first: the first one's cycle leaves it alone.
  site.model.end(two.node == 0 ? a : b);
  CHECK(site.model.cycle(first).kind == Kind::Waits);
  CHECK(site.model.cycle(second).kind == Kind::Bound);
}

TEST_CASE("a higher priority takes what was freed for a lower one") {
  Site site(1);
  const auto batch = site.on(0, pod(8, 0));
  const auto web = site.model.create(pod(8, 100));
  site.model.cycle(web);
  site.model.end(batch);
  CHECK(site.model.cycle(site.model.create(pod(8, 200))).kind == Kind::Bound);
}

TEST_CASE("those that need not go stay: the more important first, budgets before all") {
  Site site(1);
  const auto old = site.on(0, pod(2, 0)), low = site.on(0, pod(2, -5)), young = site.on(0, pod(2, 0)), spent = [&] {
    PodSpec spec = pod(2, -9);
    spec.budget_spent = true;
    return site.on(0, spec);
  }();
  const auto one = site.model.candidates(site.model.create(pod(2, 100)));
  REQUIRE(one.size() == 1);
  CHECK(one[0].victims == std::vector{low});
  const auto two = site.model.candidates(site.model.create(pod(4, 100)));
  CHECK(two[0].victims == std::vector{young, low});
  const auto all = site.model.candidates(site.model.create(pod(8, 100)));
  CHECK(all[0].victims == std::vector{old, young, low, spent});
  CHECK(all[0].violations == 1);  // best effort: it goes all the same
}

TEST_CASE("of several nodes: budgets, the highest victim, the sum, the number, the latest start") {
  const auto chosen = [](std::vector<std::vector<PodSpec>> on) {
    Site site(static_cast<std::int64_t>(on.size()));
    for (std::uint32_t node = 0; node < on.size(); ++node)
      for (auto& spec : on[node]) site.on(node, spec);
    const auto best = site.model.best(site.model.candidates(site.model.create(pod(8, 100))));
    REQUIRE(best.size() == 1);
    return best[0].node;
  };
  PodSpec spent = pod(8, -9);
  spent.budget_spent = true;
  CHECK(chosen({{spent}, {pod(8, 5)}}) == 1);
  CHECK(chosen({{pod(8, 5)}, {pod(4, 4), pod(4, 4)}}) == 1);
  CHECK(chosen({{pod(4, 4), pod(4, 3)}, {pod(4, 4), pod(4, 2)}}) == 1);
  CHECK(chosen({{pod(4, 0), pod(4, 0)}, {pod(8, 0)}}) == 1);
  CHECK(chosen({{pod(8, 0)}, {pod(8, 0)}}) == 1);
}

TEST_CASE("pods that others deleted do not hold a preemptor to its node: it may be sent round for ever") {
  Site site(2);
  auto on_first = site.on(0, pod(8, 0)), on_second = site.on(1, pod(8, 0));
  site.model.remove(on_first);
  site.model.remove(on_second);
  const auto web = site.model.create(pod(8, 100));
  CHECK(site.model.cycle(web).node == 1);  // the later start
  for (int round = 0; round < 3; ++round) {
    // While it is in back-off the other node becomes free, batch starts a pod there and deletes it.
    const std::uint32_t other = *site.model.nominated(web) == 1 ? 0 : 1;
    site.model.end(other == 0 ? on_first : on_second);
    auto& next = other == 0 ? on_first : on_second;
    next = site.model.create(pod(8, 0));
    REQUIRE(site.model.cycle(next).kind == Kind::Bound);
    site.model.remove(next);
    const Cycle moved = site.model.cycle(web);
    CHECK(moved.kind == Kind::Nominated);
    CHECK(moved.node == other);
    CHECK(moved.evicted.empty());
  }
}

TEST_CASE("a node that is lost is no place, and another one is looked for") {
  Site site(2);
  site.on(0, pod(8, 0)), site.on(1, pod(8, 0));
  const auto web = site.model.create(pod(8, 100));
  const auto first = site.model.cycle(web).node;
  site.model.lose(first);
  const Cycle again = site.model.cycle(web);
  CHECK(again.kind == Kind::Nominated);
  CHECK(again.node != first);
}

// What the proof needs of it, on random pools: replicas of one shape that fit beside each other, with whatever batch in
// between. Every replica is bound after its victims ended once, in whatever order cycles, ends and new batch pods come.
TEST_CASE("whatever running batch stands where: all replicas within the nodes are placed after one grace") {
  int waited = 0;
  for (int seed = 0; seed < 3000; ++seed) {
    Dice dice(static_cast<std::uint64_t>(seed));
    const std::int64_t nodes = 1 + dice.upto(3), each = 1 + dice.upto(7), per_node = 8 / each;
    Site site(nodes);
    std::vector<std::uint32_t> batch;
    const auto start_batch = [&] {
      const auto made = site.model.create(pod(1 + dice.upto(7), -dice.upto(2)));
      if (site.model.cycle(made).kind == Kind::Bound) batch.push_back(made);
    };
    for (int i = 0; i < 12; ++i) start_batch();
    std::vector<std::uint32_t> web;
    for (std::int64_t i = 0; i < nodes * per_node; ++i) web.push_back(site.model.create(pod(each, 100)));
    for (const auto replica : web) waited += site.model.cycle(replica).kind == Kind::Nominated ? 1 : 0;
    for (int i = 0; i < 6; ++i) {  // before anything has ended
      start_batch();
      const auto again = web[static_cast<std::size_t>(dice.upto(static_cast<std::int64_t>(web.size()) - 1))];
      if (site.model.state(again) == State::Pending) site.model.cycle(again);
    }
    for (std::size_t at = 0; at < batch.size(); ++at)  // it grows
      if (site.model.state(batch[at]) == State::Ending) {
        site.model.end(batch[at]);
        for (int i = 0; i < 3; ++i) start_batch();
        if (dice.one_in(2))
          for (const auto replica : web)
            if (site.model.state(replica) == State::Pending) site.model.cycle(replica);
      }
    for (const auto replica : web)
      if (site.model.state(replica) == State::Pending) site.model.cycle(replica);
    for (const auto replica : web) REQUIRE(site.model.state(replica) == State::Bound);
  }
  CHECK(waited > 1000);
}

// Victims by trying every set: those chosen are enough, and none of them could have been spared beside the others.
TEST_CASE("the victims of a node are enough, and none is there in vain") {
  int compared = 0;
  for (int seed = 0; seed < 3000; ++seed) {
    Dice dice(static_cast<std::uint64_t>(seed));
    Site site(1);
    std::vector<std::int64_t> size;
    std::int64_t free = 8;
    for (std::int64_t g; free > 0 && size.size() < 7; free -= g) {
      g = 1 + dice.upto(std::min<std::int64_t>(free, 4) - 1);
      PodSpec spec = pod(g, dice.upto(3));
      spec.budget_spent = dice.one_in(4);
      site.on(0, spec);
      size.push_back(g);
    }
    const std::int64_t asks = 1 + dice.upto(7), priority = dice.upto(4);
    const auto found = site.model.candidates(site.model.create(pod(asks, priority)));
    bool possible = false, spare = false;
    for (std::uint32_t set = 1; set < (1U << size.size()); ++set) {
      std::int64_t freed = free;
      bool lower = true;
      for (std::uint32_t p = 0; p < size.size(); ++p)
        if (((set >> p) & 1U) != 0) {
          freed += size[p];
          lower = lower && site.model.spec(p).priority < priority;
        }
      if (!lower || freed < asks) continue;
      possible = true;
      if (found.empty()) continue;
      std::uint32_t chosen = 0;
      for (const auto victim : found[0].victims) chosen |= 1U << victim;
      spare = spare || ((set & ~chosen) == 0 && set != chosen);
    }
    if (free >= asks) continue;
    CHECK(possible == !found.empty());
    CHECK_FALSE(spare);
    ++compared;
  }
  CHECK(compared > 1000);
}
