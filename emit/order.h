// The order in which objects are applied, as indices into the cluster's lists. Applied in this order no object ever
// stands before one that it needs, and batch is let in only when serving's queues are there. Within what the order
// leaves open, objects are sorted by name.
#pragma once

#include <vector>

#include "compiler/cluster/intent.h"

namespace gpol {

std::vector<std::size_t> cohort_order(const Cluster& cluster);                       // parents before children
std::vector<std::size_t> queue_order(const Cluster& cluster, const Intent& intent);  // serving, no role, batch

}  // namespace gpol
