// What a dump of a running cluster says beside the fields of an object: its status, its owner, who scales it. In: the
// documents' nodes. Out: what follows for those that are read (existing.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checker/observe/problems.h"
#include "checker/observe/tree.h"
#include "compiler/cluster/node_facts.h"
#include "compiler/cluster/pod_facts.h"

namespace gpol::manifest {

std::string name_of(const Node& object);  // metadata.name, empty where it has none

// What an object says, for whether two of one name say the same: what the API server adds does not count, nor whether a
// whole number has quotes (where it may: in quantities).
std::size_t meaning_of(const Node& object);

// The condition Active of its status is true, or is not there.
bool says_active(const Node& object);

// What says of a ClusterQueue that nobody can evict from it, where no field of it explains that (Kueue's
// pkg/cache/scheduler/clusterqueue.go: reasons of inactivity; a queue that is being deleted is one).
struct Doubt {
  const Node* at;
  std::string field, what;
};
std::vector<Doubt> against_activity(const Node& queue);

// Of a ClusterQueue or Cohort: what makes a version of Kueue go by something else than its quotas and preemption
// (kueue.md 10).
void find_quota_ways(const Node& object, const Place& place, std::vector<QuotaWayUse>& found);
// An object of Kueue in that version.
void note_v1beta1(const Node& object, const Place& place, std::vector<QuotaWayUse>& found);

// What is held now: the status of a ClusterQueue, or of a Workload that has quota. What cannot be read as an amount is
// passed over.
void find_held(const Node& object, const Place& place, std::vector<HeldFacts>& held);

// Of a Node that was dumped at two moments: what it had at both, and where it took no pods at one of them it takes
// none.
void take_worst(const NodeFacts& other, NodeFacts& node);

// "kind/ns/name" of what an autoscaler scales, and to how many replicas at most.
using Scaled = std::map<std::string, std::int64_t>;
// Of a HorizontalPodAutoscaler or KEDA's ScaledObject; nothing: it is neither.
std::optional<Scaled::value_type> scaled_by(const Node& object);
void raise_to(const Scaled::value_type& target, Scaled& scaled);

// What another one of them owns is counted with its owner; of what is scaled the replicas are not known, and of what
// has another RuntimeClass than the plain ones neither what its pods need nor where they may stand.
void settle_outside(const Scaled& scaled, const std::set<std::string>& plain, std::vector<OutsideFacts>& outside);

}  // namespace gpol::manifest
