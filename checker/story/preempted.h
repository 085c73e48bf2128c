// What kube-scheduler's preemption does for a pod that finds no node, played in its model (checker/nodes/preemption.h).
// In: who stands where, and the pod. Out: what comes of it, in the words of a story; nothing where it comes out
// otherwise.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/nodes/preemption.h"
#include "checker/report/report.h"
#include "checker/story/node_stories.h"

namespace gpol {

struct Stood {
  std::uint32_t node = 0;
  nodes::PodSpec pod;
  std::string owner;
};

// The nodes as the story of `what` has them, with those pods on them, and one more pod that asks.
struct Scene {
  const Cluster& cluster;
  const Intent& intent;
  const NoNode& what;
  std::vector<Stood> stood;
  nodes::PodSpec asks;
  std::string tenant;
};

// Nobody is evicted for it. False: somebody is.
bool in_vain(const Scene& scene);
// Victims end once, and then it is bound; with the terms of `what` that is too late.
std::optional<std::vector<StoryStep>> evicted_late(const Scene& scene);
// Batch deletes its pods itself, and starts others where the first of them end: the pod is sent from node to node.
std::optional<std::vector<StoryStep>> sent_round(const Scene& scene);

}  // namespace gpol
