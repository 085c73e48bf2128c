// Preemption under fair sharing (pkg/scheduler/preemption/preemption.go fairPreemptions at v0.19.2, kueue.md 4.2). In
// and out as in preemption.h; victims must still be filled back by the caller.
#pragma once

#include <vector>

#include "checker/kueue/preemption.h"

namespace gpol::kueue {

// Whoever must go for the request to fit, in the order in which they were chosen and removed from the snapshot; nothing
// (and nothing removed) where it cannot be made to fit.
std::vector<Victim> fair_victims(Ledger& snapshot, const PreemptionRequest& request);

}  // namespace gpol::kueue
