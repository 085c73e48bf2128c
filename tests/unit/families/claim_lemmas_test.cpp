#include "checker/families/claim_lemmas.h"

#include <random>

#include "checker/solver/solver.h"
#include "tests/support/catch.h"

using namespace gpol;
using kueue::kUnlimited;

namespace {

ClaimLemma at(std::size_t i) { return static_cast<ClaimLemma>(i); }

// What the C++ side condition of a lemma says about the figures; the names are those of the formula.
bool arithmetic(ClaimLemma lemma, std::map<std::string, std::int64_t>& v) {
  switch (lemma) {
    case ClaimLemma::RootAbove:
      return claim::root_above(v["SQ"], v["P"]);
    case ClaimLemma::AboveLimited:
      return claim::above(v["SQ"], v["LQ"], v["BL"], v["P_parent"], v["P"]);
    case ClaimLemma::AboveUnlimited:
      return claim::above(v["SQ"], v["LQ"], kUnlimited, v["P_parent"], v["P"]);
    case ClaimLemma::Spill:
      return claim::spill(v["wants"], v["P"], v["LQ"], v["bound"], v["spill"]);
    case ClaimLemma::SpillFree:
      return claim::spill(kUnlimited, v["P"], v["LQ"], v["bound"], v["spill"]);
    case ClaimLemma::Sum:
      return v["c"] >= v["a"] + v["b"];
    case ClaimLemma::RootLeft:
      return claim::root_left(v["SQ"], v["bound"], v["left"]);
    case ClaimLemma::StepLimited:
      return claim::step(v["SQ"], v["LQ"], v["BL"], v["bound"], v["left_parent"], v["left"]);
    case ClaimLemma::StepUnlimited:
      return claim::step(v["SQ"], v["LQ"], kUnlimited, v["bound"], v["left_parent"], v["left"]);
    case ClaimLemma::Owner:
      return claim::owner(v["reserve"], v["left"], v["claimable"]);
  }
  return false;
}

bool side_condition(const Formula& formula, const std::map<std::string, std::int64_t>& values) {
  bool holds = true;
  for (const auto& fact : formula.facts)
    if (fact.name.starts_with("side-condition")) holds = holds && evaluate(fact.term, values) != 0;
  return holds;
}

}  // namespace

TEST_CASE("every claim lemma is proven, and none of its facts is idle") {
  Solver solver;
  for (std::size_t i = 0; i < kClaimLemmas; ++i) {
    const Formula formula = claim_lemma(at(i));
    INFO(formula.name);
    CHECK(formula.name == claim_lemma_name(at(i)));
    CHECK(solver.check(formula).kind == Answer::Kind::Unsat);
    for (std::size_t drop = 0; drop < formula.facts.size(); ++drop) {
      Formula weaker = formula;
      weaker.facts.erase(weaker.facts.begin() + static_cast<std::ptrdiff_t>(drop));
      INFO("without " << formula.facts[drop].name);
      CHECK(solver.check(weaker).kind == Answer::Kind::Sat);
    }
  }
}

TEST_CASE("the arithmetic side conditions are those of the formulas") {
  std::mt19937_64 random(20261121);
  for (std::size_t i = 0; i < kClaimLemmas; ++i) {
    const Formula formula = claim_lemma(at(i));
    INFO(formula.name);
    int met = 0;
    for (int trial = 0; trial < 4000; ++trial) {
      std::map<std::string, std::int64_t> values;
      for (const Term& symbol : symbols_of(formula)) values[symbol->name] = static_cast<std::int64_t>(random() % 7);
      const bool expected = side_condition(formula, values);
      met += expected ? 1 : 0;
      REQUIRE(arithmetic(at(i), values) == expected);
    }
    CHECK(met > 100);  // both answers occur, so the comparison compares something
    CHECK(met < 3900);
  }
}
