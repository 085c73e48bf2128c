#include "checker/kueue/model.h"

#include "tests/support/catch.h"
#include "tests/unit/kueue/model_builder.h"

using namespace gpol;
using namespace gpol::testing;
using Kind = gpol::kueue::Decision::Kind;

TEST_CASE("what fits is admitted, what does not waits, what leaves makes room") {
  Builder b;
  b.queue("q", "", {.nominal = 4});
  World w(b);
  const auto first = w.run("q", 3);
  const auto second = w.submit("q", 2);
  CHECK(w.model.settle());
  CHECK(w.pending(second));
  CHECK(w.left("q") == 1);
  w.model.finish(first);
  CHECK(w.model.settle());
  CHECK(w.admitted(second));
  CHECK(w.used("q") == 2);
}

TEST_CASE("a queue borrows without being allowed to, up to its limit and only what it lists") {
  Builder b;
  b.queue("lender", "c", {.nominal = 8});
  b.queue("free", "c", {.nominal = 0});
  b.queue("limited", "c", {.nominal = 1, .borrowing = 2});
  b.queue("silent", "c", {"cpu"}, {{"h100", {{.nominal = 8}}}});
  World w(b);
  const auto too_much = w.submit("limited", 4);
  const auto unlisted = w.submit("silent", 1);
  const auto borrowed = w.submit("limited", 3);
  CHECK(w.model.settle());
  CHECK(w.pending(too_much));
  CHECK(w.pending(unlisted));
  CHECK(w.admitted(borrowed));
  w.run("free", 6);
  CHECK(w.left("lender") == 0);
}

TEST_CASE("a decision says what is borrowed") {
  Builder b;
  b.queue("lender", "c", {.nominal = 8});
  b.queue("q", "c", {.nominal = 1});
  World w(b);
  w.submit("q", 4);
  const auto decisions = w.model.cycle();
  REQUIRE(decisions.size() == 1);
  CHECK(decisions[0].kind == Kind::Admitted);
  CHECK(decisions[0].flavor == 0U);
  CHECK(decisions[0].why == "borrows 3 gpu");
}

TEST_CASE("within a queue the higher priority goes first, then the older") {
  Builder b;
  b.queue("q", "", {.nominal = 1});
  World w(b);
  const auto old = w.submit("q", 1);
  const auto recent = w.submit("q", 1);
  const auto urgent = w.submit("q", 1, {.priority = 5});
  for (const auto next : {urgent, old, recent}) {
    w.model.settle();
    CHECK(w.admitted(next));
    w.model.finish(next);
  }
}

TEST_CASE("across queues: who borrows least, then priority, then age") {
  Builder b;
  b.queue("owner", "c", {.nominal = 2});
  b.queue("borrower", "c", {.nominal = 0});
  b.queue("third", "c", {.nominal = 0});
  World w(b);
  const auto borrows_first = w.submit("borrower", 1, {.priority = 100});
  const auto within = w.submit("owner", 1);
  const auto urgent = w.submit("third", 1, {.priority = 200});
  const auto decisions = w.model.cycle();
  REQUIRE(decisions.size() == 3);
  CHECK(decisions[0].workload == within);
  CHECK(decisions[1].workload == urgent);
  CHECK(decisions[1].kind == Kind::Admitted);
  CHECK(decisions[2].workload == borrows_first);
  CHECK(decisions[2].kind == Kind::Skipped);
}

TEST_CASE("across queues: the nearer the quota, the earlier") {
  Builder b;
  b.cohort("root", "");
  b.cohort("near", "root", {.nominal = 1});
  b.queue("far_borrower", "root", {.nominal = 0});
  b.queue("near_borrower", "near", {.nominal = 0});
  World w(b);
  const auto far = w.submit("far_borrower", 1, {.priority = 100});
  const auto near = w.submit("near_borrower", 1);
  const auto decisions = w.model.cycle();
  REQUIRE(decisions.size() == 2);
  CHECK(decisions[0].workload == near);
  CHECK(w.admitted(near));
  CHECK(w.pending(far));
}

TEST_CASE("StrictFIFO: a head that does not fit blocks the queue; BestEffortFIFO passes it over") {
  for (const auto strategy : {QueueingStrategy::StrictFIFO, QueueingStrategy::BestEffortFIFO}) {
    Builder b;
    b.queue("q", "", {.nominal = 4}).strategy = strategy;
    World w(b);
    const auto running = w.run("q", 2);
    const auto large = w.submit("q", 3);
    const auto small = w.submit("q", 1);
    CHECK(w.model.settle());
    CHECK(w.pending(large));
    CHECK(w.admitted(small) == (strategy == QueueingStrategy::BestEffortFIFO));
    w.model.finish(running);
    CHECK(w.model.settle());
    CHECK(w.admitted(large));
    CHECK(w.admitted(small));
  }
}

TEST_CASE("a parked workload is tried again when quota anywhere in its tree is freed, not otherwise") {
  Builder b;
  b.cohort("root", "");
  b.cohort("left", "root");
  b.queue("q", "left", {.nominal = 4});
  b.queue("other", "root", {.nominal = 4});
  b.queue("stranger", "elsewhere", {.nominal = 4});
  World w(b);
  const auto far = w.run("other", 4);
  w.run("q", 2);
  const auto apart = w.run("stranger", 4);
  const auto parked = w.submit("q", 4);
  CHECK(w.model.settle());
  CHECK(w.model.cycle().empty());  // nobody is in the queue
  w.model.finish(apart);
  CHECK(w.model.cycle().empty());
  w.model.finish(far);
  CHECK(w.model.cycle().size() == 1);
  CHECK(w.admitted(parked));
}

TEST_CASE("workloads of the shape of a parked one are parked with it, those of another are not") {
  Builder b;
  b.queue("q", "", {.nominal = 4});
  World w(b);
  w.run("q", 3);
  w.submit("q", 2);
  w.submit("q", 2);
  w.submit("q", 2, {.priority = -1});
  CHECK(w.model.cycle().size() == 1);
  w.submit("q", 2);  // arrives parked
  const auto decisions = w.model.cycle();
  REQUIRE(decisions.size() == 1);
  CHECK(w.model.spec(decisions[0].workload).priority == -1);
  CHECK(w.model.cycle().empty());
}

TEST_CASE("in its own queue a workload evicts by withinClusterQueue") {
  struct Row {
    Within policy;
    std::int64_t victim, preemptor;
    bool admitted;
  };
  for (const Row& row : {Row{Within::Never, 0, 9, false}, Row{Within::LowerPriority, 0, 9, true},
                         Row{Within::LowerPriority, 9, 9, false}, Row{Within::LowerOrNewerEqualPriority, 9, 9, false},
                         Row{Within::LowerOrNewerEqualPriority, 0, 9, true}}) {
    Builder b;
    b.queue("q", "", {.nominal = 4}).preemption.within_cluster_queue = row.policy;
    World w(b);
    w.run("q", 4, {.priority = row.victim});
    const auto ask = w.submit("q", 2, {.priority = row.preemptor});
    CHECK(w.model.settle());
    CHECK(w.admitted(ask) == row.admitted);
  }
}

TEST_CASE("LowerOrNewerEqualPriority: an older workload evicts a newer one of its priority") {
  Builder b;
  b.queue("q", "", {.nominal = 4}).preemption.within_cluster_queue = Within::LowerOrNewerEqualPriority;
  World w(b);
  const auto first = w.run("q", 3);
  const auto older = w.submit("q", 4);
  const auto newer = w.submit("q", 1);
  CHECK(w.model.settle());
  CHECK(w.admitted(newer));
  w.model.finish(first);
  CHECK(w.model.settle());
  CHECK(w.admitted(older));
  CHECK(w.gone(newer));
}

TEST_CASE("victims: other queues first, lower priority first, later admitted first; those not needed stay") {
  Builder b;
  auto& preemption = b.queue("q", "c", {.nominal = 6}).preemption;
  preemption.reclaim_within_cohort = Reclaim::Any;
  preemption.within_cluster_queue = Within::LowerPriority;
  b.queue("other", "c", {.nominal = 0});
  World w(b);
  const auto own = w.run("q", 1);
  const auto high = w.run("other", 1, {.priority = 5});
  const auto low_old = w.run("other", 1, {.priority = 1});
  const auto low_new = w.run("other", 3, {.priority = 1});
  w.submit("q", 3, {.priority = 9});
  auto decisions = w.model.cycle();
  REQUIRE(decisions.size() == 1);
  CHECK(decisions[0].victims == std::vector<WorkloadId>{low_new});
  w.model.release_victims();
  w.model.settle();

  // Now 1 own, 3 new own, 1 high, 1 low: another 2 need both of the other queue.
  w.submit("q", 2, {.priority = 9});
  decisions = w.model.cycle();
  REQUIRE(decisions.size() == 1);
  CHECK(decisions[0].victims == std::vector<WorkloadId>{low_old, high});
  CHECK(w.admitted(own));
}

TEST_CASE("what was removed in vain is put back") {
  Builder b;
  b.queue("q", "c", {.nominal = 4}).preemption.reclaim_within_cohort = Reclaim::Any;
  b.queue("other", "c", {.nominal = 0});
  World w(b);
  const auto large = w.run("other", 3);
  const auto small = w.run("other", 1);  // the first candidate: admitted last
  const auto ask = w.submit("q", 3);
  CHECK(w.model.settle());
  CHECK(w.admitted(ask));
  CHECK(w.gone(large));
  CHECK(w.admitted(small));
}

TEST_CASE("two reclaims of one cycle do not share a victim") {
  Builder b;
  for (const char* name : {"a", "b"})
    b.queue(name, "c", {.nominal = 2}).preemption.reclaim_within_cohort = Reclaim::Any;
  b.queue("batch", "c", {.nominal = 0});
  World w(b);
  w.run("batch", 4);
  const auto first = w.submit("a", 2);
  const auto second = w.submit("b", 2);
  const auto decisions = w.model.cycle();
  REQUIRE(decisions.size() == 2);
  CHECK(decisions[0].kind == Kind::Preempting);
  CHECK(decisions[1].kind == Kind::Skipped);
  CHECK(decisions[1].why == "its victims are evicted for another workload");
  CHECK(w.model.settle());
  CHECK(w.admitted(first));
  CHECK(w.admitted(second));
}

TEST_CASE("between cycles nothing is locked, but who awaits its victims is tried first in its queue") {
  Builder b;
  b.queue("q", "c", {.nominal = 4}).preemption.reclaim_within_cohort = Reclaim::Any;
  b.queue("batch", "c", {.nominal = 0});
  World w(b);
  w.run("batch", 4);
  const auto ask = w.submit("q", 4);
  CHECK(w.model.cycle()[0].kind == Kind::Preempting);
  const auto urgent = w.submit("q", 4, {.priority = 9});
  w.model.release_victims();
  CHECK(w.model.settle());
  CHECK(w.admitted(ask));
  CHECK(w.pending(urgent));
}

TEST_CASE("models of one cluster share what was compiled") {
  Builder b;
  b.queue("q", "", {.nominal = 1});
  const auto compiled = kueue::compile(b.cluster);
  kueue::Model one(compiled, 0), two(compiled, 0);
  const auto id = one.submit({0, 0, {{0, 1}}, {}, false});
  CHECK(one.settle());
  CHECK(one.state(id) == WorkloadState::Admitted);
  CHECK(one.flavor_of(id) == 0U);
  CHECK(one.available(0, 0, 0) == 0);
  CHECK(two.available(0, 0, 0) == 1);
}
