// AdmissionChecks as their controllers take them. In: what was read. Out: queues that Kueue makes inactive for how they
// combine checks, as what is not modelled (pkg/cache/scheduler/clusterqueue.go: reasons of inactivity).
#pragma once

#include "checker/observe/existing.h"
#include "checker/observe/problems.h"

namespace gpol::manifest {

inline constexpr std::string_view kMultiKueue = "kueue.x-k8s.io/multikueue";

// One AdmissionCheck: whether it is active, and whose it is.
void note_check(const Node& object, Existing& existing);
// What a ClusterQueue says that makes it inactive; `path`: of the object within the document.
void note_activity(const Node& queue, const std::string& path, const Place& place, Existing& existing);
void doubt_checks(Existing& existing);

}  // namespace gpol::manifest
