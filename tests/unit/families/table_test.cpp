// Whom each family is asked for, and in which order: a row that is lost is a proof that is silently missing.
#include "checker/families/table.h"

#include "tests/support/catch.h"

namespace gpol {
namespace {

// The names of what is asked, one round after the other, "|" between them. Nothing is judged.
std::string asked(Door door, const Evidence& evidence) {
  const Planned nothing;
  Solver solver;
  Report report;
  std::string names;
  for (const Round round : kRounds) {
    if (round != Round::Quotas) names += " |";
    judge_families(round, door, {nothing.cluster, nothing.intent, nothing.origins, solver}, evidence, report,
                   [&](const char* family, const std::function<void()>&) { names += std::string(" ") + family; });
  }
  return names;
}

TEST_CASE("a policy is asked everything") {
  CHECK(asked(Door::Policy, {}) ==
        " claim reclaim outside capacity placement | partition fragmentation vacuity waits gateway | priority planned "
        "premises");
}

TEST_CASE("manifests are asked what they give enough for") {
  Evidence evidence;
  CHECK(asked(Door::Manifests, evidence) ==
        " claim reclaim outside shared nodes | partition devices vacuity unadmitted waits gateway | priority premises");
  const std::vector<NodeFacts> nodes(1);
  evidence.given.nodes = nodes;
  CHECK(asked(Door::Manifests, evidence) ==
        " claim reclaim outside capacity shared nodes | partition devices vacuity unadmitted standing waits gateway | "
        "priority premises");
  evidence.places = true;
  evidence.quotas_known = false;
  CHECK(asked(Door::Manifests, evidence) ==
        " claim reclaim outside capacity placement shared nodes | partition devices unadmitted fragmentation standing "
        "waits gateway | "
        "priority "
        "premises");
}

TEST_CASE("what a repair must not break") { CHECK(asked(Door::Repairs, {}) == " claim reclaim | vacuity waits |"); }

}  // namespace
}  // namespace gpol
