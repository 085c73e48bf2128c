// The formula of guarantee G: unsatisfiable with all nine points, satisfiable once any of them is broken.
#include "checker/families/reclaim_formula.h"

#include <functional>
#include <set>

#include "checker/solver/solver.h"
#include "tests/support/catch.h"

using namespace gpol;

namespace {

// What the safe pattern gives a class B queue that lends, beside a batch queue that owns nothing.
ReclaimFacts safe() {
  ReclaimFacts f;
  f.policy = Reclaim::Any;
  f.nominal_covers = f.borrows_nothing = f.victims_active = f.victims_leave = f.one_flavor = f.no_topology = true;
  f.best_effort_head = f.active = f.namespace_matches = f.no_checks = f.nothing_blocks = f.physical = true;
  f.siblings.owns_nothing = true;
  f.timed = true;
  f.resources = 4;
  return f;
}

struct Broken {
  const char* point;
  std::function<void(ReclaimFacts&)> breaks;
};

TEST_CASE("with all nine points of G no workload within the reserve stays pending") {
  Solver solver;
  CHECK(solver.check(reclaim_formula(safe())).kind == Answer::Kind::Unsat);
  CHECK(gives_back(safe()));
  SECTION("a sibling that may reclaim from anyone does not change that") {
    auto f = safe();
    f.siblings.reclaim_any = true;
    CHECK(solver.check(reclaim_formula(f)).kind == Answer::Kind::Unsat);
    CHECK(gives_back(f));
  }
}

TEST_CASE("each point of G, N10, N10b and N15, broken in turn, leaves a way to starve") {
  const Broken rows[] = {
      {"1: reclaimWithinCohort Never (N1)", [](auto& f) { f.policy = Reclaim::Never; }},
      {"1: LowerPriority with priorities open to batch (N2)", [](auto& f) { f.policy = Reclaim::LowerPriority; }},
      {"2: nominal below the reserve in some resource (N3)", [](auto& f) { f.nominal_covers = false; }},
      {"2: may run above nominal", [](auto& f) { f.borrows_nothing = false; }},
      {"3: a borrower is stopped (N6)", [](auto& f) { f.victims_active = false; }},
      {"4: evictions do not end (N14)", [](auto& f) { f.victims_leave = false; }},
      {"5: several flavors, whenCanPreempt TryNextFlavor (N10)",
       [](auto& f) {
         f.one_flavor = false;
         f.try_next_when_preempting = true;
       }},
      {"5: several flavors, the first reclaimable per resource only (N10b)", [](auto& f) { f.one_flavor = false; }},
      {"6: topology (N11)", [](auto& f) { f.no_topology = false; }},
      {"7: StrictFIFO behind an oversize head (N13)", [](auto& f) { f.best_effort_head = false; }},
      {"7: stopped", [](auto& f) { f.active = false; }},
      {"7: namespace", [](auto& f) { f.namespace_matches = false; }},
      {"7: admission check", [](auto& f) { f.no_checks = false; }},
      {"7: blockAdmission", [](auto& f) { f.nothing_blocks = false; }},
      {"8: more quota than devices (N8)", [](auto& f) { f.physical = false; }},
      {"9: a StrictFIFO sibling that may not reclaim from anyone (N15)",
       [](auto& f) { f.siblings.strict_fifo = true; }},
      {"9: a BestEffortFIFO sibling, under a deadline", [](auto& f) { f.siblings.best_effort = true; }},
  };
  Solver solver;
  for (const auto& row : rows) {
    INFO(row.point);
    auto facts = safe();
    row.breaks(facts);
    const Answer answer = solver.check(reclaim_formula(facts));
    CHECK(answer.kind == Answer::Kind::Sat);
    CHECK_FALSE(gives_back(facts));
    CHECK_FALSE(missing_of(facts).empty());
  }
}

TEST_CASE("without a deadline a BestEffortFIFO sibling only delays") {
  auto facts = safe();
  facts.timed = false;
  facts.siblings.best_effort = true;
  Solver solver;
  CHECK(solver.check(reclaim_formula(facts)).kind == Answer::Kind::Unsat);
  CHECK(gives_back(facts));
}

TEST_CASE("dropping a needed assumption leaves a way to starve: none of them stands for nothing") {
  Solver solver;
  const Formula whole = reclaim_formula(safe());
  const Answer proven = solver.check(whole);
  REQUIRE(proven.kind == Answer::Kind::Unsat);
  // `timed` and `when-can-preempt` say what kind of question it is, the rules say what the scheduler does.
  const std::set<std::string> not_needed = {"timed", "when-can-preempt"};
  for (std::size_t i = 0; i < whole.facts.size(); ++i) {
    Formula without = whole;
    without.facts.erase(without.facts.begin() + static_cast<std::ptrdiff_t>(i));
    INFO(whole.facts[i].name);
    const auto kind = solver.check(without).kind;
    if (not_needed.count(whole.facts[i].name) == 1)
      CHECK(kind == Answer::Kind::Unsat);
    else if (whole.facts[i].name.rfind("rule-sibling", 0) != 0)
      CHECK(kind == Answer::Kind::Sat);
  }
}

TEST_CASE("usages, requests, priorities and victims are free constants of the dumped formula") {
  const std::string text = smtlib(reclaim_formula(safe()));
  for (const char* name : {"used[0]", "asked[0]", "nominal[3]", "reserve[2]", "own_priority", "victim_above_nominal",
                           "sibling_priority", "sibling_asked"})
    CHECK(text.find(name) != std::string::npos);
}

TEST_CASE("the lemmas about trees hold for all quotas") {
  Solver solver;
  for (std::size_t i = 0; i < kTreeLemmas; ++i) {
    const Formula lemma = tree_lemma(static_cast<TreeLemma>(i));
    INFO(lemma.name);
    CHECK(solver.check(lemma).kind == Answer::Kind::Unsat);
    for (std::size_t fact = 0; fact < lemma.facts.size(); ++fact) {
      Formula without = lemma;
      without.facts.erase(without.facts.begin() + static_cast<std::ptrdiff_t>(fact));
      // Signs that the arithmetic of Kueue guarantees anyway; the lemma happens to hold without them.
      const std::set<std::string> spare = {"request", "side-condition-nominal", "side-condition-local"};
      if (spare.count(lemma.facts[fact].name) == 1) continue;
      INFO("without " << lemma.facts[fact].name);
      CHECK(solver.check(without).kind == Answer::Kind::Sat);
    }
  }
}

}  // namespace
