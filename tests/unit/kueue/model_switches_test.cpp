// Switches of the whole scheduler: waitForPodsReady and feature gates (kueue.md 3.1, 3.2, 3.4).
#include "tests/support/catch.h"
#include "tests/unit/kueue/model_builder.h"

using namespace gpol;
using namespace gpol::testing;
using Kind = Decision::Kind;

namespace {

Builder two_queues(bool block) {
  Builder b;
  b.queue("a", "", {.nominal = 2});
  b.queue("b", "", {.nominal = 2});
  b.cluster.config.wait_for_pods_ready = KueueConfig::WaitForPodsReady{"", "", block};
  return b;
}

Builder lenders(const char* gate, bool on) {
  Builder b;
  b.queue("a", "root", {.nominal = 1}).preemption.reclaim_within_cohort = Reclaim::Any;
  b.queue("b", "root", {.nominal = 1}).preemption.reclaim_within_cohort = Reclaim::Any;
  b.queue("batch", "root");
  b.cluster.config.gates[gate] = on;
  return b;
}

}  // namespace

TEST_CASE("blockAdmission stops a cycle before the second admission, and readiness lets it go on") {
  World w(two_queues(true));
  const auto first = w.submit("a", 1), second = w.submit("b", 1), third = w.submit("b", 1);
  const auto decisions = w.model.cycle();
  REQUIRE(decisions.size() == 1);
  CHECK(decisions[0].workload == first);
  CHECK(w.model.waiting());
  CHECK(w.model.cycle().empty());
  CHECK(w.pending(second));
  w.model.set_ready(first, true);
  CHECK_FALSE(w.model.waiting());
  CHECK(w.admitted(second));
  CHECK(w.pending(third));
  w.model.cycle();
  CHECK(w.model.waiting());
  w.model.finish(second);  // as good as ready
  CHECK(w.admitted(third));
}

TEST_CASE("without blockAdmission nobody waits for pods") {
  World w(two_queues(false));
  const auto first = w.submit("a", 1), second = w.submit("b", 1);
  w.model.cycle();
  CHECK((w.admitted(first) && w.admitted(second)));
}

TEST_CASE("a head that ends while its cycle waits is not admitted, and takes nothing") {
  World w(two_queues(true));
  w.submit("a", 1);
  const auto waits = w.submit("b", 1);
  w.model.cycle();
  w.model.finish(waits);
  w.model.set_all_ready();
  CHECK_FALSE(w.model.waiting());
  CHECK(w.gone(waits));
  CHECK(w.used("b") == 0);
}

TEST_CASE("what a waiting cycle found stays what it decides on") {
  World w(two_queues(true));
  const auto first = w.submit("a", 1), waits = w.submit("b", 2);
  w.model.cycle();
  w.model.stop(w.queue("b"), StopPolicy::Hold);
  w.model.set_ready(first, true);
  CHECK(w.admitted(waits));
}

TEST_CASE("a queue that is drained while a cycle waits gives back what the cycle still admits to it") {
  World w(two_queues(true));
  const auto first = w.submit("a", 1), waits = w.submit("b", 2);
  w.model.cycle();
  w.model.stop(w.queue("b"), StopPolicy::HoldAndDrain);
  w.model.set_ready(first, true);
  CHECK(w.model.state(waits) == WorkloadState::Evicting);
}

TEST_CASE("settling lets pods become ready") {
  World w(two_queues(true));
  std::vector<WorkloadId> all;
  for (const char* queue : {"a", "b", "a", "b"}) all.push_back(w.submit(queue, 1));
  CHECK(w.model.settle());
  for (const auto id : all) CHECK(w.admitted(id));
}

TEST_CASE("a refused head of a cycle that waited is tried again where its tree was retried meanwhile") {
  for (const bool retried : {false, true}) {
    Builder b = two_queues(true);
    b.queue("c", "", {.nominal = 2});
    World w(std::move(b));
    const auto first = w.submit("a", 1), second = w.submit("b", 1), hopeless = w.submit("c", 3);
    w.model.cycle();
    if (retried) {
      w.model.stop(w.queue("c"), StopPolicy::Hold);
      w.model.stop(w.queue("c"), StopPolicy::None);
    }
    w.model.set_ready(first, true);
    CHECK(w.admitted(second));
    CHECK(w.model.parked(hopeless) == !retried);
  }
}

TEST_CASE("a timeout puts a workload behind those that were created before it ended, until it is admitted again") {
  for (const bool creation : {false, true}) {
    Builder b;
    b.queue("q", "", {.nominal = 1});
    b.cluster.config.wait_for_pods_ready = KueueConfig::WaitForPodsReady{"", "", false, creation};
    World w(std::move(b));
    const auto first = w.submit("q", 1, {.asks_again = true});
    w.model.cycle();
    const auto second = w.submit("q", 1), third = w.submit("q", 1);
    w.model.time_out(first);
    w.model.release_victims();
    w.model.cycle();
    CHECK(w.admitted(creation ? first : second));
    w.model.finish(creation ? first : second);
    w.model.cycle();
    CHECK(w.admitted(creation ? second : third));
  }
}

TEST_CASE("a timeout does nothing to what is not admitted") {
  World w(two_queues(false));
  const auto pending = w.submit("a", 5);
  w.model.time_out(pending);
  w.model.release_victims();
  CHECK(w.pending(pending));
}

TEST_CASE("two heads that would evict the same one: the second looks for another victim in the same cycle") {
  for (const bool recompute : {false, true}) {
    World w(lenders("RecomputeAssignmentUponPreemptionTargetsOverlap", recompute));
    w.run("batch", 1);
    w.run("batch", 1);
    w.submit("a", 1);
    w.submit("b", 1);
    const auto decisions = w.model.cycle();
    REQUIRE(decisions.size() == 2);
    CHECK(decisions[0].kind == Kind::Preempting);
    CHECK(decisions[1].kind == (recompute ? Kind::Preempting : Kind::Skipped));
    if (recompute) CHECK(decisions[0].victims != decisions[1].victims);
  }
}

TEST_CASE("where the same victim makes room for both the second waits for it") {
  World w(lenders("RecomputeAssignmentUponPreemptionTargetsOverlap", true));
  w.run("batch", 2);
  const auto first = w.submit("a", 1), second = w.submit("b", 1);
  const auto decisions = w.model.cycle();
  REQUIRE(decisions.size() == 2);
  CHECK(decisions[1].kind == Kind::Skipped);
  CHECK(decisions[1].why == "will fit once the victims of another workload are gone");
  w.model.release_victims();
  w.model.cycle();
  CHECK((w.admitted(first) && w.admitted(second)));
}

TEST_CASE("a boost counts with its gate only") {
  for (const bool on : {false, true}) {
    Builder b;
    b.queue("q", "", {.nominal = 1});
    b.cluster.config.gates["PriorityBoost"] = on;
    World w(std::move(b));
    kueue::WorkloadSpec spec;
    spec.requests = {{0, 1}};
    const auto older = w.model.submit(spec);
    spec.boost = 1;
    const auto boosted = w.model.submit(spec);
    w.model.cycle();
    CHECK(w.admitted(on ? boosted : older));
  }
}

TEST_CASE("with the buffer newer means by more than five minutes") {
  for (const std::uint64_t seconds : {0U, 400U}) {
    Builder b;
    b.queue("q", "", {.nominal = 2}).preemption.within_cluster_queue = Within::LowerOrNewerEqualPriority;
    b.cluster.config.gates["SchedulerTimestampPreemptionBuffer"] = true;
    World w(std::move(b));
    const auto high = w.run("q", 1, {.priority = 9});
    const auto older = w.submit("q", 2);
    w.model.settle();
    w.model.elapse(seconds);
    const auto newer = w.run("q", 1);
    w.model.finish(high);
    w.model.settle();
    CHECK(w.admitted(seconds > 300 ? older : newer));
  }
}
