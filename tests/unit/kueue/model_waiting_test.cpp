// What happens to the heads of a cycle that waits for pods (waitForPodsReady.blockAdmission), and to its victims.
#include "tests/support/catch.h"
#include "tests/unit/kueue/model_builder.h"

using namespace gpol;
using namespace gpol::testing;

namespace {

Builder blocking() {
  Builder b;
  b.queue("a", "", {.nominal = 2});
  b.queue("b", "", {.nominal = 2});
  b.cluster.config.wait_for_pods_ready = KueueConfig::WaitForPodsReady{"", "", true};
  return b;
}

// A head of "b" that a waiting cycle admits although its LocalQueue is drained by then; and it asks again.
struct Drained {
  World w{blocking()};
  WorkloadId head = 0;

  Drained() {
    const auto first = w.submit("a", 1);
    head = w.submit("b", 1, {.asks_again = true});
    w.model.cycle();
    w.model.stop_local(w.queue("b"), 0, StopPolicy::HoldAndDrain);
    w.model.set_ready(first, true);
  }
};

}  // namespace

TEST_CASE("a head in flight that asks again is not queued") {
  Drained d;
  REQUIRE(d.w.model.state(d.head) == WorkloadState::Evicting);
  d.w.model.stop_local(d.w.queue("b"), 0, StopPolicy::None);
  d.w.model.release_victims();
  CHECK_FALSE(d.w.model.out_of_scheduling(d.head));
  for (int i = 0; i < 3; ++i) d.w.model.cycle();
  CHECK(d.w.model.out_of_scheduling(d.head));
  d.w.model.stop_local(d.w.queue("b"), 0, StopPolicy::Hold);  // a LocalQueue that starts lists it anew
  d.w.model.stop_local(d.w.queue("b"), 0, StopPolicy::None);
  d.w.model.cycle();
  CHECK(d.w.admitted(d.head));
}

TEST_CASE("a look for heads that finds none ends the flight of the last one") {
  Drained d;
  CHECK(d.w.model.cycle().empty());
  d.w.model.stop_local(d.w.queue("b"), 0, StopPolicy::None);
  d.w.model.release_victims();
  d.w.model.cycle();
  CHECK(d.w.admitted(d.head));
}

TEST_CASE("a cycle that waited writes its victim unready again, where its status said so when it began") {
  for (const bool told : {true, false}) {
    Builder b = blocking();
    b.queue("serving", "root", {.nominal = 1}).preemption.reclaim_within_cohort = Reclaim::Any;
    b.queue("batch", "root");
    World w(b);
    const auto held = w.submit("batch", 1);
    w.model.cycle();
    REQUIRE(w.admitted(held));
    if (told) {
      w.model.set_ready(held, true);
      w.model.set_ready(held, false);
    }
    w.submit("serving", 1);
    const auto waits = w.submit("a", 1, {.priority = 9});
    w.model.cycle();
    w.model.set_ready(held, true);
    REQUIRE(w.admitted(waits));
    REQUIRE(w.model.state(held) == WorkloadState::Evicting);
    w.model.set_ready(waits, true);
    const auto more = w.submit("a", 1, {.priority = 9});
    w.model.cycle();
    CHECK(w.admitted(more) == !told);
    w.model.release_victims();
    CHECK(w.admitted(more));
  }
}
