// Kueue v0.19.2 does not count pods when it looks for victims (flavorassigner.go TotalRequestsFor), but does when it
// then checks that the workload fits (scheduler.go fits). A victim need not hold a pod: a Job with `parallelism: 0`, a
// group of workers at 0 and a podset that has ended (gate ReclaimablePods) have their flavors assigned and use nothing.
// Kueue takes the newest such victim, calls it enough where only pods are short, and evicts nobody, in any round. So a
// queue gets its pods back only where it never needs to: others can borrow none of them, or what it does not lend is
// all that it asks for.

#include "checker/families/reclaim_facts.h"

namespace gpol {

using kueue::kRoot;
using kueue::kUnlimited;

void ReclaimWorld::find_borrowers_of_pods() {
  const Cluster& cluster = proof_.cluster;
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    if (shape_.in_cycle[q] || shape_.parent[q] == kRoot || !may_be_above(q)) continue;
    const auto pairs = pairs_of(cluster.queues[q]);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (cluster.resources[pairs[i].resource] != "pods" || least_[q][i].borrowing.value_or(kUnlimited) <= 0) continue;
      auto& borrowers = borrowers_of_pods_[{root_of(q), pairs[i].flavor}];
      if (borrowers.size() < 2) borrowers.push_back(q);  // one of the two is somebody else
    }
  }
}

std::optional<std::uint32_t> ReclaimWorld::takes_pods(std::uint32_t queue,
                                                      std::span<const std::int64_t> claimable) const {
  const Queue& asks = proof_.cluster.queues[queue];
  const QueueRole& role = proof_.intent.roles[queue];
  // Without the shape of a replica no deadline is known to hold (time.cpp), and that is what is to be said.
  const bool shape_asked_for = !role.unit_demand && !role.victims_in_turn && (role.deadline || role.back_within);
  if (shape_asked_for) return std::nullopt;
  std::size_t pair = 0;
  for (const ResourceGroup& group : asks.groups)
    for (const FlavorQuotas& row : group.flavors)
      for (const std::uint32_t resource : group.covered) {
        const std::size_t at = pair++;
        if (proof_.cluster.resources[resource] != "pods") continue;
        const auto borrowers = borrowers_of_pods_.find({root_of(queue), row.flavor});
        if (borrowers == borrowers_of_pods_.end()) continue;
        const bool enough = role.unit_demand ? always_has(queue, group, row, resource)
                                             : claimable[at] <= not_needed(role, resource, reserve_at(role, at));
        if (enough) continue;
        for (const std::uint32_t other : borrowers->second)
          if (other != queue) return other;
      }
  return std::nullopt;
}

}  // namespace gpol
