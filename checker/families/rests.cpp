#include "checker/families/rests.h"

#include <algorithm>
#include <map>
#include <set>

#include "checker/families/codes.h"
#include "checker/families/outside.h"
#include "checker/families/replicas.h"
#include "checker/families/turns.h"
#include "compiler/cluster/listed.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

bool lends(const Queue& queue) {
  if (queue.cohort.empty()) return false;
  return std::ranges::any_of(listed_quotas(queue.groups), [](const ListedQuota& one) {
    return one.quota.nominal > 0 && one.quota.lending.value_or(1) > 0;
  });
}

bool preempts_batch(const Proof& proof, std::string_view tenant) {
  return std::ranges::any_of(proof.intent.outside, [&](const OutsideReserve& outside) {
    return outside.tenant == tenant && outside.preempts_at && !queues_beside(proof, outside).empty();
  });
}

// Two replicas of different tenants find room on one node as far as GPUs go: then it is what else they ask for that
// decides. Where they do not, a pod of either closes a node to the other whatever its cpu is.
bool room_for_two(const Proof& proof) {
  for (const PoolCapacity& capacity : proof.intent.capacities) {
    if (capacity.nodes == kNone || !capacity.has_serving) continue;
    std::map<std::string_view, std::int64_t> least;  // GPUs of a replica, by tenant
    std::int64_t node = 0;
    for (const Replicas& of : replicas_of(proof.cluster, proof.intent, capacity.flavor))
      for (std::size_t r = 0; r < of.each.size(); ++r) {
        if (!is_gpu_or_slice(proof.cluster.resources[r]) || of.each[r] == 0) continue;
        node = capacity.of_one[r];
        const std::string_view tenant =
            of.queue == kNone ? proof.intent.outside[of.outside].tenant : proof.intent.roles[of.queue].tenant;
        const std::int64_t gpus = of.declared ? of.each[r] : 0;  // no guard without a declaration
        if (const auto [at, fresh] = least.try_emplace(tenant, gpus); !fresh) at->second = std::min(at->second, gpus);
      }
    if (least.size() < 2) continue;
    if (proof.intent.cut_of(capacity.flavor) != nullptr) return true;  // of different cards, or the same
    std::vector<std::int64_t> sizes;
    for (const auto& [tenant, gpus] : least) sizes.push_back(gpus);
    std::nth_element(sizes.begin(), sizes.begin() + 1, sizes.end());
    if (sizes[0] + sizes[1] <= node) return true;
  }
  return false;
}

}  // namespace

Rested rested(const Proof& proof, const Report& report) {
  Rested r;
  for (const QueueRole& role : proof.intent.roles) r.serving = r.serving || promised(role);
  r.queued = r.serving;
  for (const volcano::QueueRole& role : proof.intent.volcano_roles) r.serving = r.serving || promised(role);
  r.jobs = !proof.intent.job_limits.empty();
  r.roll_out = rolls_out(proof.intent);
  for (const PlannedEdge& edge : proof.intent.edges)
    r.shared_count = r.shared_count || std::ranges::any_of(edge.limits, [](const PlannedLimit& limit) {
                       return limit.shared.has_value();
                     });
  r.serving = r.serving ||
              std::ranges::any_of(proof.intent.outside, [](const OutsideReserve& tenant) { return promised(tenant); });
  const std::vector<bool> owners = lending_owners(proof, kueue::shape_of(proof.cluster));
  const std::vector<bool> beside = beside_batch(proof);
  const auto ends = serving_ends(proof.cluster, proof.intent);
  const auto beside_others = beside_other_serving(proof.cluster, proof.intent);
  const bool any_beside = contains(beside_others, true);
  const auto borrowers = serving_borrowers(proof, kueue::shape_of(proof.cluster));
  std::map<std::string_view, std::size_t> queues;
  for (std::size_t q = 0; q < proof.intent.roles.size(); ++q) queues.emplace(proof.cluster.queues[q].name, q);
  std::map<std::string_view, bool> claimable;
  std::set<std::string_view> waiting;  // queues that share a pool, and that victims must give it back to in time
  bool fragmentation = false;
  for (const Obligation& o : report.obligations) {
    if (o.family == Family::Claim && o.figures.claimable.value_or(1) > 0) claimable[o.subject.name] = true;
    r.unproven = r.unproven || (o.required && o.verdict != Verdict::Proven);
    if (o.verdict != Verdict::Proven || !o.required) continue;
    if (o.family == Family::Capacity || o.family == Family::Placement || o.family == Family::Fragmentation)
      r.nodes = true;
    r.edge = r.edge || (o.family == Family::Gateway && o.code != code::GatewayCallers);
    r.callers = r.callers || o.code == code::GatewayCallers;
    if (o.family == Family::Fragmentation) {
      fragmentation = true;
      r.shapes = r.shapes || std::ranges::any_of(proof.intent.roles,
                                                 [](const QueueRole& role) { return !role.pod_shapes.empty(); });
    }
    if (o.family != Family::Reclaim && o.family != Family::Claim) continue;
    if (o.subject.kind == "Tenant") {
      r.times = r.times || o.figures.back_within_ms.has_value();
      const bool evicts = o.family == Family::Reclaim && preempts_batch(proof, o.subject.name);
      r.preemption = r.preemption || evicts;
      r.eviction = r.eviction || evicts;
    }
    const auto queue = queues.find(o.subject.name);
    if (queue == queues.end()) continue;
    r.eviction = r.eviction || beside[queue->second];  // pods of batch leave its nodes
    r.within = r.within || (borrowers[queue->second] && lends(proof.cluster.queues[queue->second]));
    if (o.family == Family::Claim) continue;
    r.beside = r.beside || beside[queue->second];
    r.beside = r.beside || !ends[queue->second].beside.empty();
    const QueueRole& role = proof.intent.roles[queue->second];
    const bool evicts = claimable.contains(o.subject.name), timed = role.deadline || role.back_within;
    r.times = r.times || timed;
    if (timed && evicts && beside_others[queue->second]) waiting.insert(o.subject.name);
    r.eviction = r.eviction || evicts;
    r.priorities = r.priorities || (timed && evicts && owners[queue->second]);
  }
  // Then the turns of the others that wait for victims, too, are in its clock.
  for (std::size_t q = 0; !waiting.empty() && q < beside_others.size(); ++q) {
    const std::string_view name = proof.cluster.queues[q].name;
    r.shared =
        r.shared || (beside_others[q] && claimable.contains(name) && (waiting.size() > 1 || !waiting.contains(name)));
  }
  for (std::size_t q = 0; (r.shared || fragmentation) && q < beside_others.size(); ++q)
    r.shapes = r.shapes || (beside_others[q] && devices_in(proof.cluster, proof.intent.roles[q].replica).has_value());
  r.shared = r.shared || (fragmentation && any_beside && room_for_two(proof));
  for (const CutPool& cut : proof.intent.cut_pools) {
    const PoolCapacity* capacity = proof.intent.capacity_of(cut.flavor);
    const auto users =
        std::ranges::count_if(proof.cluster.queues, [&](const Queue& queue) { return lists(queue, cut.flavor); });
    std::set<std::string_view> serving;  // tenants: each rests on what the replicas of the others ask for
    for (std::size_t q = 0; q < proof.cluster.queues.size(); ++q)
      if (promised(proof.intent.roles[q]) && lists(proof.cluster.queues[q], cut.flavor))
        serving.insert(proof.intent.roles[q].tenant.empty() ? std::string_view(proof.cluster.queues[q].name)
                                                            : std::string_view(proof.intent.roles[q].tenant));
    for (const OutsideReserve& outside : proof.intent.outside)
      if (promised(outside) && outside.flavor == cut.flavor) serving.insert(outside.tenant);
    r.shared = r.shared || serving.size() > 1;
    r.slices = r.slices || (capacity != nullptr && capacity->has_serving && users > 1);
    r.carried_starts = r.carried_starts || cut.device.placements == "template";
  }
  return r;
}

}  // namespace gpol
