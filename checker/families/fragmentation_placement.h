// Counts of fillings as pods with owners on nodes, for a story to play. In: how many nodes hold which filling. Out: who
// stands where; the story says whether Kueue admits it.
#pragma once

#include <vector>

#include "checker/nodes/blocking.h"
#include "checker/story/node_stories.h"

namespace gpol {

// `what` says all but `standing` and `filled`. `kinds` is parallel to the question's.
NoNode placed(NoNode what, const nodes::Question& question, const std::vector<nodes::Filling>& fillings,
              const std::vector<Standing>& kinds, const std::vector<std::int64_t>& nodes);

}  // namespace gpol
