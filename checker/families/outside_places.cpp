// Fragmentation for serving outside the queue, on nodes that nobody else uses: its own replicas, all alike, are as many
// on each node as fit there, wherever the first ones stand, so the demand has its places if and only if nodes times
// that is enough. A refutation is played in the placement model, node after node, and the pod after the last that fits
// must fit nowhere.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "checker/families/outside.h"
#include "checker/families/pairs.h"
#include "checker/nodes/placement_model.h"

namespace gpol {
namespace {

// A declared replica, or one GPU with its share of the reserve.
nodes::Amounts pod_of(const Cluster& cluster, const OutsideReserve& tenant) {
  nodes::Amounts each(cluster.resources.size(), 0);
  std::int64_t gpus = 1;
  for (std::size_t r = 0; r < each.size(); ++r)
    if (cluster.resources[r] == "nvidia.com/gpu") gpus = std::max<std::int64_t>(1, tenant.reserve[r]);
  for (std::size_t r = 0; r < each.size(); ++r)
    each[r] = tenant.replica ? tenant.replica->of.at(r) : cluster.resources[r] == "pods" ? 1 : tenant.reserve[r] / gpus;
  return each;
}

std::int64_t times(const nodes::Amounts& each, const nodes::Amounts& in) {
  std::int64_t most = INT64_MAX;
  for (std::size_t r = 0; r < each.size(); ++r)
    if (each[r] > 0) most = std::min(most, in[r] / each[r]);
  return most == INT64_MAX ? 0 : most;
}

std::vector<StoryStep> played(const Proof& proof, const OutsideReserve& tenant, const PoolCapacity& capacity,
                              const nodes::Amounts& each, std::int64_t surviving) {
  nodes::PlacementModel model(proof.cluster);
  const std::uint32_t first = model.add_nodes(capacity.nodes, surviving, capacity.of_one);
  nodes::Pod pod;
  pod.requests = each;
  pod.selector = proof.cluster.flavors[tenant.flavor].node_labels;
  pod.tolerations = proof.cluster.flavors[tenant.flavor].tolerations;
  std::int64_t placed = 0;
  for (std::uint32_t node = first; node < model.size(); ++node)
    while (model.place(node, pod)) ++placed;
  if (!model.feasible(pod).empty() || placed >= times(each, tenant.reserve))
    throw InternalError(
        fmt::format("fragmentation: `{}` places {} replicas where fewer were counted", tenant.tenant, placed));
  const std::string& pool = proof.cluster.node_pools[capacity.nodes].name;
  std::vector<StoryStep> story;
  if (capacity.lost > 0)
    story.push_back({"", "nodes", fmt::format("{} of {} are lost, {} are left", capacity.lost, pool, surviving)});
  story.push_back({"", tenant.tenant, fmt::format("{} replicas run on {}", placed, pool)});
  story.push_back({"", tenant.tenant, "asks for one more, within its reserve: it fits on no node"});
  return story;
}

}  // namespace

void prove_outside_places(const Proof& proof, Report& report) {
  std::map<std::uint32_t, int> tenants;  // by flavor
  for (const OutsideReserve& tenant : proof.intent.outside) ++tenants[tenant.flavor];
  for (const OutsideReserve& tenant : proof.intent.outside) {
    const auto capacity = std::find_if(proof.intent.capacities.begin(), proof.intent.capacities.end(),
                                       [&](const PoolCapacity& c) { return c.flavor == tenant.flavor; });
    if (capacity == proof.intent.capacities.end() || capacity->nodes == kNone) continue;
    const nodes::Amounts each = pod_of(proof.cluster, tenant);
    const std::int64_t surviving = std::max<std::int64_t>(0, capacity->nodes_min - capacity->lost),
                       wanted = times(each, tenant.reserve), of_node = times(each, capacity->of_one);
    Obligation o;
    o.family = Family::Fragmentation;
    o.code = Code::Fragmentation;
    o.required = true;
    o.subject = {"Tenant", tenant.tenant, tenant.tenant, proof.cluster.flavors[tenant.flavor].name, {}};
    o.span = tenant.reserve_span;
    Detail detail;
    if (tenants[tenant.flavor] > 1 || !queues_beside(proof, tenant).empty()) {
      o.verdict = Verdict::Undecided;
      detail.reason = fmt::format(
          "others stand on the nodes of `{}`, too, and whose pods stand where is not looked at "
          "outside the queue",
          o.subject.flavor);
      detail.message =
          fmt::format("whether every replica of `{}` finds a node is not known: {}", tenant.tenant, detail.reason);
      detail.fix = Fix{fmt::format("give `{}` a pool of its own", tenant.tenant), {}};
    } else if (surviving > 0 && of_node >= (wanted + surviving - 1) / surviving) {
      continue;  // proven: the family says so for all
    } else {
      o.verdict = Verdict::Refuted;
      detail.message =
          fmt::format("{} replicas of `{}` are within its reserve, and {} nodes of `{}` have places for {}", wanted,
                      tenant.tenant, surviving, o.subject.flavor, surviving * of_node);
      detail.story = played(proof, tenant, *capacity, each, surviving);
      detail.fix = Fix{"reserve no more than whole replicas on each node, or take more nodes", {}};
    }
    o.detail = std::make_shared<const Detail>(std::move(detail));
    report.obligations.push_back(std::move(o));
  }
}

}  // namespace gpol
