// The closed form of fragmentation against the solver on questions that no cluster of a test may lead to.
#include "checker/families/fragmentation_formula.h"
#include "checker/solver/solver.h"
#include "tests/support/catch.h"
#include "tests/support/random_tree.h"

using namespace gpol;
using testing::Dice;

namespace {

// cpu, GPUs, pods.
nodes::Question drawn(Dice& dice) {
  nodes::Question q;
  q.node = {1 + dice.upto(3), 1 + dice.upto(3), 1 + dice.upto(2)};
  q.replica = {dice.upto(q.node[0]), 1 + dice.upto(q.node[1] - 1), 1};
  const std::vector<bool> none(3, false);
  if (dice.one_in(2)) {
    const nodes::Amounts each{dice.upto(q.node[0]), 1 + dice.upto(q.node[1] - 1), 1};
    q.kinds.push_back({true, each, none, each, dice.upto(2), dice.upto(2), {}});
  }
  if (dice.one_in(3)) {  // somebody whose pods come in two sizes
    for (int size = 0; size < 2; ++size) {
      const nodes::Amounts each{dice.upto(q.node[0]), 1 + dice.upto(q.node[1] - 1), 1};
      q.kinds.push_back({true, each, none, each, dice.upto(3), dice.upto(1), {}, 0});
    }
    q.owned.push_back({dice.upto(4), 1 + dice.upto(3), 1 + dice.upto(3)});
  }
  for (std::int64_t shaped = dice.upto(1); shaped >= 0; --shaped) {
    nodes::PodKind kind{false, {0, shaped == 0 ? 0 : 1 + dice.upto(1), 1}, {true, shaped == 0, false}, {0, 0, 0}, 0, 0,
                        {}};
    for (int r = 0; r < 3; ++r) kind.at_most.push_back(dice.upto(5));
    q.kinds.push_back(std::move(kind));
  }
  for (int r = 0; r < 3; ++r) {
    q.batch.push_back(dice.upto(7));
    q.together.push_back(dice.upto(9));
  }
  return q;
}

}  // namespace

TEST_CASE("the search and the solver agree on how many nodes can be closed") {
  Dice dice(5);
  Solver solver;
  int can = 0, cannot = 0;
  for (int i = 0; i < 350; ++i) {
    const nodes::Question q = drawn(dice);
    const auto fillings = nodes::fillings(q);
    REQUIRE(fillings);
    INFO("question " << i);
    CHECK(solver.check(fillings_formula("test/fillings", q, *fillings)).kind == Answer::Kind::Unsat);
    const std::int64_t wanted = 1 + dice.upto(2);
    const auto closed = nodes::most_closed(q, *fillings, wanted, [](const auto&) { return true; });
    REQUIRE(closed.at_least == closed.at_most);
    const bool all = closed.at_least == wanted;
    CHECK((solver.check(closed_formula("test/closed", q, *fillings, wanted)).kind == Answer::Kind::Sat) == all);
    (all ? can : cannot)++;
  }
  CHECK(can > 40);
  CHECK(cannot > 40);
}
