#include "checker/guards/fold.h"
#include "tests/support/catch.h"

using namespace gpol;
using namespace gpol::symbolic;

TEST_CASE("parts of a conjunction or disjunction stand once, and opposites decide it") {
  const Term a = bool_symbol("a"), b = bool_symbol("b"), c = bool_symbol("c");
  const Term ab = both_of(a, b);
  CHECK(both_of(ab, a) == ab);
  CHECK(both_of(ab, both_of(b, c))->args.size() == 3);
  CHECK(is_false(both_of(ab, negated(a))));
  CHECK(is_true(either_of(either_of(a, c), negated(c))));
  CHECK(either_of(ab, a)->args.size() == 2);  // not the other way: a alone makes it true
  CHECK(negated(negated(a)) == a);
}

TEST_CASE("every folding keeps the value") {
  std::vector<Term> terms{boolean(true), boolean(false), bool_symbol("0"), bool_symbol("1"), bool_symbol("2")};
  for (std::size_t i = 0; i < 60; ++i) {
    const Term &a = terms[(i * 7 + 3) % terms.size()], &b = terms[(i * 11 + 2) % terms.size()];
    const Term x = i % 3 == 0 ? negated(a) : a;
    const Term both = both_of(x, b), either = either_of(x, b);
    for (std::int64_t bits = 0; bits < 8; ++bits) {
      const std::map<std::string, std::int64_t> at{{"0", bits & 1}, {"1", bits >> 1 & 1}, {"2", bits >> 2 & 1}};
      const bool left = evaluate(x, at) != 0, right = evaluate(b, at) != 0;
      CHECK((evaluate(both, at) != 0) == (left && right));
      CHECK((evaluate(either, at) != 0) == (left || right));
    }
    terms.push_back(both);
    terms.push_back(either);
  }
}
