// The families of a cluster whose scheduler is Volcano, on the example and on what others could have made of it.
#include "checker/volcano/claim/claim.h"

#include <algorithm>

#include "checker/proof/prove.h"
#include "tests/support/catch.h"
#include "tests/support/planned.h"

namespace gpol {
namespace {

constexpr const char* kRamp = "examples/morning-ramp-volcano/morning-ramp-volcano.gpol";

const Obligation* of_chat(const Report& report, Family family, std::string_view resource = "nvidia.com/gpu") {
  for (const Obligation& o : report.obligations)
    if (o.family == family && o.subject.name == "chat" && o.subject.resource == resource) return &o;
  return nullptr;
}

volcano::Queue& queue(Planned& planned, const std::string& name) {
  auto& queues = planned.cluster.volcano->queues;
  return *std::find_if(queues.begin(), queues.end(), [&](const volcano::Queue& one) { return one.name == name; });
}

bool told(const Obligation& o, const std::string& text) {
  return o.detail && std::any_of(o.detail->story.begin(), o.detail->story.end(), [&](const StoryStep& step) {
           return (step.actor + " " + step.does).find(text) != std::string::npos;
         });
}

TEST_CASE("volcano: the example's reserve is nobody else's, resource by resource") {
  const Planned planned = test::planned_of(kRamp);
  const Report report = prove(planned, {}, {});
  for (const char* resource : {"nvidia.com/gpu", "cpu", "memory"}) {
    INFO(resource);
    REQUIRE(of_chat(report, Family::Claim, resource) != nullptr);
    CHECK(of_chat(report, Family::Claim, resource)->verdict == Verdict::Proven);
    CHECK(of_chat(report, Family::Claim, resource)->figures.claimable == 0);
    CHECK(of_chat(report, Family::Reclaim, resource)->verdict == Verdict::Undecided);
    CHECK_FALSE(of_chat(report, Family::Reclaim, resource)->required);
  }
  CHECK(overall(report) == Overall::Proven);
}

TEST_CASE("volcano: two queues without a capability beside the guarantee take it, and the story was played") {
  Planned planned = test::planned_of(kRamp);
  for (const char* name : {"finetune", "sweep"}) {
    queue(planned, name).parent = "eu-west";
    queue(planned, name).capability.clear();
  }
  const Report report = prove(planned, {}, {});
  const Obligation& o = *of_chat(report, Family::Claim);
  CHECK(o.verdict == Verdict::Refuted);
  CHECK(o.figures.claimable == 16);
  CHECK(told(o, "finetune has 24 GPUs allocated"));
  CHECK(told(o, "sweep has 16 GPUs allocated"));
  CHECK(told(o, "chat asks for 1 GPU"));
}

TEST_CASE("volcano: what makes limits void, or pods wait, leaves claim undecided") {
  const auto verdict = [](auto change) {
    Planned planned = test::planned_of(kRamp);
    change(planned.cluster.volcano->scheduler);
    return of_chat(prove(planned, {}, {}), Family::Claim)->verdict;
  };
  const auto capacity = [](volcano::SchedulerConfig& config) -> volcano::Plugin& { return config.tiers[1][2]; };
  CHECK(verdict([](auto&) {}) == Verdict::Proven);
  CHECK(verdict([&](auto& config) { capacity(config).flags.clear(); }) == Verdict::Undecided);  // no tree
  CHECK(verdict([&](auto& config) { capacity(config).flags["enabledAllocatable"] = false; }) == Verdict::Undecided);
  CHECK(verdict([&](auto& config) { capacity(config).name = "proportion"; }) == Verdict::Undecided);
  CHECK(verdict([](auto& config) { config.tiers[1].erase(config.tiers[1].begin() + 2); }) == Verdict::Undecided);
  CHECK(verdict([](auto& config) { config.actions = {"enqueue", "allocate"}; }) == Verdict::Undecided);
}

TEST_CASE("volcano: a batch queue on the pool of class A, an unknown parent, a node too few") {
  Planned shared = test::planned_of(kRamp);
  shared.intent.volcano_roles[3].pool = shared.intent.volcano_roles[1].pool;
  CHECK(of_chat(prove(shared, {}, {}), Family::Claim)->verdict == Verdict::Undecided);
  Planned orphan = test::planned_of(kRamp);
  queue(orphan, "sweep").parent = "nobody";
  CHECK(of_chat(prove(orphan, {}, {}), Family::Claim)->verdict == Verdict::Undecided);
  Planned lost = test::planned_of(kRamp);
  for (PoolCapacity& capacity : lost.intent.capacities) ++capacity.lost;
  const Report report = prove(lost, {}, {});
  CHECK(std::any_of(report.obligations.begin(), report.obligations.end(), [](const Obligation& o) {
    return o.family == Family::Fragmentation && o.verdict == Verdict::Refuted && told(o, "2 are placed");
  }));
}

}  // namespace
}  // namespace gpol
