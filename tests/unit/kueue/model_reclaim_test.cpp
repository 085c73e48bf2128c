// When a queue gets its nominal quota back, and when it does not: the cases of the reference on Kueue, section 4.3,
// which were run there against the real scheduler. N1 ... N15 are its numbers.
#include "tests/support/catch.h"
#include "tests/unit/kueue/model_builder.h"

using namespace gpol;
using namespace gpol::testing;
using Kind = gpol::kueue::Decision::Kind;

namespace {

// Serving owns 8 and may take them back; batch owns nothing.
Builder lent(Reclaim reclaim = Reclaim::Any) {
  Builder b;
  b.queue("serving", "gpu", {.nominal = 8, .borrowing = 0}).preemption.reclaim_within_cohort = reclaim;
  b.queue("batch", "gpu", {.nominal = 0});
  return b;
}

}  // namespace

TEST_CASE("G: a reclaim within nominal evicts as many borrowers as needed, whatever their priority") {
  World w(lent());
  const auto old = w.run("batch", 4, {.priority = 100});
  const auto recent = w.run("batch", 4, {.priority = 100});
  const auto ask = w.submit("serving", 4);
  const auto decisions = w.model.cycle();
  REQUIRE(decisions.size() == 1);
  CHECK(decisions[0].kind == Kind::Preempting);
  CHECK(decisions[0].victims == std::vector<WorkloadId>{recent});  // the latest admitted goes first
  CHECK(decisions[0].why == "InCohortReclamation");
  CHECK(w.model.state(recent) == WorkloadState::Evicting);
  CHECK(w.used("batch") == 8);  // quota comes back when the eviction completes
  CHECK(w.model.settle());
  CHECK(w.admitted(ask));
  CHECK(w.admitted(old));
  CHECK(w.gone(recent));
}

TEST_CASE("G: victims that ask again at once do not get the quota back") {
  World w(lent());
  const auto first = w.run("batch", 4, {.priority = 1000, .asks_again = true});
  const auto second = w.run("batch", 4, {.priority = 1000, .asks_again = true});
  const auto ask = w.submit("serving", 8);
  CHECK(w.model.settle());
  CHECK(w.admitted(ask));
  CHECK(w.pending(first));
  CHECK(w.pending(second));
}

TEST_CASE("G: several asks in a row are all met") {
  World w(lent());
  for (int i = 0; i < 8; ++i) w.run("batch", 1, {.priority = i, .asks_again = true});
  std::vector<WorkloadId> asks;
  for (int i = 0; i < 8; ++i) asks.push_back(w.submit("serving", 1));
  CHECK(w.model.settle());
  for (const auto ask : asks) CHECK(w.admitted(ask));
  CHECK(w.used("batch") == 0);
}

TEST_CASE("N1: without reclaimWithinCohort nothing comes back, and withinClusterQueue does not help") {
  Builder b = lent(Reclaim::Never);
  b.cluster.queues[0].preemption.within_cluster_queue = Within::LowerPriority;
  World w(b);
  w.run("batch", 8);
  const auto ask = w.submit("serving", 1, {.priority = 1000});
  CHECK(w.model.settle());
  CHECK(w.pending(ask));
  CHECK(w.used("batch") == 8);
}

TEST_CASE("N2: LowerPriority gives nothing back from equal priority, not even a part") {
  for (const bool enough_lower : {false, true}) {
    World w(lent(Reclaim::LowerPriority));
    w.run("batch", 4, {.priority = 0});
    const auto equal = w.run("batch", 4, {.priority = 10});
    const auto ask = w.submit("serving", enough_lower ? 4 : 5, {.priority = 10});
    CHECK(w.model.settle());
    CHECK(w.admitted(ask) == enough_lower);
    CHECK(w.admitted(equal));
    CHECK(w.used("batch") == (enough_lower ? 4 : 8));  // all or nothing
  }
}

namespace {

// GPUs within nominal, cpu not: serving owns 8 GPUs and 2 cpu, batch 6 cpu.
Builder short_of_cpu() {
  Builder b;
  b.queue("serving", "gpu", {"cpu", "gpu"}, {{"h100", {{.nominal = 2}, {.nominal = 8}}}});
  b.cluster.queues[0].preemption.reclaim_within_cohort = Reclaim::Any;
  b.queue("batch", "gpu", {"cpu", "gpu"}, {{"h100", {{.nominal = 6}, {.nominal = 0}}}});
  return b;
}

}  // namespace

TEST_CASE("N3: no reclaim at all when another requested resource would borrow") {
  World w(short_of_cpu());
  w.run("batch", {{"cpu", 1}, {"gpu", 8}});
  const auto ask = w.submit("serving", {{"cpu", 4}, {"gpu", 8}});
  const auto decisions = w.model.cycle();
  REQUIRE(decisions.size() == 1);
  CHECK(decisions[0].kind == Kind::Inadmissible);
  CHECK(decisions[0].why == "would borrow 2 cpu; there is nobody it may evict");
  CHECK(w.model.settle());
  CHECK(w.pending(ask));
}

TEST_CASE("N3: within nominal on both it comes back") {
  World w(short_of_cpu());
  w.run("batch", {{"cpu", 1}, {"gpu", 8}});
  const auto ask = w.submit("serving", {{"cpu", 2}, {"gpu", 8}});
  CHECK(w.model.settle());
  CHECK(w.admitted(ask));
}

TEST_CASE("N3: borrowWithinCohort lifts it for strictly lower priorities only") {
  for (const std::int64_t victim : {5, 10}) {
    Builder b = short_of_cpu();
    b.cluster.queues[0].preemption.borrow_within_cohort = BorrowWithin::LowerPriority;
    World w(b);
    w.run("batch", {{"cpu", 1}, {"gpu", 8}}, {.priority = victim});
    const auto ask = w.submit("serving", {{"cpu", 4}, {"gpu", 8}}, {.priority = 10});
    CHECK(w.model.settle());
    CHECK(w.admitted(ask) == (victim < 10));
  }
}

TEST_CASE("N4: a pool in the root cohort, the queue's own nominal 0: nothing is evicted") {
  Builder b;
  b.cohort("root", "", {.nominal = 8});
  b.queue("serving", "root", {.nominal = 0}).preemption.reclaim_within_cohort = Reclaim::Any;
  b.cluster.queues[0].preemption.within_cluster_queue = Within::LowerPriority;
  b.queue("batch", "root", {.nominal = 0});
  World w(b);
  w.run("batch", 7);
  w.run("serving", 1);
  const auto ask = w.submit("serving", 1, {.priority = 1000});
  const auto decisions = w.model.cycle();
  REQUIRE(decisions.size() == 1);
  CHECK(decisions[0].kind == Kind::Inadmissible);
  CHECK_FALSE(decisions[0].flavor.has_value());  // NoFit, not even within its own queue
  CHECK(w.model.settle());
  CHECK(w.pending(ask));
}

TEST_CASE("N4: a request beyond the queue's nominal is not reclaimed for") {
  World w([] {
    Builder b = lent();
    b.cluster.queues[0].groups[0].flavors[0].quotas[0].borrowing.reset();
    b.cluster.queues[1].groups[0].flavors[0].quotas[0].nominal = 4;
    return b;
  }());
  w.run("batch", 12);
  const auto ask = w.submit("serving", 9);
  CHECK(w.model.settle());
  CHECK(w.pending(ask));
}

TEST_CASE("N4: a pool in a cohort around serving, below the root, is reclaimed by hierarchical advantage") {
  Builder b;
  b.cohort("root", "");
  b.cohort("serving", "root", {.nominal = 8});
  b.queue("chat", "serving", {.nominal = 0}).preemption.reclaim_within_cohort = Reclaim::Any;
  b.queue("batch", "root", {.nominal = 0});
  World w(b);
  w.run("batch", 8, {.priority = 1000});
  const auto ask = w.submit("chat", 8);
  CHECK(w.model.settle());
  CHECK(w.admitted(ask));
}

TEST_CASE("the policy LowerPriority binds hierarchical candidates too") {
  Builder b;
  b.cohort("root", "");
  b.cohort("serving", "root", {.nominal = 8});
  b.queue("chat", "serving", {.nominal = 0}).preemption.reclaim_within_cohort = Reclaim::LowerPriority;
  b.queue("batch", "root", {.nominal = 0});
  World w(b);
  w.run("batch", 8, {.priority = 1000});
  const auto ask = w.submit("chat", 8, {.priority = 1000});
  CHECK(w.model.settle());
  CHECK(w.pending(ask));
}

TEST_CASE("N5: borrowWithinCohort as a cure for N4 fails above its threshold and at equal priority") {
  struct Row {
    std::int64_t victim;
    std::optional<std::int64_t> threshold;
    bool admitted;
  };
  for (const Row& row : {Row{5, std::nullopt, true}, Row{5, 5, true}, Row{5, 4, false}, Row{10, std::nullopt, false}}) {
    Builder b;
    b.cohort("root", "", {.nominal = 8});
    auto& preemption = b.queue("serving", "root", {.nominal = 0}).preemption;
    preemption.reclaim_within_cohort = Reclaim::Any;
    preemption.borrow_within_cohort = BorrowWithin::LowerPriority;
    preemption.max_priority_threshold = row.threshold;
    b.queue("batch", "root", {.nominal = 0});
    World w(b);
    w.run("batch", 8, {.priority = row.victim});
    const auto ask = w.submit("serving", 8, {.priority = 10});
    CHECK(w.model.settle());
    CHECK(w.admitted(ask) == row.admitted);
  }
}

TEST_CASE("N6: nobody can evict from a queue on Hold, while its usage still counts") {
  World w(lent());
  const auto held = w.run("batch", 8);
  w.model.stop(w.queue("batch"), StopPolicy::Hold);
  const auto ask = w.submit("serving", 1);
  CHECK(w.left("serving") == 0);
  CHECK(w.model.settle());
  CHECK(w.pending(ask));
  CHECK(w.admitted(held));
  w.model.stop(w.queue("batch"), StopPolicy::None);
  CHECK(w.model.settle());
  CHECK(w.admitted(ask));
}

TEST_CASE("HoldAndDrain evicts, and what asks again waits") {
  World w(lent(Reclaim::Never));
  const auto held = w.run("batch", 8, {.asks_again = true});
  const auto ask = w.submit("serving", 1);
  w.model.stop(w.queue("batch"), StopPolicy::HoldAndDrain);
  CHECK(w.model.state(held) == WorkloadState::Evicting);
  w.model.release_victims();
  CHECK(w.model.settle());
  CHECK(w.admitted(ask));
  CHECK(w.pending(held));
}

TEST_CASE("a stopped queue schedules nothing, its quota stays lendable") {
  Builder b = lent();
  b.cluster.queues[0].stop = StopPolicy::Hold;
  World w(b);
  const auto ask = w.submit("serving", 1);
  w.run("batch", 8);
  CHECK(w.pending(ask));
}

TEST_CASE("queues in a cycle of cohorts schedule nothing") {
  Builder b;
  b.cohort("x", "y");
  b.cohort("y", "x");
  b.queue("q", "x", {.nominal = 8});
  World w(b);
  const auto ask = w.submit("q", 1);
  CHECK(w.model.settle());
  CHECK(w.pending(ask));
}

TEST_CASE("N8: a holder within its own nominal is left alone, whatever its neighbours do") {
  Builder b = lent();
  b.cluster.queues[1].groups[0].flavors[0].quotas[0].nominal = 4;
  b.queue("other", "gpu", {.nominal = 0});
  World w(b);
  const auto own = w.run("batch", 4);
  const auto borrowed = w.run("other", 8);
  const auto ask = w.submit("serving", 8);
  CHECK(w.model.settle());
  CHECK(w.admitted(ask));
  CHECK(w.admitted(own));
  CHECK(w.gone(borrowed));
}

TEST_CASE("N9: a borrower whose own cohort is within its quota is no victim, though it exceeds its own nominal") {
  Builder b;
  b.cohort("root", "");
  b.cohort("serving", "root", {.nominal = 4});
  b.cohort("batch", "root");
  b.cohort("team", "batch", {.nominal = 4});
  b.queue("chat", "serving", {.nominal = 0}).preemption.reclaim_within_cohort = Reclaim::LowerPriority;
  b.queue("train", "team", {.nominal = 0});
  b.queue("urgent", "batch", {.nominal = 0});
  for (const std::int64_t held : {4, 8}) {  // by train: its team has 4
    World w(b);
    const auto first = w.run("train", 4, {.priority = 0});
    if (held == 8) w.run("train", 4, {.priority = 0});
    if (held == 4) w.run("urgent", 4, {.priority = 100});  // the one who borrows from serving
    const auto ask = w.submit("chat", 4, {.priority = 50});
    CHECK(w.model.settle());
    CHECK(w.admitted(ask) == (held == 8));
    CHECK(w.admitted(first));
  }
}

TEST_CASE("the victim's queue must exceed its nominal on something needed, the preemptor on nothing requested") {
  // Serving keeps within its GPUs but holds one cpu too many: a reclaim of cpu evicts its GPU workload.
  Builder b;
  b.queue("serving", "gpu", {"cpu", "gpu"}, {{"h100", {{.nominal = 2}, {.nominal = 8}}}});
  b.queue("batch", "gpu", {"cpu", "gpu"}, {{"h100", {{.nominal = 4}, {.nominal = 0}}}});
  b.cluster.queues[1].preemption.reclaim_within_cohort = Reclaim::Any;
  World w(b);
  const auto served = w.run("serving", {{"cpu", 3}, {"gpu", 8}}, {.priority = 1000});
  const auto ask = w.submit("batch", {{"cpu", 4}});
  CHECK(w.model.settle());
  CHECK(w.admitted(ask));
  CHECK(w.gone(served));
}

TEST_CASE("whole workloads are evicted: a queue one over its nominal can lose eight") {
  Builder b;
  b.queue("serving", "gpu", {.nominal = 8}).preemption.reclaim_within_cohort = Reclaim::Any;
  b.queue("victim", "gpu", {.nominal = 8});
  World w(b);
  w.run("victim", 1);
  w.run("victim", 8);
  const auto ask = w.submit("serving", 8);
  CHECK(w.model.settle());
  CHECK(w.admitted(ask));
  CHECK(w.used("victim") == 1);
}

TEST_CASE("a queue whose nominal was lowered below its use becomes a victim") {
  Builder b;
  b.queue("serving", "gpu", {.nominal = 8});
  b.queue("batch", "gpu", {.nominal = 0}).preemption.reclaim_within_cohort = Reclaim::Any;
  b.cluster.modes.push_back(
      {"less", {{{"serving", "h100", "gpu"}, {4, {}, {}}}, {{"batch", "h100", "gpu"}, {4, {}, {}}}}});
  World w(b);
  const auto served = w.run("serving", 8, {.priority = 1000});
  w.model.switch_mode(1);
  CHECK(w.admitted(served));  // the change itself evicts nobody
  const auto ask = w.submit("batch", 4);
  CHECK(w.model.settle());
  CHECK(w.admitted(ask));
  CHECK(w.gone(served));
}

TEST_CASE("a cohort in debt eats what a lending limit of 0 protects, until the borrower is evicted") {
  for (const Reclaim reclaim : {Reclaim::Never, Reclaim::Any}) {
    Builder b;
    b.queue("serving", "root", {.nominal = 8, .lending = 0}).preemption.reclaim_within_cohort = reclaim;
    b.queue("batch", "root", {.nominal = 0});
    b.queue("pool", "root", {.nominal = 4});
    b.cluster.modes.push_back({"cut", {{{"pool", "h100", "gpu"}, {0, {}, {}}}}});
    World w(b);
    w.run("batch", 4);
    w.model.switch_mode(1);
    CHECK(w.left("serving") == 4);
    const auto ask = w.submit("serving", 5);
    CHECK(w.model.settle());
    CHECK(w.admitted(ask) == (reclaim == Reclaim::Any));
  }
}
