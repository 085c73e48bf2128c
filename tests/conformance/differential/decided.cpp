#include <functional>
#include <memory>

#include "checker/kueue/rules.h"
#include "tests/conformance/differential/outcome.h"

namespace gpol::differential {

namespace {

using kueue::Model;

// A rule that a field states, and the edit that takes it out of a cluster.
struct FieldRule {
  const char* name;
  std::function<void(Cluster&)> edit;
};

template <class F>
std::function<void(Cluster&)> every_queue(F change) {
  return [change](Cluster& cluster) {
    for (Queue& queue : cluster.queues) change(queue);
  };
}

// Every quota of queues and cohorts, in every mode.
template <class F>
std::function<void(Cluster&)> every_quota(F change) {
  return [change](Cluster& cluster) {
    const auto of = [&](std::vector<ResourceGroup>& groups) {
      for (auto& group : groups)
        for (auto& row : group.flavors)
          for (Quota& quota : row.quotas) change(quota);
    };
    for (Queue& queue : cluster.queues) of(queue.groups);
    for (CohortNode& cohort : cluster.cohorts) of(cohort.groups);
    for (Mode& mode : cluster.modes)
      for (auto& [key, quota] : mode.changed) change(quota);
  };
}

const std::vector<FieldRule>& field_rules() {
  static const std::vector<FieldRule> rules{
      {"quotaCheckStrategy IgnoreUndeclared", [](Cluster& cluster) { cluster.config.quota_check_strategy.clear(); }},
      {"resources.transformations", [](Cluster& cluster) { cluster.config.transformations.clear(); }},
      {"transformations: strategy Replace",
       [](Cluster& cluster) {
         for (Transformation& one : cluster.config.transformations) one.replace = false;
       }},
      {"transformations: multiplyBy",
       [](Cluster& cluster) {
         for (Transformation& one : cluster.config.transformations) one.multiply_by.clear();
       }},
      {"resources.excludeResourcePrefixes", [](Cluster& cluster) { cluster.config.excluded_prefixes.clear(); }},
      {"nodeTaints",
       [](Cluster& cluster) {
         for (Flavor& flavor : cluster.flavors) flavor.taints.clear();
       }},
      {"tolerations of ResourceFlavors",
       [](Cluster& cluster) {
         for (Flavor& flavor : cluster.flavors) flavor.tolerations.clear();
       }},
      {"lendingLimit", every_quota([](Quota& quota) { quota.lending.reset(); })},
      {"borrowingLimit", every_quota([](Quota& quota) { quota.borrowing.reset(); })},
      {"nominalQuota of cohorts",
       [](Cluster& cluster) {
         for (auto& cohort : cluster.cohorts)
           for (auto& group : cohort.groups)
             for (auto& row : group.flavors)
               for (Quota& quota : row.quotas) quota.nominal = 0;
       }},
      {"queueingStrategy StrictFIFO",
       every_queue([](Queue& queue) { queue.strategy = QueueingStrategy::BestEffortFIFO; })},
      {"queueingStrategy BestEffortFIFO",
       every_queue([](Queue& queue) { queue.strategy = QueueingStrategy::StrictFIFO; })},
      {"withinClusterQueue", every_queue([](Queue& queue) { queue.preemption.within_cluster_queue = Within::Never; })},
      {"withinClusterQueue LowerOrNewerEqualPriority", every_queue([](Queue& queue) {
         if (queue.preemption.within_cluster_queue == Within::LowerOrNewerEqualPriority)
           queue.preemption.within_cluster_queue = Within::LowerPriority;
       })},
      {"reclaimWithinCohort Never (N1)", every_queue([](Queue& queue) {
         if (queue.preemption.reclaim_within_cohort == Reclaim::Never)
           queue.preemption.reclaim_within_cohort = Reclaim::Any;
       })},
      {"reclaimWithinCohort LowerPriority (N2)", every_queue([](Queue& queue) {
         if (queue.preemption.reclaim_within_cohort == Reclaim::LowerPriority)
           queue.preemption.reclaim_within_cohort = Reclaim::Any;
       })},
      {"reclaimWithinCohort",
       every_queue([](Queue& queue) { queue.preemption.reclaim_within_cohort = Reclaim::Never; })},
      {"borrowWithinCohort",
       every_queue([](Queue& queue) { queue.preemption.borrow_within_cohort = BorrowWithin::Never; })},
      {"maxPriorityThreshold (N5)", every_queue([](Queue& queue) { queue.preemption.max_priority_threshold.reset(); })},
      {"whenCanBorrow TryNextFlavor", every_queue([](Queue& queue) { queue.when_can_borrow = Search::MayStopSearch; })},
      {"whenCanPreempt TryNextFlavor (N10)",
       every_queue([](Queue& queue) { queue.when_can_preempt = Search::MayStopSearch; })},
      {"preference PreemptionOverBorrowing", every_queue([](Queue& queue) { queue.fungibility_preference.clear(); })},
      {"fairSharing", [](Cluster& cluster) { cluster.config.fair_sharing = false; }},
      {"fairSharing.weight",
       [](Cluster& cluster) {
         for (auto& queue : cluster.queues) queue.fair_weight.clear();
         for (auto& cohort : cluster.cohorts) cohort.fair_weight.clear();
       }},
      {"fairSharing.preemptionStrategies",
       [](Cluster& cluster) { cluster.config.fair_strategies = KueueConfig::FairStrategies::Both; }},
  };
  return rules;
}

// The cluster in force and, for every field rule, the same without it.
class Edited {
 public:
  explicit Edited(const Cluster& cluster) {
    for (const FieldRule& rule : field_rules()) {
      clusters_.push_back(cluster);
      rule.edit(clusters_.back());
      compiled.push_back(kueue::compile(clusters_.back()));
    }
  }
  std::vector<std::shared_ptr<const kueue::Compiled>> compiled;

 private:
  std::deque<Cluster> clusters_;  // what the compiled ones look into
};

}  // namespace

std::map<std::string, std::int64_t> decided(const History& history) {
  std::map<std::string, std::int64_t> count;
  for (const FieldRule& rule : field_rules()) count[rule.name] = 0;
  for (const auto name : kueue::kRuleNames) count[std::string(name)] = 0;
  Stage stage(history.cluster);
  Model& model = stage.model;
  auto edited = std::make_unique<Edited>(history.cluster);
  for (const Op& op : history.ops) {
    if (op.kind != Op::Kind::Cycle) {
      const std::size_t edits = stage.clusters.size();
      stage.apply(op);
      if (stage.clusters.size() != edits) edited = std::make_unique<Edited>(stage.clusters.back());
      continue;
    }
    std::vector<Model> others;
    for (const auto& other : edited->compiled) others.push_back(model.on(other));
    for (int rule = 0; rule < kueue::kRules; ++rule) others.push_back(model.without(static_cast<kueue::Rule>(rule)));
    const Cluster& cluster = stage.clusters.back();
    const std::string real = cycle(model, cluster, stage.ids.size());
    if (model.arbitrary()) break;
    for (std::size_t i = 0; i < others.size(); ++i) {
      const std::string name =
          i < field_rules().size() ? field_rules()[i].name : std::string(kueue::kRuleNames[i - field_rules().size()]);
      if (cycle(others[i], cluster, stage.ids.size()) != real) ++count[name];
    }
  }
  return count;
}

}  // namespace gpol::differential
