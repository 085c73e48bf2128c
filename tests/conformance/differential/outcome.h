// What is the case after a cycle, as text: the same words as judge/outcome.go.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "tests/conformance/differential/history.h"

namespace gpol::differential {

// One scheduling cycle of the model over `workloads` workloads, and what is the case after it.
std::string cycle(kueue::Model& model, const Cluster& cluster, std::size_t workloads);

// An event that leaves all objects as they are, but for a submission and a cycle. False for others: nothing is done.
bool apply_to(kueue::Model& model, const std::map<std::size_t, kueue::WorkloadId>& ids, const Op& op);

// A history as it is played: the cluster as the edits so far have left it, the model, and the model's number of a
// workload by that of the history.
struct Stage {
  explicit Stage(const Cluster& cluster);
  // Everything but a cycle.
  void apply(const Op& op);

  std::deque<Cluster> clusters;  // the last one is in force; the model looks into them
  kueue::Model model;
  std::map<std::size_t, kueue::WorkloadId> ids;
};

}  // namespace gpol::differential
