// AdmissionChecks as their controllers take them. In: what was read. Out: queues that Kueue makes inactive for how they
// combine checks, as what is not modelled (pkg/cache/scheduler/clusterqueue.go: reasons of inactivity).
#pragma once

#include "checker/observe/existing.h"

namespace gpol::manifest {

inline constexpr std::string_view kMultiKueue = "kueue.x-k8s.io/multikueue";

void doubt_checks(Existing& existing);

}  // namespace gpol::manifest
