// The random bundles and attacks of tests/conformance/verdicts in the model alone: claim figures are reached and not
// passed, no attack breaks a proof of reclaim, every refutation is replayed, and little is left undecided.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "checker/families/families.h"
#include "checker/observe/observe.h"
#include "checker/story/stories.h"
#include "compiler/cluster/roles.h"
#include "tests/conformance/verdicts/attack.h"
#include "tests/conformance/verdicts/bundle.h"
#include "tests/planted/played.h"
#include "tests/support/catch.h"

using namespace gpol;

namespace gpol::planted_bugs {

std::string played(const differential::History& history) {
  differential::Stage stage(history.cluster);
  for (const differential::Op& op : history.ops) {
    if (op.kind == differential::Op::Kind::Cycle) {
      differential::cycle(stage.model, stage.clusters.back(), stage.ids.size());
    } else if (op.kind == differential::Op::Kind::Expect) {
      const bool all = std::all_of(op.workloads.begin(), op.workloads.end(), [&](std::size_t id) {
        return stage.model.state(stage.ids.at(id)) == kueue::WorkloadState::Admitted;
      });
      if (all != op.admitted) return all ? "all of them are admitted" : "not all of them are admitted";
    } else if (op.kind == differential::Op::Kind::Available) {
      const std::int64_t left = stage.model.available(op.queue, op.flavor, op.resource);
      if (op.or_more ? left < op.amount : left != op.amount) return fmt::format("{} are left, not {}", left, op.amount);
    } else {
      stage.apply(op);
    }
  }
  return {};
}

}  // namespace gpol::planted_bugs

namespace {

constexpr std::uint64_t kBundles = 60, kAttacks = 3;

struct Bundle {
  Cluster cluster;
  Intent intent;
  Report report;

  explicit Bundle(std::uint64_t seed) {
    const YamlFile file{"bundle.yaml", verdicts::random_bundle(seed)};
    cluster = observe({&file, 1}).cluster;
    intent = intent_from_labels(cluster);
    Origins origins;
    origins.queue.resize(cluster.queues.size());
    origins.cohort.resize(cluster.cohorts.size());
    Solver solver;
    const Proof proof{cluster, intent, origins, solver, nullptr};
    prove_claim(proof, report);
    prove_reclaim(proof, report);
  }
  template <class T>
  static std::uint32_t named(const std::vector<T>& objects, std::string_view name) {
    std::uint32_t at = 0;
    while (objects.at(at).name != name) ++at;
    return at;
  }
  // Of the serving queues; all obligations of one share a verdict.
  std::map<std::uint32_t, Verdict> reclaims() const {
    std::map<std::uint32_t, Verdict> found;
    for (const Obligation& o : report.obligations)
      if (const auto q = named(cluster.queues, o.subject.name);
          o.family == Family::Reclaim && intent.roles[q].kind == QueueRole::Kind::Serving)
        found.emplace(q, o.verdict);
    return found;
  }
};

void claims_are_exact(const Bundle& bundle) {
  const Stage stage(bundle.cluster);
  for (const Obligation& o : bundle.report.obligations) {
    const auto queue = Bundle::named(bundle.cluster.queues, o.subject.name);
    if (o.family != Family::Claim || bundle.intent.roles[queue].kind != QueueRole::Kind::Serving ||
        !o.figures.claimable || *o.figures.reserve == 0 || bundle.cluster.queues[queue].stop != StopPolicy::None)
      continue;
    const auto& resources = bundle.cluster.resources;
    const auto resource = static_cast<std::uint32_t>(std::find(resources.begin(), resources.end(), o.subject.resource) -
                                                     resources.begin());
    const std::int64_t claimable = *o.figures.claimable;
    const auto history =
        verdicts::holding_history(stage, bundle.intent, queue, Bundle::named(bundle.cluster.flavors, o.subject.flavor),
                                  resource, *o.figures.reserve - claimable, claimable == 0);
    if (history) CHECK(planted_bugs::played(*history).empty());
  }
}

}  // namespace

TEST_CASE("random manifests: claims are reached, proofs survive, refutations replay") {
  std::size_t obligations = 0, undecided = 0;
  for (std::uint64_t seed = 1; seed <= kBundles; ++seed) {
    INFO("bundle " << seed);
    const Bundle bundle(seed);
    for (const Obligation& o : bundle.report.obligations) {
      // Of a demand of no pods nothing is proven.
      if (bundle.intent.roles[Bundle::named(bundle.cluster.queues, o.subject.name)].unit_demand == 0) continue;
      ++obligations;
      undecided += o.verdict == Verdict::Undecided ? 1U : 0U;
    }
    claims_are_exact(bundle);
    const auto verdicts = bundle.reclaims();
    for (std::uint64_t i = 0; i < kAttacks; ++i) {
      const auto attack = verdicts::random_attack(bundle.cluster, bundle.intent, seed * 1'000 + i);
      for (const auto& [queue, verdict] : verdicts)
        if (verdict == Verdict::Proven) CHECK(attack.met.contains(queue));
    }
    const Stage stage(bundle.cluster);
    for (const auto& [queue, verdict] : verdicts) {
      if (verdict != Verdict::Refuted) continue;
      const auto story = tell_reclaim(stage, bundle.intent, queue);
      REQUIRE(story);
      CHECK(planted_bugs::played(verdicts::history_of(bundle.cluster, story->script, queue)).empty());
    }
  }
  CHECK(undecided * 50 <= obligations);
}
