// The closed form of guarantee G against the solver on facts that no cluster of a test may have: every combination is
// drawn, not only those that occur.
#include "checker/families/reclaim_formula.h"
#include "checker/solver/solver.h"
#include "tests/support/catch.h"
#include "tests/support/random_tree.h"

using namespace gpol;

namespace {

ReclaimFacts drawn(testing::Dice& dice) {
  const auto mostly = [&] { return !dice.one_in(12); };
  const auto now_and_then = [&] { return dice.one_in(5); };
  ReclaimFacts f;
  f.policy = dice.one_in(8) ? Reclaim::Never : dice.one_in(3) ? Reclaim::LowerPriority : Reclaim::Any;
  for (bool* fact : {&f.nominal_covers, &f.borrows_nothing, &f.victims_active, &f.victims_leave, &f.one_flavor,
                     &f.no_topology, &f.best_effort_head, &f.active, &f.namespace_matches, &f.no_checks,
                     &f.nothing_blocks, &f.physical, &f.pods_seen, &f.goes_first})
    *fact = mostly();
  f.try_next_when_preempting = !f.one_flavor && dice.one_in(2);
  for (bool* fact : {&f.siblings.reclaim_any, &f.siblings.owns_nothing, &f.siblings.best_effort,
                     &f.siblings.strict_fifo, &f.siblings.goes_after, &f.nothing_claimable})
    *fact = now_and_then();
  f.timed = dice.one_in(2);
  f.victims_below = dice.one_in(2);
  f.resources = static_cast<std::uint8_t>(2 + dice.upto(2));
  return f;
}

}  // namespace

TEST_CASE("the solver and the closed form agree about facts of every kind") {
  testing::Dice dice(11);
  Solver solver;
  int suffice = 0, do_not = 0;
  for (int i = 0; i < 300; ++i) {
    const ReclaimFacts facts = drawn(dice);
    const auto kind = solver.check(reclaim_formula(facts)).kind;
    INFO("facts " << i << ", missing " << missing_of(facts).size());
    REQUIRE(kind != Answer::Kind::Unknown);
    CHECK((kind == Answer::Kind::Unsat) == gives_back(facts));
    CHECK(gives_back(facts) == missing_of(facts).empty());
    (gives_back(facts) ? suffice : do_not)++;
  }
  CHECK(suffice >= 20);
  CHECK(do_not >= 60);
}
