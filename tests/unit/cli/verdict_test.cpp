// The verdict, the exit code and the headline of a run.
#include "checker/families/codes.h"
#include "cli/render/run_report.h"
#include "compiler/policy/codes.h"
#include "compiler/source/codes.h"
#include "tests/support/catch.h"
#include "tests/unit/cli/made_report.h"

using namespace gpol;
using gpol::test::MadeReport;

namespace {
Diagnostic error(Code code) { return {code, Severity::Error, {}, "something is wrong", {}, ""}; }
}  // namespace

TEST_CASE("headline: a proof says what it trusts and that nodes were not looked at") {
  const MadeReport made;
  CHECK(headline(made.run()) == "proven under 1 trusted assumption: 2 serving queues, quota level only");
  CHECK(exit_code(made.run()) == 0);
}

TEST_CASE("headline: the narrowing ends when placement and fragmentation are analysed") {
  MadeReport made;
  made.report.analysed.push_back(Family::Placement);
  made.report.analysed.push_back(Family::Fragmentation);
  CHECK(headline(made.run()) == "proven under 1 trusted assumption: 2 serving queues");
}

TEST_CASE("headline: a refuted queue is named, two are counted") {
  MadeReport made;
  made.refute(Family::Claim, "chat", code::Claim);
  CHECK(headline(made.run()) == "refuted: `chat` is not protected; 2 serving queues, quota level only");
  CHECK(exit_code(made.run()) == 1);
  made.refute(Family::Reclaim, "search", code::ReclaimNever);
  CHECK(headline(made.run()) == "refuted: 2 serving queues are not protected; 2 serving queues, quota level only");
}

TEST_CASE("headline: open premises and other families are counted apart") {
  MadeReport made;
  for (int i = 0; i < 2; ++i) made.add(Family::Bypass, code::OpenPremise, "", "", "", true).verdict = Verdict::Refuted;
  made.add(Family::Capacity, code::Capacity, "", "live", "pods", true).verdict = Verdict::Refuted;
  CHECK(headline(made.run()) ==
        "refuted: 2 premises are open, 1 statement of capacity does not hold; 2 serving queues, quota level only");
}

TEST_CASE("verdict: what is not required refutes nothing") {
  MadeReport made;
  made.refute(Family::Reclaim, "chat", code::ReclaimNever);  // class A needs no reclaim
  CHECK(judged(made.run()) == Overall::Proven);
}

TEST_CASE("verdict: undecided stands until its family is allowed by name") {
  MadeReport made;
  made.undecide(Family::Reclaim, "search", "the time to load is not declared");
  CHECK(headline(made.run()) == "undecided: the time to load is not declared; 2 serving queues, quota level only");
  CHECK(exit_code(made.run()) == 3);
  CHECK(exit_code(made.run({Family::Capacity})) == 3);
  CHECK(exit_code(made.run({Family::Reclaim})) == 0);
  CHECK(headline(made.run({Family::Reclaim})) ==
        "proven under 1 trusted assumption with allowed gaps in reclaim: 1 serving queue, quota level only; not "
        "proven: `search`");
}

TEST_CASE("verdict: an allowed gap excuses no refutation") {
  MadeReport made;
  made.refute(Family::Claim, "chat", code::Claim);
  CHECK(exit_code(made.run({Family::Claim})) == 1);
}

TEST_CASE("verdict: nothing required is undecided, a module is proven") {
  MadeReport made;
  made.report.obligations.clear();
  CHECK(headline(made.run()) ==
        "undecided: no serving queue named (nothing is promised until a tenant is of class A or B)");
  CHECK(exit_code(made.run({Family::Claim, Family::Reclaim})) == 3);
  RunReport module = made.run();
  module.policies[0].planned = nullptr;
  module.policies[0].module = true;
  CHECK(exit_code(module) == 0);
  CHECK(headline(module) == "proven: nothing to prove, no cluster is declared");
}

TEST_CASE("exit code: the worst in the order 4, 2, 1, 3, 0") {
  MadeReport proven;
  MadeReport undecided;
  undecided.undecide(Family::Reclaim, "search", "why");
  MadeReport refuted;
  refuted.refute(Family::Claim, "chat", code::Claim);
  MadeReport mismatch;
  mismatch.add(Family::Artefact, code::Artefact, "", "", "", true).verdict = Verdict::Refuted;

  RunReport run = proven.run();
  const auto with = [&](const MadeReport& made) {
    run.policies.push_back(made.run().policies[0]);
    return exit_code(run);
  };
  CHECK(with(undecided) == 3);
  CHECK(with(refuted) == 1);
  run.diagnostics.push_back(error(code::CannotRead));
  CHECK(exit_code(run) == 2);
  CHECK(overall_name(judged(run)) == "error");
  CHECK(with(mismatch) == 4);
}

TEST_CASE("exit code: a mistake in a policy is 1, a warning is nothing") {
  MadeReport made;
  made.report.diagnostics.push_back(error(code::UnknownName));
  CHECK(exit_code(made.run()) == 1);
  CHECK(headline(made.run()) == "error: 1 mistake, nothing is proven");
  made.report.diagnostics[0].severity = Severity::Warning;
  CHECK(exit_code(made.run()) == 0);
}
