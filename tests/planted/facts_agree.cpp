// The closed form of guarantee G against the solver on facts that no cluster of a test may have: every combination is
// drawn, not only those that occur.
#include <iterator>

#include "checker/families/reclaim_formula.h"
#include "checker/solver/solver.h"
#include "tests/support/catch.h"
#include "tests/support/random_tree.h"

using namespace gpol;

namespace {

// The facts that suffice, and now and then one or two of them the other way round.
ReclaimFacts drawn(testing::Dice& dice) {
  ReclaimFacts f;
  f.policy = dice.one_in(12) ? Reclaim::Never : dice.one_in(3) ? Reclaim::LowerPriority : Reclaim::Any;
  f.victims_below = !dice.one_in(6);
  bool* facts[] = {&f.nominal_covers,    &f.borrows_nothing, &f.victims_active,   &f.victims_leave, &f.one_flavor,
                   &f.no_topology,       &f.active,          &f.best_effort_head, &f.no_checks,     &f.nothing_blocks,
                   &f.namespace_matches, &f.physical,        &f.pods_kept,        &f.goes_first};
  for (bool* fact : facts) *fact = true;
  for (std::int64_t n = dice.upto(2); n > 0; --n) *facts[dice.upto(std::ssize(facts) - 1)] = false;
  f.try_next_when_preempting = !f.one_flavor && dice.one_in(2);
  f.timed = dice.one_in(2);
  f.siblings = {dice.one_in(3), dice.one_in(3), dice.one_in(f.timed ? 12 : 3), dice.one_in(12), dice.one_in(3)};
  f.nothing_claimable = dice.one_in(6);
  f.resources = static_cast<std::uint8_t>(2 + dice.upto(1));
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
