// The story of a reserve that comes back, but late: the fewest replicas and turns that are too late already, played in
// the model. In: a clock that passes the limit. Out: a story; none where nothing that can be played takes so long.
#pragma once

#include <optional>

#include "checker/families/time.h"
#include "checker/families/turns.h"
#include "checker/story/stories.h"

namespace gpol {

// `whole`: the limit is a deadline, and the start-up counts; else it is the time of a loan.
std::optional<Story> tell_too_late(const Stage& stage, const Intent& intent, std::uint32_t queue,
                                   const TurnTable& table, const Clock& clock, Millis limit, bool whole);

// Why there is none, as the end of a sentence.
const char* no_story(const Stage& stage);

// Whether a story of how a queue starves is still looked for. A search that finds nothing takes longest: there are only
// so many (`vain`: what those cost, as Stage::worked), and of thousands of queues stories are told of the first ones,
// as many as are played in a few seconds.
bool looks_for_more(const Stage& stage, std::int64_t vain);
const char* no_starving_story(const Stage& stage, bool looked);

}  // namespace gpol
