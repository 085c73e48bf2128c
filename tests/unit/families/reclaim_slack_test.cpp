#include "checker/families/families.h"
#include "tests/support/catch.h"
#include "tests/unit/families/small_cluster.h"

using namespace gpol;
using namespace gpol::test;

namespace {

constexpr const char* kGpu = "nvidia.com/gpu";

// Two replicas of 8; a borrower that can hold `borrows` of them. In time for one eviction (its deadline), not for two.
struct Found {
  Verdict verdict;
  std::optional<std::int64_t> slack;
};
Found two_replicas(std::int64_t borrows, std::int64_t devices, Reclaim sibling = Reclaim::Any) {
  SmallCluster world({kGpu});
  const auto search = world.serving("search", Isolation::B, {16, 0, std::nullopt}, "root", 16);
  world.intent.roles[search].replica = {8};
  world.time(search, 195, 2);
  const auto batch = world.batch("finetune", {0, borrows, 0});
  world.cluster.queues[batch].preemption.reclaim_within_cohort = sibling;
  world.intent.capacities[0].surely = {devices};
  Solver solver;
  Report report;
  const Proof proof{world.cluster, world.intent, world.origins, solver, nullptr};
  prove_claim(proof, report);
  prove_reclaim(proof, report);
  const Obligation& reclaim = find(report, Family::Reclaim, "search", kGpu);
  return {reclaim.verdict, reclaim.figures.slack};
}

}  // namespace

TEST_CASE("reclaim: slack is what others may still take before one more replica waits for victims") {
  const Found found = two_replicas(4, 1000);
  REQUIRE(found.verdict == Verdict::Proven);
  REQUIRE(found.slack == 4);
  CHECK(two_replicas(4 + 4, 1000).verdict == Verdict::Proven);
  CHECK(two_replicas(4 + 4, 1000).slack == 0);
  CHECK(two_replicas(4 + 5, 1000).verdict != Verdict::Proven);
  CHECK_FALSE(two_replicas(4 + 5, 1000).slack);
}

TEST_CASE("reclaim: slack is never more than the devices that no quota speaks for") {
  CHECK(two_replicas(4, 18).slack == 2);
  CHECK(two_replicas(4, 16).slack == 0);
}

TEST_CASE("reclaim: a sibling that is harmless because it owns nothing leaves no slack") {
  const Found found = two_replicas(4, 1000, Reclaim::Never);
  REQUIRE(found.verdict == Verdict::Proven);
  CHECK(found.slack == 0);
}
