#include <algorithm>

#include "checker/kueue/gates.h"
#include "compiler/cluster/kueue_version.h"
#include "tests/conformance/differential/draw.h"
#include "tests/conformance/differential/history.h"

namespace gpol::differential {

namespace {

// Half of the histories keep all gates as they are; in the others each is flipped as often as it needs to decide often.
void flip_gates(Dice& dice, KueueConfig& config) {
  constexpr std::int64_t kPercent[kueue::kGates.size()] = {50, 76, 10, 50, 35, 16, 92, 35, 60, 57, 16};  // as kGates
  for (std::size_t i = 0; i < kueue::kGates.size(); ++i)
    if (dice.upto(99) < kPercent[i]) config.gates[std::string(kueue::kGates[i].name)] = !kueue::kGates[i].by_default;
}

}  // namespace

void share_fairly(Dice& dice, Cluster& cluster) {
  using Strategies = KueueConfig::FairStrategies;
  cluster.config.fair_sharing = true;
  cluster.config.fair_strategies =
      pick(dice, {Strategies::Both, Strategies::LessThanOrEqualToFinalShare, Strategies::LessThanInitialShare});
  const auto weight = [&] { return dice.one_in(3) ? pick(dice, {"0", "0.5", "2", "7"}) : ""; };
  for (auto& queue : cluster.queues) queue.fair_weight = weight();
  for (auto& cohort : cluster.cohorts) cohort.fair_weight = weight();
}

void make_rivals(Dice& dice, Cluster& cluster) {
  for (auto& queue : cluster.queues)
    for (auto& group : queue.groups) {
      const std::size_t owned = any(dice, group.flavors.size());
      for (std::size_t i = 0; i < group.flavors.size(); ++i)
        for (Quota& quota : group.flavors[i].quotas)
          quota = {i == owned ? 2 + dice.upto(2) : dice.upto(1), std::nullopt, std::nullopt};
    }
  for (auto& cohort : cluster.cohorts)
    for (auto& group : cohort.groups)
      for (auto& row : group.flavors)
        for (Quota& quota : row.quotas) quota.nominal = 0;
  if (!cluster.config.fair_sharing) share_fairly(dice, cluster);
  for (auto& queue : cluster.queues) queue.fair_weight = pick(dice, {"0.5", "1", "2", "7"});
}

void as_of(History& history, const std::string& version) {
  KueueConfig& config = history.cluster.config;
  config.version = version;
  std::erase_if(config.gates, [&](const auto& gate) { return gate_came_later(gate.first, version); });
  for (auto& [gate, on] : config.gates) on = !gate_default(gate, version).value_or(!on);
  if (amounts_saturate(version)) return;
  // Sums run over, and the quota of a Cohort that is deleted may stay (#10797, mended in some v0.16.x and v0.17.x).
  const std::int64_t kEnough = 1'000'000;
  const auto cut = [kEnough](Quota& quota) {
    quota.nominal = std::min(quota.nominal, kEnough);
    for (auto* limit : {&quota.borrowing, &quota.lending})
      if (*limit) *limit = std::min(**limit, kEnough);
  };
  const auto cut_all = [&](std::vector<ResourceGroup>& groups) {
    for (auto& group : groups)
      for (auto& row : group.flavors) std::for_each(row.quotas.begin(), row.quotas.end(), cut);
  };
  for (auto& queue : history.cluster.queues) cut_all(queue.groups);
  for (auto& cohort : history.cluster.cohorts) cut_all(cohort.groups);
  for (auto& mode : history.cluster.modes)
    for (auto& [key, quota] : mode.changed) cut(quota);
  std::erase_if(history.ops, [](const Op& op) { return op.kind == Op::Kind::Cohort && op.deleted; });
  for (Op& op : history.ops) cut_all(op.cohort.groups);
}

void flip(Switches& switches, Cluster& cluster) {
  Dice& dice = switches.dice;
  KueueConfig& config = cluster.config;
  if (dice.one_in(2)) flip_gates(dice, config);
  if (config.gates.contains("SchedulerTimestampPreemptionBuffer"))  // decides nothing else
    for (auto& queue : cluster.queues) queue.preemption.within_cluster_queue = Within::LowerOrNewerEqualPriority;
  switches.evictions = dice.one_in(2);
  config.wait_for_pods_ready = KueueConfig::WaitForPodsReady{};
  config.wait_for_pods_ready->block_admission = dice.one_in(16);
  config.wait_for_pods_ready->requeue_at_creation = dice.one_in(2);
  // Where a cycle stops, the order of the trees decides, which fair sharing leaves to chance.
  if (config.wait_for_pods_ready->block_admission && !dice.one_in(4)) config.fair_sharing = false;
}

}  // namespace gpol::differential
