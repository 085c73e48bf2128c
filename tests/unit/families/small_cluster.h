// Small clusters for the tests of the families, built field by field: no policy, no plan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checker/families/families.h"

namespace gpol::test {

inline TimeConstant seconds(std::int64_t s) { return {s * 1000, "declared", {}}; }

// One flavor "pool", resources cpu and nvidia.com/gpu, cohort "root" unless told otherwise.
struct SmallCluster {
  Cluster cluster;
  Intent intent;
  Origins origins;

  explicit SmallCluster(std::vector<std::string> resources = {"cpu", "nvidia.com/gpu"}) {
    cluster.resources = std::move(resources);
    cluster.flavors.push_back({"pool", {}, {}, {}, ""});
    cluster.modes.push_back({"default", {}});
    PoolCapacity capacity;
    capacity.surely.assign(cluster.resources.size(), 1000);
    capacity.at_most = capacity.surely;
    capacity.has_serving = true;
    intent.capacities.push_back(capacity);
    intent.batch = {seconds(5), seconds(5), seconds(60), seconds(5), true};
  }

  // The same quota for every resource.
  std::uint32_t queue(const std::string& name, const std::string& cohort, Quota quota) {
    Queue q;
    q.name = name;
    q.cohort = cohort;
    ResourceGroup group;
    for (std::uint32_t r = 0; r < cluster.resources.size(); ++r) group.covered.push_back(r);
    group.flavors.push_back({0, std::vector<Quota>(cluster.resources.size(), quota)});
    q.groups.push_back(group);
    q.namespaces = {true, {}, {}};
    q.preemption.within_cluster_queue = Within::LowerPriority;
    cluster.queues.push_back(q);
    QueueRole role;
    role.tenant = name;
    intent.roles.push_back(role);
    origins.queue.emplace_back();
    return static_cast<std::uint32_t>(cluster.queues.size() - 1);
  }

  std::uint32_t serving(const std::string& name, Isolation isolation, Quota quota, const std::string& cohort = "root",
                        std::int64_t permitted = 0) {
    const auto q = queue(name, cohort, quota);
    cluster.queues[q].preemption.reclaim_within_cohort = Reclaim::Any;
    cluster.queues[q].when_can_preempt = Search::MayStopSearch;
    QueueRole& role = intent.roles[q];
    role.kind = QueueRole::Kind::Serving;
    role.isolation = isolation;
    role.reserve.assign(cluster.resources.size(), quota.nominal);
    role.permitted.assign(cluster.resources.size(), permitted);
    return q;
  }

  std::uint32_t batch(const std::string& name, Quota quota, const std::string& cohort = "root") {
    const auto q = queue(name, cohort, quota);
    intent.roles[q].kind = QueueRole::Kind::Batch;
    if (quota.nominal > 0) cluster.queues[q].preemption.reclaim_within_cohort = Reclaim::Any;
    return q;
  }

  // Deadline, start terms and everything else that a timed proof needs.
  void time(std::uint32_t q, std::int64_t deadline_s, std::int64_t in_turn) {
    QueueRole& role = intent.roles[q];
    role.deadline = seconds(deadline_s);
    role.victims_in_turn = in_turn;
    role.start = {seconds(5), seconds(20), seconds(40), seconds(25), seconds(20)};
  }

  Report run(void (*family)(const Proof&, Report&), std::vector<Formula>* dump = nullptr) const {
    Solver solver;
    Report report;
    family({cluster, intent, origins, solver, dump}, report);
    return report;
  }
};

inline const Obligation& find(const Report& report, Family family, std::string_view name, std::string_view resource) {
  for (const Obligation& o : report.obligations)
    if (o.family == family && o.subject.name == name && o.subject.resource == resource) return o;
  throw InternalError("no such obligation");
}

}  // namespace gpol::test
