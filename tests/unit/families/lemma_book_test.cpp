// Formulas in general: those with integers in the same order are one row of the table of proven formulas, and no
// others.
#include "checker/families/lemma_book.h"

#include "tests/support/catch.h"

using namespace gpol;

namespace {

const Term x = int_symbol("x"), y = int_symbol("y");

Formula sums(std::int64_t a, std::int64_t b, std::int64_t factor = 1) {
  return {"test/sums", "", {{"x", x <= integer(a)}, {"y", y <= integer(b)}}, factor * x > integer(b)};
}
std::string row(const Formula& formula) { return digest_of(in_general(formula)); }

}  // namespace

TEST_CASE("formulas in general: integers count by their order, and 0, 1 and factors by themselves") {
  CHECK(row(sums(2, 3)) == row(sums(40, 4'000)));
  CHECK(digest_of(sums(2, 3)) != digest_of(sums(40, 4'000)));
  CHECK(row(sums(2, 3)) != row(sums(3, 2)));
  CHECK(row(sums(2, 3)) != row(sums(3, 3)));
  CHECK(row(sums(1, 3)) != row(sums(2, 3)));
  CHECK(row(sums(0, 3)) != row(sums(1, 3)));
  CHECK(row(sums(-2, 3)) != row(sums(-1, 3)));
  CHECK(row(sums(2, 3, 2)) != row(sums(2, 3, 4)));
}

TEST_CASE("formulas in general: what holds of all integers in an order holds of each") {
  Solver solver;
  int general = 0, alone = 0;
  for (std::int64_t a = 0; a < 5; ++a)
    for (std::int64_t b = 0; b < 5; ++b)
      for (const std::int64_t factor : {1, 2}) {
        const auto kind = solver.check(sums(a, b, factor)).kind;
        if (solver.check(in_general(sums(a, b, factor))).kind == Answer::Kind::Unsat) {
          CHECK(kind == Answer::Kind::Unsat);
          ++general;
        } else {
          alone += kind == Answer::Kind::Unsat ? 1 : 0;
        }
      }
  CHECK(general > 10);
  CHECK(alone > 0);  // 2 x <= 4 for x <= 2, which is not so of all integers
}
