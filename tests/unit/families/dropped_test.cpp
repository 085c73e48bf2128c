// Every premise of the closed list, dropped: what then happens is told, and was replayed.
#include <algorithm>

#include "checker/families/dropped.h"
#include "checker/families/guard_book.h"
#include "checker/families/premises.h"
#include "tests/support/planned.h"

namespace gpol {
namespace {

using test::planned_of;

constexpr const char* kTiers = "examples/three-tiers/three-tiers.gpol";
constexpr const char* kRamp = "examples/morning-ramp/morning-ramp.gpol";
constexpr const char* kShared = "tests/golden/proof/two_serving_tenants_share_a_pool.gpol";
constexpr const char* kCut = "tests/golden/partition/cut_cards.gpol";
constexpr const char* kEdge = "examples/chat-at-the-edge/chat-at-the-edge.gpol";
constexpr const char* kVolcano = "examples/morning-ramp-volcano/morning-ramp-volcano.gpol";
constexpr const char* kPreempts = "tests/golden/proof/serving_outside_preempts_batch.gpol";

std::vector<StoryStep> without(const Planned& planned, std::string_view premise) {
  Solver solver;
  const Proof proof{planned.cluster, planned.intent, planned.origins, solver};
  Report report;
  prove_claim(proof, report);
  prove_reclaim(proof, report);
  const bool proven = std::all_of(report.obligations.begin(), report.obligations.end(),
                                  [](const Obligation& o) { return !o.required || o.verdict == Verdict::Proven; });
  CHECK(proven);  // whatever is told is the premise's doing
  return story_without(proof, report, premise, {});
}

bool told(const std::vector<StoryStep>& story, const std::string& text) {
  return std::any_of(story.begin(), story.end(), [&](const StoryStep& step) {
    return (step.actor + " " + step.does).find(text) != std::string::npos;
  });
}

TEST_CASE("what happens where a premise does not hold is told of every one", "[slow]") {
  for (const Premise& premise : premises()) {
    INFO(premise.key);
    if (!premise.taken.empty()) continue;  // no policy can leave it open
    Planned planned = planned_of(
        premise.key == "serving-within-reserve"     ? "tests/golden/proof/fail_serving_tenant_that_borrows.gpol"
        : premise.ground == &ground::kOnPreemption  ? kPreempts
        : premise.ground == &ground::kOnVolcano     ? kVolcano
        : premise.ground == &ground::kOnJobs        ? kRamp
        : premise.ground == &ground::kOnShared      ? kShared
        : premise.ground == &ground::kOnSlices      ? kCut
        : premise.ground == &ground::kOnEdge        ? kEdge
        : premise.ground == &ground::kOnCallers     ? kEdge
        : premise.ground == &ground::kOnSharedCount ? "tests/golden/gateway/requests_counted_for_all_proxies.gpol"
                                                    : kTiers);
    Solver solver;
    Planned unbound = planned;
    unbound.cluster.admission_bindings.clear();
    const auto request = story_of(GuardBook(unbound.cluster, planned.intent, solver).look(premise.key));
    if (premise.key == "serving-within-reserve") {  // on a cluster whose nodes nobody described, of class A
      planned.intent.capacities.clear();
      for (QueueRole& role : planned.intent.roles) role.isolation = Isolation::A, role.deadline.reset();
    }
    if (premise.key == "own-namespaces")
      for (Queue& queue : planned.cluster.queues) queue.namespaces = {true, {}, {}};
    const bool both = premise.key == "jobs-bounded";  // a guard that is not there, and a quota that is not there
    const bool story = !without(planned, premise.key).empty();
    CHECK((both ? story && !request.empty() : story == request.empty()));
  }
}

TEST_CASE("one node more than tolerated, one second more than declared, one guard less") {
  const Planned planned = planned_of(kTiers);
  CHECK(told(without(planned, "nodes-as-declared"), "2 of `"));
  CHECK(told(without(planned, "times-hold"), "1s after its deadline of"));
  CHECK(told(without(planned, "controller-as-emitted"), "deletes the ValidatingAdmissionPolicyBinding `gpol-"));
}

// What release takes then is out of all proportion; how long it takes is not the quota's to say.
TEST_CASE("Jobs that no ResourceQuota counts are told with the clock that they stop", "[slow]") {
  Planned planned = planned_of(kRamp);
  CHECK(told(without(planned, "jobs-bounded"), "creates thousands of Jobs"));
  const auto status = [&] {
    Solver solver;
    Report report;
    const Proof proof{planned.cluster, planned.intent, planned.origins, solver};
    prove_claim(proof, report);
    prove_reclaim(proof, report);
    judge_premises(proof, report);
    for (const Assumption& assumption : report.assumptions)
      if (assumption.key == "jobs-bounded") return assumption.status;
    return Assumption::Status::Trusted;
  };
  CHECK(status() == Assumption::Status::Enforced);
  planned.cluster.resource_quotas.front().hard.begin()->second += 1;
  CHECK(status() == Assumption::Status::Open);
  planned.cluster.resource_quotas.front().hard = {{"count/pods", 200}};
  CHECK(status() == Assumption::Status::Open);
  planned.cluster.resource_quotas.clear();
  CHECK(status() == Assumption::Status::Open);
}

TEST_CASE("a second rule of a route, and a replica less, are too much for a service") {
  const Planned planned = planned_of(kEdge);
  CHECK(told(without(planned, "routes-as-declared"), "gives HTTPRoute chat/chat 2 rules"));
  CHECK(told(without(planned, "routes-as-declared"), "513th request waits"));
  CHECK(told(without(planned, "requests-balanced"), "1 replica fewer"));
  CHECK(told(without(planned, "requests-balanced"), "runs 3 replicas"));
}

TEST_CASE("under Volcano one node more than tolerated leaves no place for a pod that its queue has room for") {
  const Planned planned = planned_of(kVolcano);
  CHECK(told(without(planned, "nodes-as-declared"), "1 of `live` are there"));
  CHECK(told(without(planned, "nodes-as-declared"), "no node has room for it"));
}

TEST_CASE("batch that deletes its own pods, and a scheduler without preemption, keep a tenant outside waiting") {
  const Planned planned = planned_of(kPreempts);
  CHECK(told(without(planned, "batch-stays"), "from one to the other for ever"));
  CHECK(told(without(planned, "scheduler-as-upstream"), "no pod there has a lower priority"));
}

TEST_CASE("a neighbour that asks for more cpu than declared keeps a replica from every node") {
  CHECK(told(without(planned_of(kShared), "requests-as-declared"), "none of the 5 nodes has room for it"));
}

TEST_CASE("a selector that lets strangers in gives serving's own queue away") {
  Planned planned = planned_of(kTiers);
  CHECK(without(planned, "own-namespaces").empty());  // as it is, nobody else gets in
  for (Queue& queue : planned.cluster.queues) queue.namespaces = {true, {{"team", "ml"}}, {}};
  CHECK(told(without(planned, "own-namespaces"), "a stranger has a LocalQueue for `assistant`"));
}

}  // namespace
}  // namespace gpol
