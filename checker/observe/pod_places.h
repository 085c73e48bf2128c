// Where pods may stand, as a pod template says it: nodeName, nodeSelector, required node affinity, tolerations.
#pragma once

#include "checker/observe/documents.h"
#include "compiler/cluster/pod_facts.h"

namespace gpol::manifest {

// Of a list `tolerations`.
void add_tolerations(const Node& list, std::vector<Toleration>& tolerations);

// `pod`: a PodSpec.
void read_places(const Node& pod, PodFacts& facts);

}  // namespace gpol::manifest
