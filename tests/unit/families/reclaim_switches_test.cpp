// What no proof rests on: switches of the whole scheduler that are not as they are by default.
#include "checker/families/families.h"
#include "checker/kueue/gates.h"
#include "tests/support/catch.h"
#include "tests/unit/families/small_cluster.h"

using namespace gpol;
using namespace gpol::test;

namespace {

constexpr const char* kGpu = "nvidia.com/gpu";

struct Judged {
  Verdict claim, reclaim;
  std::string why;
};
Judged judge(void (*change)(KueueConfig&)) {
  SmallCluster world({kGpu});
  world.serving("search", Isolation::B, {8, 0, std::nullopt}, "root", 8);
  world.batch("finetune", {0, 8, 0});
  change(world.cluster.config);
  Solver solver;
  Report report;
  const Proof proof{world.cluster, world.intent, world.origins, solver, nullptr};
  prove_claim(proof, report);
  prove_reclaim(proof, report);
  const Obligation& reclaim = find(report, Family::Reclaim, "search", kGpu);
  return {find(report, Family::Claim, "search", kGpu).verdict, reclaim.verdict,
          reclaim.detail ? reclaim.detail->reason : ""};
}

}  // namespace

TEST_CASE("reclaim: a gate that is not as it is by default leaves it undecided, claims stay proven") {
  const Judged plain = judge([](KueueConfig&) {});
  REQUIRE(plain.reclaim == Verdict::Proven);
  REQUIRE(plain.claim == Verdict::Proven);
  const Judged spelled = judge([](KueueConfig& c) {
    for (const auto& gate : kueue::kGates) c.gates[std::string(gate.name)] = gate.by_default;
  });
  CHECK(spelled.reclaim == Verdict::Proven);
  const Judged boosted = judge([](KueueConfig& c) { c.gates["PriorityBoost"] = true; });
  CHECK(boosted.reclaim == Verdict::Undecided);
  CHECK(boosted.claim == Verdict::Proven);
  CHECK(boosted.why == "no proof rests on feature gate PriorityBoost=true, which changes what is decided");
  const Judged by_age = judge([](KueueConfig& c) { c.gates["PrioritySortingWithinCohort"] = false; });
  CHECK(by_age.reclaim == Verdict::Undecided);
}

TEST_CASE("reclaim: with blockAdmission it is never proven, claims stay so") {
  const Judged blocked = judge([](KueueConfig& c) { c.wait_for_pods_ready = {"", "", true}; });
  CHECK(blocked.reclaim == Verdict::Undecided);
  CHECK(blocked.claim == Verdict::Proven);
}
