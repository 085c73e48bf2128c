// Steps of stories in which a sibling's head keeps what it cannot have (N15, N15b).
#pragma once

#include <cstdint>
#include <vector>

#include "checker/story/replay.h"
#include "compiler/cluster/intent.h"

namespace gpol {

// Whether heads of it keep anything: it may evict nobody, or not everybody.
bool may_keep(const Queue& queue);

// What a head of it may ask: a unit, or its nominal quota, of one resource or of everything. None for a queue that
// serves: its demand is known.
std::vector<Submit> heads(const Cluster& cluster, const Intent& intent, std::uint32_t sibling, std::int64_t priority);

// The same in workloads of one unit each.
std::vector<Step> in_units(const Cluster& cluster, const std::vector<Step>& steps);

// The same with so much less of a resource, the last steps first; nothing is put on Hold.
std::vector<Step> without(std::vector<Step> steps, std::uint32_t resource, std::int64_t amount);

// Of each resource that the sibling owns in turn: what others can hold of it, all, or but a unit, or so much that the
// sibling lacks the least part of what it owns. `queue`: for whom the story is.
std::vector<std::vector<Step>> leaving_some(const Stage& stage, const Intent& intent, std::uint32_t queue,
                                            std::uint32_t sibling, std::int64_t priority);

}  // namespace gpol
