// Refutations told as stories, each played in the executable scheduler (rules/scheduler.h) before. In: a cluster and
// its roles. Out: the steps; nothing where the play ends otherwise, or cannot be played.
#pragma once

#include <optional>
#include <vector>

#include "checker/families/families.h"
#include "checker/volcano/claim/claim_tree.h"

namespace gpol::volcano {

// Others have allocated what they can at once, and the owner's pod of one unit more than is left to it waits. `beyond`:
// what nodes have beside the tree's, by which limits are reckoned and where no pod goes.
std::optional<std::vector<StoryStep>> tell_claim(const Proof& proof, const ClaimTree& tree, std::size_t owner,
                                                 const std::string& resource, std::int64_t left, std::int64_t beyond);

// Pods of the queues of a pool fill its nodes, and one more, for which its queue has room, finds none. `nodes`: that
// are there.
std::optional<std::vector<StoryStep>> tell_capacity(const Proof& proof, const PoolCapacity& capacity,
                                                    std::uint32_t resource, std::int64_t nodes);

}  // namespace gpol::volcano
