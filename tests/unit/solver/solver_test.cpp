#include "checker/solver/solver.h"

#include "tests/support/catch.h"

using namespace gpol;

namespace {

Formula bounded_sum(std::int64_t limit) {
  const Term x = int_symbol("x");
  const Term y = int_symbol("y");
  return {"sum",
          "two bounded numbers have a bounded sum",
          {{"x-small", x <= integer(3)}, {"y-small", y <= integer(4)}, {"idle", bool_symbol("unused")}},
          x + y > integer(limit)};
}

}  // namespace

TEST_CASE("an unsatisfiable question gives a core without facts it does not need") {
  Solver solver;
  const Answer answer = solver.check(bounded_sum(7));
  REQUIRE(answer.kind == Answer::Kind::Unsat);
  CHECK(answer.core == std::vector<std::string>{"x-small", "y-small"});
  CHECK(solver.questions() == 1);
}

TEST_CASE("a satisfiable question gives a model that satisfies it") {
  Solver solver;
  const Answer answer = solver.check(bounded_sum(6));
  REQUIRE(answer.kind == Answer::Kind::Sat);
  CHECK(answer.model.at("x") + answer.model.at("y") == 7);
  CHECK(answer.model.at("unused") == 1);
}

TEST_CASE("questions do not leak into each other") {
  Solver solver;
  for (int i = 0; i < 50; ++i) {
    CHECK(solver.check(bounded_sum(7)).kind == Answer::Kind::Unsat);
    CHECK(solver.check(bounded_sum(6)).kind == Answer::Kind::Sat);
  }
  // The same name with another sort, in another question, is another constant.
  const Formula other{"other", "s", {{"x", bool_symbol("x")}}, !bool_symbol("x")};
  CHECK(solver.check(other).kind == Answer::Kind::Unsat);
  CHECK(solver.questions() == 101);
}

TEST_CASE("the solver's steps are limited, and running out of them is not an answer") {
  // A pigeonhole: nine numbers in 1..8, all different.
  Formula formula{"pigeons", "nine pigeons need nine holes", {}, boolean(true)};
  std::vector<Term> pigeons;
  for (int i = 0; i < 9; ++i) pigeons.push_back(int_symbol("p" + std::to_string(i)));
  for (std::size_t i = 0; i < pigeons.size(); ++i) {
    formula.facts.push_back({"hole" + std::to_string(i), pigeons[i] >= integer(1) && pigeons[i] <= integer(8)});
    for (std::size_t j = 0; j < i; ++j)
      formula.facts.push_back({"differ" + std::to_string(i) + "-" + std::to_string(j), !equal(pigeons[i], pigeons[j])});
  }
  Solver solver({.steps = 2'000, .seed = 0});
  const Answer answer = solver.check(formula);
  CHECK(answer.kind == Answer::Kind::Unknown);
  CHECK_FALSE(answer.why.empty());
  // The solver stays usable.
  CHECK(solver.check(bounded_sum(7)).kind == Answer::Kind::Unsat);
}

TEST_CASE("a model outside 64 bits is no answer") {
  const Term x = int_symbol("x");
  const Formula formula{"big", "s", {{"big", x >= integer(INT64_MAX)}}, x > integer(INT64_MAX)};
  Solver solver;
  const Answer answer = solver.check(formula);
  CHECK(answer.kind == Answer::Kind::Unknown);
}

TEST_CASE("the same questions get the same answers from another solver") {
  Solver one;
  Solver two;
  CHECK(one.check(bounded_sum(5)).model == two.check(bounded_sum(5)).model);
}

TEST_CASE("names are told apart, and one that is none of the constants is another") {
  Solver solver;
  const Term x = name_symbol("x"), y = name_symbol("y"), z = name_symbol("z");
  const Formula formula{"names",
                        "",
                        {{"x", equal(x, name_constant(7))}, {"y", !equal(y, name_constant(7)) && !equal(y, z)}},
                        equal(z, name_constant(9)) || equal(z, y)};
  const Answer answer = solver.check(formula);
  REQUIRE(answer.kind == Answer::Kind::Sat);
  CHECK(answer.model.at("x") == 7);
  CHECK(answer.model.at("z") == 9);
  CHECK(answer.model.at("y") >= kOtherNames);
  const Formula same{"names", "", {{"both", equal(x, name_constant(1)) && equal(x, y)}}, !equal(y, name_constant(1))};
  CHECK(solver.check(same).kind == Answer::Kind::Unsat);
  CHECK(solver.check_uncounted(same).kind == Answer::Kind::Unsat);
  CHECK(solver.questions() == 2);
}

TEST_CASE("a solver that remembers asks anew what differs in a number or in a fact's name") {
  std::size_t heard = 0;
  Solver solver({}, [&](const Formula&, const Answer&) { ++heard; });
  solver.remember();
  const Term x = int_symbol("x");
  const auto formula = [&](const std::string& fact, std::int64_t most) {
    return Formula{"f", "s", {{fact, x <= integer(most)}}, x >= integer(5)};
  };
  for (int round = 0; round < 2; ++round) {
    CHECK(solver.check(formula("low", 4)).core == std::vector<std::string>{"low"});
    CHECK(solver.check(formula("least", 4)).core == std::vector<std::string>{"least"});
    CHECK(solver.check(formula("low", 5)).model.at("x") == 5);
  }
  CHECK(solver.questions() == 6);
  CHECK(heard == 6);
}
