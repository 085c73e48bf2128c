// What happens where a premise does not hold. In: a proof in which everything else does, what was proven, a premise's
// key. Out: one world in which the premise is broken, told step by step: the family that rests on it is asked again
// there, and its refutation was replayed as every other one; nothing where none of them is refuted. Demands on
// admission (demands.h) have stories of their own.
#pragma once

#include <string_view>
#include <vector>

#include "checker/families/families.h"
#include "checker/families/guard_book.h"
#include "checker/story/replay.h"

namespace gpol {

// `guards`: what the proof's guards answered of every premise; of an empty memory nothing is known, and all is asked.
std::vector<StoryStep> story_without(const Proof& proof, const Report& proven, std::string_view premise,
                                     const GuardAnswers& guards);

// Somebody who gets into a serving queue takes its reserve, and what the queue asks for waits; empty: no such story.
// Of thousands of queues it is told of the first ones only: as many as are played in a fraction of a second on `stage`,
// which is of the proof's cluster.
std::vector<StoryStep> story_of_intruder(const Proof& proof, const Stage& stage, std::uint32_t queue);

}  // namespace gpol
