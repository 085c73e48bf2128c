// What is assumed of others while a story is told of observed manifests: queues that serve, and those that are
// called bounded, hold no more than they own.
#pragma once

#include <cstdint>

#include "checker/story/replay.h"
#include "compiler/cluster/intent.h"

namespace gpol {

// Of the steps before serving asks: of each such queue but `owner`, all together, no more than its nominal quota of any
// flavor that they may be given; a pod each, too, where it covers them; nothing where its demand is of no pod. Steps
// that are beyond are left out.
void keep_to_quotas(Script& script, const Cluster& cluster, const Intent& intent, std::uint32_t owner);

}  // namespace gpol
