// Places of observed serving: what is not known of them where nobody declared pools, and nodes that two flavors take
// for theirs.
#include <algorithm>

#include <fmt/format.h>

#include "checker/families/given.h"
#include "checker/nodes/placement_model.h"

namespace gpol {

namespace {

// Each node takes as many of its pods as the scarcest resource lets it.
bool all_fit(const OutsideFacts& facts, const PoolCapacity& capacity, const Cluster& cluster) {
  std::int64_t of_one = INT64_MAX;
  for (std::size_t r = 0; r < cluster.resources.size(); ++r)
    if (const auto each = facts.each.find(cluster.resources[r]); each != facts.each.end() && each->second > 0)
      of_one = std::min(of_one, capacity.of_one[r] / each->second);
  return of_one >= (facts.replicas + capacity.nodes_max - 1) / std::max<std::int64_t>(1, capacity.nodes_max);
}

// Its nodes are known where they were given and look alike.
std::string unknown_of(const OutsideFacts& facts, const PoolCapacity* capacity, bool nodes_given,
                       const Cluster& cluster) {
  if (!facts.unknown.empty()) return facts.unknown;
  // Kueue gives what has no queue the LocalQueue of that name (jobframework/defaults.go), and suspends what it manages.
  for (const LocalQueue& local : cluster.local_queues)
    if (local.name == "default" && local.ns == facts.ns)
      return "Kueue gives it the LocalQueue `default` of its namespace";
  const Selector& managed = cluster.config.managed_namespaces;  // absent: all but those two
  if (cluster.config.manage_jobs_without_queue_name &&
      (managed.present ? lets_in(cluster, managed, facts.ns) != false
                       : facts.ns != "kube-system" && facts.ns != "kueue-system"))
    return "Kueue manages what names no queue in its namespace (manageJobsWithoutQueueName)";
  if (!nodes_given) return "no Node is among the manifests";
  if (capacity == nullptr || capacity->nodes_max == 0) return "no node carries the labels that it selects";
  if (capacity->nodes == kNone) return "the nodes that it selects do not look alike";
  if (const Taint* taint = nodes::untolerated(cluster.node_pools[capacity->nodes].taints, facts.tolerations))
    return fmt::format("its pods do not tolerate the taint `{}` of the nodes that it selects", taint->key);
  return {};
}

}  // namespace

void doubt_outside(std::span<const OutsideFacts> outside, bool nodes_given, const Cluster& cluster, Intent& intent) {
  for (std::size_t i = 0; i < outside.size(); ++i) {
    OutsideReserve& tenant = intent.outside[i];
    const PoolCapacity* capacity = intent.capacity_of(tenant.flavor);
    tenant.doubt = unknown_of(outside[i], capacity, nodes_given, cluster);
    tenant.not_analysed = !tenant.doubt.empty();
    if (outside[i].unknown.empty() && !nodes_given)
      tenant.doubt_fix = "give the Nodes, too, as `kubectl get nodes -o yaml` prints them";
    if (tenant.doubt.empty() && !all_fit(outside[i], *capacity, cluster))
      tenant.doubt = fmt::format("its {} replicas do not all find room on the {} nodes that it selects",
                                 outside[i].replicas, capacity->nodes_max);
    if (tenant.doubt_fix.empty() && !tenant.not_analysed) tenant.doubt_fix = "take more nodes, or lower its replicas";
  }
}

void judge_shared_nodes(std::span<const NodeFacts> nodes, const Proof& proof, Report& report) {
  for (const SharedNode& shared : shared_nodes(nodes, proof.cluster, proof.intent)) {
    const auto& flavors = proof.cluster.flavors;
    const auto& queues = proof.cluster.queues;
    Obligation o;
    o.family = Family::Placement;
    o.code = Code::PlacementBatch;
    o.verdict = Verdict::Undecided;
    o.required = true;
    o.subject = {"ResourceFlavor", flavors[shared.serving_flavor].name, {}, flavors[shared.serving_flavor].name, {}};
    o.span = shared.node;
    Detail detail;
    detail.reason = fmt::format(
        "a node of `{}`, on which `{}` serves, is one of `{}` of `{}`, too: quotas count its devices "
        "twice, and pods of either may stand on it",
        flavors[shared.serving_flavor].name, queues[shared.serving].name, flavors[shared.other_flavor].name,
        queues[shared.other].name);
    detail.message = detail.reason;
    detail.fix = Fix{"give the flavors of serving node labels that no other flavor selects", {}};
    o.detail = std::make_shared<const Detail>(std::move(detail));
    report.obligations.push_back(std::move(o));
    if (std::find(report.analysed.begin(), report.analysed.end(), Family::Placement) == report.analysed.end())
      report.analysed.push_back(Family::Placement);
  }
}

}  // namespace gpol
