// Heads that need victims and have none keep what is free: the reference on Kueue, sections 3.4 and 4.3 (N15).
#include "tests/support/catch.h"
#include "tests/unit/kueue/model_builder.h"

using namespace gpol;
using namespace gpol::testing;
using Kind = gpol::kueue::Decision::Kind;

namespace {

// Serving owns 4, the sibling 4 as well; batch has borrowed all but two. The sibling asks first, has nobody it may
// evict, and serving needs victims.
Builder sibling(QueueingStrategy strategy, Reclaim reclaim) {
  Builder b;
  b.queue("serving", "gpu", {.nominal = 4}).preemption.reclaim_within_cohort = Reclaim::Any;
  auto& q = b.queue("sibling", "gpu", {.nominal = 4});
  q.strategy = strategy;
  q.preemption.reclaim_within_cohort = reclaim;
  b.queue("batch", "gpu", {.nominal = 0});
  return b;
}

}  // namespace

TEST_CASE("N15: a StrictFIFO sibling that always sorts first and cannot reclaim reserves in every cycle") {
  World w(sibling(QueueingStrategy::StrictFIFO, Reclaim::Never));
  w.run("batch", 3);
  w.run("batch", 3);
  const auto head = w.submit("sibling", 4);
  const auto ask = w.submit("serving", 4);
  const auto decisions = w.model.cycle();
  REQUIRE(decisions.size() == 2);
  CHECK(decisions[0].workload == head);
  CHECK(decisions[0].kind == Kind::Reserving);
  CHECK(decisions[1].workload == ask);
  CHECK(decisions[1].kind == Kind::Skipped);
  CHECK(decisions[1].why == "no longer fits after another workload of this cycle");
  CHECK(w.model.settle());
  CHECK(w.pending(ask));
  CHECK(w.used("batch") == 6);
}

TEST_CASE("N15 does not hold with reclaim Any, a lower priority, or a BestEffortFIFO sibling") {
  struct Row {
    QueueingStrategy strategy;
    Reclaim reclaim;
    std::int64_t priority;
  };
  for (const Row& row :
       {Row{QueueingStrategy::StrictFIFO, Reclaim::Any, 0}, Row{QueueingStrategy::StrictFIFO, Reclaim::Never, -1},
        Row{QueueingStrategy::BestEffortFIFO, Reclaim::Never, 0}}) {
    World w(sibling(row.strategy, row.reclaim));
    w.run("batch", 3);
    w.run("batch", 3);
    w.submit("sibling", 4, {.priority = row.priority});
    const auto ask = w.submit("serving", 4);
    CHECK(w.model.settle());
    CHECK(w.admitted(ask));
  }
}

TEST_CASE("N15: every differently shaped head of a BestEffortFIFO sibling delays by one cycle") {
  World w(sibling(QueueingStrategy::BestEffortFIFO, Reclaim::Never));
  w.run("batch", 3);
  w.run("batch", 3);
  w.submit("sibling", 4, {.priority = 3});
  w.submit("sibling", 4, {.priority = 2});
  w.submit("sibling", 4, {.priority = 1});
  const auto ask = w.submit("serving", 4);
  for (int cycle = 0; cycle < 3; ++cycle) CHECK(w.model.cycle().back().kind == Kind::Skipped);
  const auto decisions = w.model.cycle();
  REQUIRE(decisions.size() == 1);
  CHECK(decisions[0].workload == ask);
  CHECK(decisions[0].kind == Kind::Preempting);
}
