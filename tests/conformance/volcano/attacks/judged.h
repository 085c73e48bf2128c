// What the one judge says of a random cluster, and what it tells of it.
#pragma once

#include "checker/report/report.h"
#include "tests/conformance/volcano/attacks/attacks.h"

namespace gpol::volcano::attacks {

// How much of the reserve others can hold: by the limits of the queues on its path, and by what is on the nodes; and
// the story of it. Throws where that is neither proven nor refuted with a story that was played.
struct Judged {
  std::int64_t claimable = 0;
  std::vector<StoryStep> story;
};
Judged judged(const Cluster& cluster);
// The story as it is told, for the real scheduler: on one node, a session after each step.
histories::History as_told(const Cluster& cluster, const std::vector<StoryStep>& story);

}  // namespace gpol::volcano::attacks
