// How many pods of a template Kueue counts in one Workload, and how many Workloads an object makes: the fields of the
// kinds that it admits (pkg/controller/jobs: podSets and reconcilers of each). In: nodes of the object. Out: factors.
#pragma once

#include <cstdint>
#include <string_view>

#include "checker/observe/tree.h"
#include "compiler/cluster/pod_facts.h"

namespace gpol::manifest {

// Each pod of it is a Workload, or each group of pods: its `spec.replicas` counts Workloads.
bool counts_by_workloads(const PodFacts& facts);

// Sets `workloads` and `most_workloads` by what the object says of itself.
void count_workloads(const Node* spec, PodFacts& facts);

// The product; the largest number where it is larger than that.
std::int64_t times_of(std::int64_t count, std::int64_t each);

// How many times what stands at this node is in one Workload, for each time that the node itself is; and what stands
// below a key of it.
std::int64_t times_here(const Node& node);
std::int64_t times_below(const Node& node, std::string_view key);

}  // namespace gpol::manifest
