// Stories about serving outside the queue that preempts, played in Kueue's model and in that of kube-scheduler's
// preemption. In: the proof, the tenant. Out: the story; nothing where none could be played.
#pragma once

#include <optional>

#include "checker/families/outside_clock.h"
#include "checker/families/pool_use.h"
#include "checker/story/stories.h"

namespace gpol {

// Batch stands so that the last replica finds no node; kube-scheduler evicts for it, and its deadline passes first.
std::optional<Story> tell_evicted_late(const Proof& proof, PoolUses& uses, const OutsideReserve& tenant,
                                       const OutsideClock& clock);
// Why the premise batch-stays is needed: batch that deletes its own pods sends the replica from node to node.
std::optional<Story> tell_sent_round(const Proof& proof);

}  // namespace gpol
