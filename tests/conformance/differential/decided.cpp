#include <functional>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "checker/kueue/gates.h"
#include "checker/kueue/rules.h"
#include "tests/conformance/differential/outcome.h"

namespace gpol::differential {

namespace {

using kueue::Model;

// A rule that a field states, and the edit that takes it out of a cluster.
struct FieldRule {
  std::string name;
  std::function<void(Cluster&)> edit;
  // Whether the cluster has it at all.
  std::function<bool(const Cluster&)> present = [](const Cluster&) { return true; };
  // What it decides may show in the cycle after only: what is remembered.
  bool remembered = false;
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

KueueConfig::WaitForPodsReady pods_ready(const Cluster& cluster) {
  return cluster.config.wait_for_pods_ready.value_or(KueueConfig::WaitForPodsReady{});
}

std::vector<FieldRule> make_field_rules() {
  std::vector<FieldRule> rules{
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
      {"waitForPodsReady.blockAdmission",
       [](Cluster& cluster) { cluster.config.wait_for_pods_ready->block_admission = false; },
       [](const Cluster& cluster) { return pods_ready(cluster).block_admission; }},
      {"waitForPodsReady.requeuingStrategy.timestamp Eviction",
       [](Cluster& cluster) { cluster.config.wait_for_pods_ready->requeue_at_creation = true; },
       [](const Cluster& cluster) { return !pods_ready(cluster).requeue_at_creation; }},
      {"waitForPodsReady.requeuingStrategy.timestamp Creation",
       [](Cluster& cluster) { cluster.config.wait_for_pods_ready->requeue_at_creation = false; },
       [](const Cluster& cluster) { return pods_ready(cluster).requeue_at_creation; }},
  };
  for (const kueue::GateInfo& gate : kueue::kGates)
    rules.push_back({fmt::format("featureGate {}={}", gate.name, !gate.by_default),
                     [&gate](Cluster& cluster) { cluster.config.gates.erase(std::string(gate.name)); },
                     [&gate](const Cluster& cluster) { return cluster.config.gates.contains(std::string(gate.name)); },
                     true});
  return rules;
}

const std::vector<FieldRule>& field_rules() {
  static const std::vector<FieldRule> rules = make_field_rules();
  return rules;
}

// The cluster in force and, for every field rule that it has, the same without it.
class Edited {
 public:
  Edited(const Cluster& cluster, const std::set<std::string>& enough) {
    for (const FieldRule& rule : field_rules()) {
      if (enough.contains(rule.name) || !rule.present(cluster)) continue;
      clusters_.push_back(cluster);
      rule.edit(clusters_.back());
      without.emplace_back(&rule, kueue::compile(clusters_.back()));
    }
  }
  std::vector<std::pair<const FieldRule*, std::shared_ptr<const kueue::Compiled>>> without;

 private:
  std::deque<Cluster> clusters_;  // what the compiled ones look into
};

// Counts in how many cycles each rule decided.
class Decided {
 public:
  Decided(const History& history, const std::set<std::string>& enough)
      : enough_(enough), stage_(history.cluster), edited_(std::make_unique<Edited>(history.cluster, enough)) {
    for (const FieldRule& rule : field_rules()) count[rule.name] = 0;
    for (const auto name : kueue::kRuleNames) count[std::string(name)] = 0;
  }

  void apply(const Op& op) {
    stage_.apply(op);
    if (op.kind == Op::Kind::Submit) {
      for (auto& [rule, model] : last_) model.submit(op.workload);
    } else if (op.kind == Op::Kind::Delist || op.kind == Op::Kind::Move || op.kind == Op::Kind::Cohort) {
      edited_ = std::make_unique<Edited>(stage_.clusters.back(), enough_);
      last_.clear();
    } else {
      for (auto& [rule, model] : last_) apply_to(model, stage_.ids, op);
    }
  }

  // False once upstream leaves it to chance.
  bool cycle() {
    const Cluster& cluster = stage_.clusters.back();
    const std::size_t workloads = stage_.ids.size();
    std::vector<std::pair<const FieldRule*, Model>> others;
    for (const auto& [rule, compiled] : edited_->without) others.emplace_back(rule, stage_.model.on(compiled));
    std::vector<std::pair<std::string, Model>> without;
    for (int rule = 0; rule < kueue::kRules; ++rule)
      if (std::string name(kueue::kRuleNames[static_cast<std::size_t>(rule)]); !enough_.contains(name))
        without.emplace_back(std::move(name), stage_.model.without(static_cast<kueue::Rule>(rule)));
    const std::string real = differential::cycle(stage_.model, cluster, workloads);
    if (stage_.model.arbitrary()) return false;
    std::set<const FieldRule*> decided;
    for (auto& [rule, model] : last_)
      if (differential::cycle(model, cluster, workloads) != real) decided.insert(rule);
    last_.clear();
    for (auto& [rule, model] : others) {
      if (differential::cycle(model, cluster, workloads) != real)
        decided.insert(rule);
      else if (rule->remembered)
        last_.emplace_back(rule, std::move(model));
    }
    for (const FieldRule* rule : decided) ++count[rule->name];
    for (auto& [name, model] : without)
      if (differential::cycle(model, cluster, workloads) != real) ++count[name];
    return true;
  }

  std::map<std::string, std::int64_t> count;

 private:
  const std::set<std::string>& enough_;
  Stage stage_;
  std::unique_ptr<Edited> edited_;
  // Without a rule since the cycle before, in which it did not show.
  std::vector<std::pair<const FieldRule*, Model>> last_;
};

}  // namespace

std::map<std::string, std::int64_t> decided(const History& history, const std::set<std::string>& enough) {
  Decided decided(history, enough);
  for (const Op& op : history.ops)
    if (op.kind != Op::Kind::Cycle)
      decided.apply(op);
    else if (!decided.cycle())
      break;
  return decided.count;
}

}  // namespace gpol::differential
