// The demand of serving as pods: which replicas there can be on a flavor, and how many. In: cluster and intent.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checker/nodes/placement_model.h"
#include "compiler/cluster/intent.h"

namespace gpol {

struct Replicas {
  std::uint32_t queue = kNone;    // into Cluster::queues; none: they run outside the queue
  std::uint32_t outside = kNone;  // then into Intent::outside
  nodes::Amounts each;            // of one, by resource; its pod is counted in `pods`
  nodes::Amounts counted;         // what of it the queue's quota sees
  std::int64_t count = 0;         // as many as are within the reserve in every resource
  bool declared = false;  // else: a pod of one GPU (of one unit of everything, without GPUs) with its share of the rest
};

// Those of every queue of class A or B, and of every tenant outside the queue, with a reserve of the flavor that holds
// at least one.
std::vector<Replicas> replicas_of(const Cluster& cluster, const Intent& intent, std::uint32_t flavor);

// What the queue owns of the flavor, by resource; 0 where it does not list it.
nodes::Amounts reserve_of_flavor(const Cluster& cluster, const QueueRole& role, std::uint32_t queue,
                                 std::uint32_t flavor);

// Replicas of the other sizes of that queue there (QueueRole::other_shapes), each as many as are within the reserve
// when there are no others.
std::vector<Replicas> other_replicas(const Cluster& cluster, const Intent& intent, const Replicas& of,
                                     std::uint32_t flavor);

// Per queue: it serves, and proofs of another serving tenant rest on its replicas being what they are declared. Either
// may stand on the same nodes, or batch that holds what both want at once may be evicted for either (turns.h).
std::vector<bool> beside_other_serving(const Cluster& cluster, const Intent& intent);

bool all_have_slices(const Cluster& cluster, const CutPool& cut);
// Whether cpu, memory and pods of a node whose devices are cut are never short while a slice is free. False also where
// they are not cut, or the nodes are not known.
bool slices_bring_all(const Cluster& cluster, const Intent& intent, std::uint32_t flavor);
// The same by flavor, for who asks of many queues.
std::vector<bool> slices_bring_all(const Cluster& cluster, const Intent& intent);

// What two tenants on the nodes of a flavor may have to wait for each other for. Nodes of whole devices: all of it, and
// this is Cluster::resources' size. Nodes that are cut, where slices bring all: slices of one profile alone, since
// every pod has slices and no more cpu and memory than goes with them (premise requests-within-share).
std::set<std::uint32_t> shared_by(const Cluster& cluster, const Intent& intent, std::uint32_t flavor,
                                  const nodes::Amounts& reserve, const std::vector<bool>& brings_all);

// What a queue that serves waits for where other tenants serve on the same nodes: Kueue counts the quota of their pods
// as free as soon as these are told to end (jobs/pod/pod_controller.go Load; a StatefulSet's, when it is scaled to 0).
struct ServingEnds {
  std::string beside = {};          // some other tenant; empty: there is none
  std::optional<Millis> last = {};  // of all of them: grace and kill margin; absent: somebody's is not known
  std::string unknown = {};         // that tenant
  Span at = {};                     // its class
};
// Per queue, of the pools whose nodes are described.
std::vector<ServingEnds> serving_ends(const Cluster& cluster, const Intent& intent);

}  // namespace gpol
