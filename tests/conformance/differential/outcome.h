// What is the case after a cycle, as text: the same words as judge/outcome.go.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/conformance/differential/history.h"

namespace gpol::differential {

// One scheduling cycle of the model over `workloads` workloads, and what is the case after it.
std::string cycle(kueue::Model& model, const Cluster& cluster, std::size_t workloads);

// Everything but a cycle. `ids`: the model's number of a workload by that of the history; grows with every Submit.
void apply(const Op& op, kueue::Model& model, std::map<std::size_t, kueue::WorkloadId>& ids);

}  // namespace gpol::differential
