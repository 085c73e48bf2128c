// ResourceQuotas and LimitRanges: what may refuse or change the pods of a namespace. In: an object's node. Nothing is
// reported: mistakes in them are for others to find.
#pragma once

#include <vector>

#include "checker/observe/problems.h"
#include "checker/observe/tree.h"
#include "compiler/cluster/pod_facts.h"

namespace gpol::manifest {

// Adds a ResourceQuota or LimitRange; false: it is neither.
bool find_pod_limits(const Node& object, const Place& place, std::vector<PodLimits>& limits);

}  // namespace gpol::manifest
