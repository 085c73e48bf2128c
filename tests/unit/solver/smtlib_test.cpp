#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "checker/solver/solver.h"
#include "checker/solver/terms.h"
#include "tests/support/catch.h"

using namespace gpol;

namespace {

Formula spill(std::int64_t slack) {
  const Term usage = int_symbol("U[cpu]");
  const Term local = int_symbol("LQ");
  const Term bound = int_symbol("bound");
  return {"claim/spill",
          "what spills is bounded",
          {{"held", usage <= bound}, {"signs", !(local < integer(0)) && bool_symbol("on")}},
          max(integer(0), usage - local) > max(integer(-slack), bound - local)};
}

// What cvc5 prints for a text: "sat", "unsat", or its complaint.
std::string ask_cvc5(const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() / ("gpol_smtlib_" + std::to_string(getpid()) + ".smt2");
  std::ofstream(path) << text;
  std::string out;
  FILE* pipe = popen(("/usr/bin/cvc5 --incremental " + path.string() + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  char buffer[256];
  while (fgets(buffer, sizeof buffer, pipe) != nullptr) out += buffer;
  pclose(pipe);
  std::filesystem::remove(path);
  return out;
}

}  // namespace

TEST_CASE("SMT-LIB text declares, names and asserts everything, in a fixed order") {
  CHECK(smtlib(spill(0)) ==
        "; claim/spill\n; what spills is bounded\n(set-option :produce-unsat-cores true)\n(set-logic QF_LIA)\n"
        "(declare-const LQ Int)\n(declare-const |U[cpu]| Int)\n(declare-const bound Int)\n(declare-const on Bool)\n"
        "(assert (! (<= |U[cpu]| bound) :named fact.held))\n"
        "(assert (! (and (not (< LQ 0)) on) :named fact.signs))\n"
        "; the negation of the goal\n"
        "(assert (< (ite (<= (- bound LQ) 0) 0 (- bound LQ)) (ite (<= (- |U[cpu]| LQ) 0) 0 (- |U[cpu]| LQ))))\n"
        "(check-sat)\n");
}

TEST_CASE("a long part that stands in two places is written once, by a name that no constant has", "[slow]") {
  Term spill = int_symbol("usage-of-a-queue");
  for (int level = 0; level < 40; ++level)
    spill = max(integer(0), spill - int_symbol("local-quota-of-level-" + std::to_string(level)));
  const Formula formula{"claim/deep", "", {{"taken", int_symbol("shared.1") < spill}}, spill < integer(0)};
  const std::string text = smtlib(formula);
  CHECK(text.size() < 40'000);  // each level would double it
  CHECK(text.find("(define-fun shared.1 ") == std::string::npos);
  CHECK(text.find("(define-fun shared.2 () Int (") != std::string::npos);
  if (std::filesystem::exists("/usr/bin/cvc5")) CHECK(ask_cvc5(text) == "unsat\n");
}

TEST_CASE("negative numbers and hostile names stay well-formed") {
  const Formula formula{"a\nb", "two\nlines", {{"x|y\\z", int_symbol("1st") > integer(INT64_MIN)}}, boolean(true)};
  const std::string text = smtlib(formula);
  CHECK(text.find("; a b\n; two lines\n") == 0);
  CHECK(text.find("(- 9223372036854775808)") != std::string::npos);
  CHECK(text.find("|1st|") != std::string::npos);
  CHECK(text.find(":named |fact.x_y_z|") != std::string::npos);
}

TEST_CASE("cvc5 accepts the text and agrees with Z3") {
  if (!std::filesystem::exists("/usr/bin/cvc5")) {
    WARN("SKIPPED: /usr/bin/cvc5 is not installed, so no second solver was asked");
    return;
  }
  Solver solver;
  for (const std::int64_t slack : {0, 5}) {
    const Formula formula = spill(slack);
    const bool unsat = solver.check(formula).kind == Answer::Kind::Unsat;
    CHECK(unsat == (slack == 0));
    CHECK(ask_cvc5(smtlib(formula)) == (unsat ? "unsat\n" : "sat\n"));
  }
  for (const std::int64_t which : {0, 1}) {
    const Formula formula{
        "n", "s", {{"is", equal(name_symbol("x"), name_constant(0))}}, equal(name_symbol("x"), name_constant(which))};
    CHECK((solver.check(formula).kind == Answer::Kind::Sat) == (which == 0));
    CHECK(ask_cvc5(smtlib(formula)) == (which == 0 ? "sat\n" : "unsat\n"));
    CHECK(ask_cvc5(smtlib(std::vector{formula, spill(0)})) == (which == 0 ? "sat\nunsat\n" : "unsat\nunsat\n"));
  }
  const Formula hostile{"h", "s", {{"x|y", int_symbol("1st") > integer(-4)}}, int_symbol("1st") < integer(-5)};
  CHECK(ask_cvc5(smtlib(hostile)) == "unsat\n");
}
