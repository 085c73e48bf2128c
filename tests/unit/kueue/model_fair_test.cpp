// Fair sharing: the cases of the reference on Kueue, sections 3.1, 4.2 and 4.3, which were run there against the real
// scheduler.
#include "tests/support/catch.h"
#include "tests/unit/kueue/model_builder.h"

using namespace gpol;
using namespace gpol::testing;
using Kind = gpol::kueue::Decision::Kind;

namespace {

Builder fair() {
  Builder b;
  b.cluster.config.fair_sharing = true;
  return b;
}

Queue& reclaiming(Queue& queue) {
  queue.preemption.reclaim_within_cohort = Reclaim::Any;
  return queue;
}

}  // namespace

TEST_CASE("within nominal a reclaim takes victims without comparing shares") {
  Builder b = fair();
  reclaiming(b.queue("serving", "gpu", {.nominal = 8})).fair_weight = "0";  // an infinite share as soon as it borrows
  b.queue("batch", "gpu", {.nominal = 0}).fair_weight = "7";
  World w(b);
  w.run("batch", 8, {.priority = 100});
  const auto ask = w.submit("serving", 8);
  const auto decisions = w.model.cycle();
  REQUIRE(decisions.size() == 1);
  CHECK(decisions[0].why == "InCohortReclamation");
  CHECK(w.model.settle());
  CHECK(w.admitted(ask));
}

TEST_CASE("out of a shared pool batch evicts serving, whatever its priority: shares decide") {
  for (const bool sharing : {true, false}) {
    Builder b = fair();
    b.cluster.config.fair_sharing = sharing;
    b.cohort("gpu", "", Q{8});
    b.queue("serving", "gpu", {.nominal = 0});
    reclaiming(b.queue("batch", "gpu", {.nominal = 0}));
    World w(b);
    w.run("serving", 4, {.priority = 1000});
    w.run("serving", 4, {.priority = 1000});
    const auto ask = w.submit("batch", 4);
    w.model.cycle();
    w.model.release_victims();
    w.model.cycle();
    CHECK(w.admitted(ask) == sharing);  // N4: classical preemption needs nominal quota
    CHECK(w.used("serving") == (sharing ? 4 : 8));
  }
}

TEST_CASE("N3: another resource that would borrow does not stop a fair reclaim, as it does the classical one") {
  for (const bool sharing : {true, false}) {
    Builder b = fair();
    b.cluster.config.fair_sharing = sharing;
    reclaiming(b.queue("serving", "gpu", {"gpu", "cpu"}, {{"h100", {Q{8}, Q{4}}}}));
    b.queue("batch", "gpu", {"gpu", "cpu"}, {{"h100", {Q{0}, Q{8}}}});
    World w(b);
    w.run("batch", {{"gpu", 8}, {"cpu", 2}});
    const auto ask = w.submit("serving", {{"gpu", 4}, {"cpu", 6}});
    w.model.settle();
    CHECK(w.admitted(ask) == sharing);
  }
}

TEST_CASE("the strategies: at most the victim's share without it, or less than its share as it is") {
  using Strategies = KueueConfig::FairStrategies;
  // 12 to share; serving has 3 of it and asks for 3, batch has 9 in one workload: 6 <= 0 does not hold, 6 < 9 does.
  for (const auto strategies :
       {Strategies::LessThanOrEqualToFinalShare, Strategies::LessThanInitialShare, Strategies::Both}) {
    Builder b = fair();
    b.cluster.config.fair_strategies = strategies;
    b.cohort("gpu", "", Q{12});
    reclaiming(b.queue("serving", "gpu", {.nominal = 0}));
    b.queue("batch", "gpu", {.nominal = 0});
    World w(b);
    w.run("serving", 3);
    w.run("batch", 9);
    const auto ask = w.submit("serving", 3);
    const auto decisions = w.model.cycle();
    REQUIRE(decisions.size() == 1);
    CHECK((decisions[0].kind == Kind::Preempting) == (strategies != Strategies::LessThanOrEqualToFinalShare));
    CHECK_FALSE(w.admitted(ask));
  }
}

TEST_CASE("weights divide the share: a queue of weight 3 may have three times as much") {
  Builder b = fair();
  b.cohort("gpu", "", Q{8});
  reclaiming(b.queue("heavy", "gpu", {.nominal = 0})).fair_weight = "3";
  b.queue("light", "gpu", {.nominal = 0});
  World w(b);
  for (int i = 0; i < 4; ++i) w.run("light", 2);
  for (int i = 0; i < 4; ++i) w.submit("heavy", 2, {.asks_again = true});
  w.model.settle();
  CHECK(w.used("heavy") == 6);
  CHECK(w.used("light") == 2);
}

TEST_CASE("of two heads the one whose queue would borrow nothing goes first, then the one with the lower share") {
  Builder b = fair();
  b.cohort("gpu", "", Q{4});
  b.queue("owner", "gpu", {.nominal = 4});
  b.queue("borrower", "gpu", {.nominal = 0});
  World w(b);
  w.submit("borrower", 6, {.priority = 100});
  w.submit("owner", 4);
  const auto decisions = w.model.cycle();
  REQUIRE(decisions.size() == 2);
  CHECK(decisions[0].workload == 1);
  CHECK(decisions[0].kind == Kind::Admitted);
  CHECK(decisions[1].kind == Kind::Skipped);
}

TEST_CASE("between child cohorts of equal share upstream leaves the choice to chance, and the model says so") {
  Builder b = fair();
  b.cohort("gpu", "", Q{8});
  for (const char* name : {"left", "right"}) {
    b.cohort(name, "gpu");
    b.queue(std::string(name) + "-q", name, {.nominal = 0});
  }
  reclaiming(b.queue("asks", "gpu", {.nominal = 0}));
  World w(b);
  w.run("left-q", 4);
  w.run("right-q", 4);
  CHECK_FALSE(w.model.arbitrary());
  w.submit("asks", 2);
  w.model.cycle();
  CHECK(w.model.arbitrary());
}

TEST_CASE(
    "N7: what runs on a flavor that its queue no longer lists is no victim under fair sharing, only under classical") {
  for (const bool sharing : {true, false}) {
    Builder b = fair();
    b.cluster.config.fair_sharing = sharing;
    reclaiming(b.queue("serving", "gpu", {.nominal = 8}));
    b.queue("batch", "gpu", {"gpu"}, {{"h100", {Q{0}}}, {"a100", {Q{0}}}});
    World w(b);
    const auto held = w.run("batch", 8, {.flavor = "h100"});
    Cluster edited = w.b.cluster;
    edited.queues[1].groups[0].flavors.erase(edited.queues[1].groups[0].flavors.begin());
    w.model.edit(kueue::compile(edited), 1);
    CHECK(w.used("batch") == 8);
    const auto ask = w.submit("serving", 4);
    w.model.settle();
    CHECK(w.admitted(ask) == !sharing);
    CHECK(w.admitted(held) == sharing);
  }
}

TEST_CASE("a flavor taken off while a workload remembers how far it tried: upstream admits it with nothing") {
  Builder b;
  b.cohort("gpu", "").groups = {b.group({"gpu"}, {{"second", {Q{4}}}})};
  for (const char* name : {"one", "other"})
    b.queue(name, "gpu", {"gpu"}, {{"first", {Q{0}}}, {"second", {Q{0}}}, {"third", {Q{0}}}});
  World w(b);
  const auto first = w.submit("one", 4), ask = w.submit("other", 4);
  w.model.cycle();  // both fit on the second flavor, and there the search stops; then only one still does
  REQUIRE(w.admitted(first));
  REQUIRE(w.pending(ask));
  Cluster edited = w.b.cluster;
  edited.queues[1].groups[0].flavors.resize(1);
  w.model.edit(kueue::compile(edited), 1);
  w.model.cycle();
  CHECK(w.admitted(ask));
  CHECK(w.model.held(ask).empty());
}

TEST_CASE("a workload of two podsets is admitted whole or not at all, and the second counts what the first takes") {
  Builder b;
  b.queue("q", "gpu", {"gpu"}, {{"first", {Q{6}}}, {"second", {Q{4}}}});
  World w(b);
  const auto two = [&](std::int64_t first, std::int64_t second) {
    kueue::WorkloadSpec spec;
    spec.queue = 0;
    spec.requests = {{b.resource("gpu"), first}};
    spec.more = {{{{b.resource("gpu"), second}}, std::nullopt, 1}};
    return w.model.submit(spec);
  };
  const auto fits = two(4, 4);  // 4 of the first flavor leave 2: the second podset takes the second
  w.model.cycle();
  REQUIRE(w.admitted(fits));
  const auto held = w.model.held(fits);
  REQUIRE(held.size() == 2);
  CHECK(held[0].podset == 0);
  CHECK(held[0].flavor == w.b.flavor("first"));
  CHECK(held[1].podset == 1);
  CHECK(held[1].flavor == w.b.flavor("second"));
  const auto too_much = two(2, 1);
  CHECK(w.model.settle());
  CHECK(w.pending(too_much));
  CHECK(w.used("q", "gpu", "first") == 4);
}
