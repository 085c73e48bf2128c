// Workloads of batch in a queue that serves, among the manifests: what ends by itself and asks for a device of the
// queue, and what names a priority class that is labelled batch. Of class A nobody else may hold anything; in
// class B it must leave, by withinClusterQueue and a lower priority. Different priorities alone say nothing.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "checker/families/asked.h"

namespace gpol {

struct MixedRole {
  AskedOf asked;
  Verdict verdict = Verdict::Refuted;
  std::string message, remedy;
  std::vector<StoryStep> story = {};  // where nobody of the queue evicts it
};

// A workload that ends: a Job and the like, and a Pod that nothing starts again.
bool ends_by_itself(const PodFacts& pods);
// It names a WorkloadPriorityClass, or its pods a PriorityClass, with the label `gpol.dev/role: batch`.
bool labelled_batch(const Cluster& cluster, const PodFacts& pods);

// Those that break a promise, or may.
std::vector<MixedRole> mixed_roles(const Proof& proof, std::span<const PodFacts> pods);

}  // namespace gpol
