// A small cluster with nodes: flavors and pools as a test says, resources cpu, nvidia.com/gpu and pods.
#pragma once

#include "tests/unit/families/small_cluster.h"

namespace gpol::test {

struct NodesCluster : SmallCluster {
  NodesCluster() : SmallCluster({"cpu", "nvidia.com/gpu", "pods"}) {
    cluster.flavors.clear();
    intent.capacities.clear();
  }

  // A flavor and its own nodes: labelled and tainted alike, each with 80 cpu (millicores), 8 GPUs and 20 pods.
  std::uint32_t pool(const std::string& name, std::int64_t nodes, std::int64_t lost = 0, bool spot = false) {
    const auto f = static_cast<std::uint32_t>(cluster.flavors.size());
    cluster.flavors.push_back({name, {{"pool", name}}, {}, {{"pool", "Equal", name, "NoSchedule", std::nullopt}}, ""});
    cluster.node_pools.push_back({name, {{"pool", name}}, {{"pool", name, "NoSchedule"}}});
    PoolCapacity capacity;
    capacity.flavor = capacity.nodes = f;
    capacity.of_one = {80, 8, 20};
    capacity.nodes_min = capacity.nodes_max = nodes;
    capacity.lost = lost;
    capacity.spot = spot;
    for (const std::int64_t amount : capacity.of_one) {
      capacity.surely.push_back(amount * (nodes - lost));
      capacity.at_most.push_back(amount * nodes);
    }
    intent.capacities.push_back(capacity);
    return f;
  }

  // The queue's quotas of a flavor, by resource; none may be lent or borrowed unless `limits` says so.
  void quota(std::uint32_t q, std::uint32_t flavor, std::vector<std::int64_t> nominal, std::int64_t borrow_gpus = 0,
             std::int64_t lend_gpus = 0) {
    if (cluster.queues[q].groups.front().flavors.front().quotas.empty())
      cluster.queues[q].groups.front().flavors.clear();
    FlavorQuotas row{flavor, {}};
    for (std::size_t r = 0; r < nominal.size(); ++r) {
      const std::int64_t scale = r == 0 ? 10 : 1;  // a GPU goes with 10 cpu and a pod
      Quota of{nominal[r], std::nullopt, std::nullopt};
      if (!cluster.queues[q].cohort.empty()) of = {nominal[r], borrow_gpus * scale, lend_gpus * scale};
      row.quotas.push_back(of);
      if (intent.roles[q].kind == QueueRole::Kind::Serving) {
        intent.roles[q].reserve.push_back(nominal[r]);
        intent.roles[q].permitted.push_back(lend_gpus * scale);
      }
    }
    cluster.queues[q].groups.front().flavors.push_back(row);
    if (intent.roles[q].kind == QueueRole::Kind::Serving)
      for (PoolCapacity& capacity : intent.capacities)
        capacity.has_serving = capacity.has_serving || (capacity.flavor == flavor && nominal[1] > 0);
  }

  std::uint32_t empty(std::uint32_t q) {
    cluster.queues[q].groups.front().flavors = {{0, {}}};
    intent.roles[q].reserve.clear();
    intent.roles[q].permitted.clear();
    return q;
  }
  std::uint32_t serves(const std::string& name, std::int64_t replica_gpus, const std::string& cohort = "") {
    const auto q = empty(serving(name, cohort.empty() ? Isolation::A : Isolation::B, {}, cohort));
    if (replica_gpus > 0) intent.roles[q].replica = {replica_gpus * 10, replica_gpus, 1};
    return q;
  }
  std::uint32_t trains(const std::string& name, const std::string& cohort = "root") {
    return empty(batch(name, {}, cohort));
  }
};

inline std::vector<const Obligation*> not_proven(const Report& report) {
  std::vector<const Obligation*> found;
  for (const Obligation& o : report.obligations)
    if (o.verdict != Verdict::Proven) found.push_back(&o);
  return found;
}

}  // namespace gpol::test
