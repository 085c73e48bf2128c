#include "checker/families/time.h"

#include "checker/solver/solver.h"
#include "tests/support/catch.h"
#include "tests/unit/families/small_cluster.h"

using namespace gpol;
using namespace gpol::test;

namespace {

QueueRole serving_role() {
  QueueRole role;
  role.kind = QueueRole::Kind::Serving;
  role.victims_in_turn = 2;
  role.start = {seconds(5), seconds(20), seconds(40), seconds(25), seconds(20)};
  return role;
}

BatchTimes batch(bool only_jobs) { return {seconds(5), seconds(3), seconds(60), seconds(4), only_jobs}; }

TEST_CASE("every term of the time, by hand") {
  const Turns turns{2, 1, 3, 1, ""};  // one replica fits; three turns in the tree
  SECTION("Jobs release their quota while their pods end") {
    const Clock clock = read_clock(serving_role(), batch(true), turns, true).clock;
    // 1 x 5 + 3 x (2 x 5 + 3) + 60 + 4
    CHECK(clock.back() == 108'000);
    CHECK(clock.ready() == 218'000);
    CHECK(back_in_words(clock) ==
          "back in 1min 48s = 1 x round 5s + 3 x (2 x round 5s + release 3s) + grace 1min + kill margin 4s");
  }
  SECTION("other kinds release it when their pods are gone") {
    const Clock clock = read_clock(serving_role(), batch(false), turns, true).clock;
    // 1 x 5 + 3 x (2 x 5 + 64) + 64
    CHECK(clock.back() == 291'000);
  }
}

TEST_CASE("what nobody can hold waits for rounds alone") {
  const Clock clock = read_clock(serving_role(), batch(true), {2, 0, 0, 2, ""}, true).clock;
  CHECK(clock.back() == 10'000);
  CHECK(clock.gone() == 0);
}

TEST_CASE("pods of others that serve on the nodes end once in every clock") {
  Turns turns{2, 0, 0, 2, ""};
  turns.serving = {"maps", 35'000, "", {}};
  const Clock clock = read_clock(serving_role(), batch(true), turns, true).clock;
  CHECK(clock.back() == 10'000 + 35'000);
  CHECK(back_in_words(clock) == "back in 45s = 2 x round 5s + end of other tenants' pods 35s");
  turns.serving = {"maps", {}, "maps", {}};
  CHECK(missing_in_words(read_clock(serving_role(), batch(true), turns, true).missing) ==
        "how long pods of `maps`, which serves on the same nodes, take to end is not declared");
}

TEST_CASE("a term that is not declared is named, never assumed") {
  const Turns turns{2, 1, 1, 1, ""};
  auto times = batch(true);
  times.grace.reset();
  CHECK(missing_in_words(read_clock(serving_role(), times, turns, true).missing) ==
        "the longest grace of batch is not declared");
  auto role = serving_role();
  role.start.load.reset();
  CHECK(missing_in_words(read_clock(role, batch(true), turns, true).missing) ==
        "the start term `load` is not declared");
  CHECK(read_clock(role, batch(true), turns, false).missing.empty());
  times = batch(true);
  times.round.reset();
  CHECK(missing_in_words(read_clock(serving_role(), times, {2, 0, 0, 2, ""}, true).missing) ==
        "the longest scheduling round is not declared");
}

TEST_CASE("the lemma holds, and agrees with the sum to the millisecond") {
  Solver solver;
  for (const bool only_jobs : {true, false})
    for (const bool whole : {true, false}) {
      const Clock clock = read_clock(serving_role(), batch(only_jobs), {3, 2, 4, 1, ""}, true).clock;
      const Millis sum = whole ? clock.ready() : clock.back();
      CHECK(solver.check(time_lemma(clock, sum, whole).formula).kind == Answer::Kind::Unsat);
      CHECK(time_lemma(clock, sum, whole).met());
      CHECK_FALSE(time_lemma(clock, sum - 1, whole).met());
    }
}

TEST_CASE("a story's terms add up to the clock's own sum") {
  for (const bool only_jobs : {true, false}) {
    const Clock clock = read_clock(serving_role(), batch(only_jobs), {3, 2, 2, 1, ""}, true).clock;
    Millis sum = 0;
    for (const TimeTerm& term : story_terms(clock, 1, 2)) sum += term.time;
    CHECK(sum == clock.ready());
  }
}

}  // namespace
