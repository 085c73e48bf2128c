// Queues that cover several devices may ask for each of them (QueueRole::demands): reclaim is judged once for every way
// in which the serving queues of a cohort may ask at once, and the worst of them counts.
#pragma once

#include <functional>

#include "checker/families/families.h"

namespace gpol {

// Has `judge` add its obligations about reclaim, one per queue, flavor and resource, for each way, and leaves those of
// the worst. Of a cohort with more ways than are looked at what was proven is undecided.
void judge_each_way(const Proof& proof, Report& report, const std::function<void(const Proof&, Report&)>& judge);

}  // namespace gpol
