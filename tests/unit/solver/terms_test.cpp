#include "checker/solver/terms.h"

#include <stdexcept>

#include "tests/support/catch.h"

using namespace gpol;

TEST_CASE("a term of the wrong sort is an internal error") {
  const Term a = int_symbol("a");
  const Term p = bool_symbol("p");
  CHECK_THROWS_AS(a && p, std::logic_error);
  CHECK_THROWS_AS(p + a, std::logic_error);
  CHECK_THROWS_AS(equal(a, p), std::logic_error);
  CHECK_THROWS_AS(ite(p, a, p), std::logic_error);
  CHECK_THROWS_AS(!a, std::logic_error);
  CHECK_THROWS_AS(Term() + a, std::logic_error);
}

TEST_CASE("empty conjunctions are true, empty disjunctions false") {
  CHECK(evaluate(all_of({}), {}) == 1);
  CHECK(evaluate(any_of({}), {}) == 0);
}

TEST_CASE("evaluation follows the operators") {
  const Term a = int_symbol("a");
  const Term b = int_symbol("b");
  const std::map<std::string, std::int64_t> values{{"a", 7}, {"b", -3}};
  CHECK(evaluate(a + b, values) == 4);
  CHECK(evaluate(a - b, values) == 10);
  CHECK(evaluate(5 * b, values) == -15);
  CHECK(evaluate(max(a, b), values) == 7);
  CHECK(evaluate(min(a, b), values) == -3);
  CHECK(evaluate(a > b, values) == 1);
  CHECK(evaluate(a <= b, values) == 0);
  CHECK(evaluate(a >= a, values) == 1);
  CHECK(evaluate(implies(a < b, boolean(false)), values) == 1);
  CHECK(evaluate(!(equal(a, integer(7)) && b < a), values) == 0);
  CHECK_THROWS_AS(evaluate(int_symbol("c"), values), std::logic_error);
  CHECK_THROWS_AS(evaluate(integer(INT64_MAX) + a, values), std::out_of_range);
}

TEST_CASE("the constants of a formula are listed once, by name") {
  const Term a = int_symbol("a");
  const Formula formula{"f", "s", {{"one", int_symbol("b") <= a}, {"two", bool_symbol("p")}}, a > int_symbol("a")};
  const auto symbols = symbols_of(formula);
  REQUIRE(symbols.size() == 3);
  CHECK(symbols[0]->name == "a");
  CHECK(symbols[1]->name == "b");
  CHECK(symbols[2]->name == "p");
  const Formula clash{"f", "s", {{"one", bool_symbol("a")}}, a > a};
  CHECK_THROWS_AS(symbols_of(clash), std::logic_error);
}
