// Which pods a flavor's taints keep off its nodes. In: a podset and a flavor. Out: whether it may go there.
#pragma once

#include "checker/kueue/model.h"

namespace gpol::kueue {

// flavorassigner.go checkFlavorForPodSets: what keeps pods off the nodes of a flavor must be tolerated by the podset or
// by the flavor, which adds its tolerations to the pods.
bool tolerates(const PodSet& podset, const Flavor& flavor);

}  // namespace gpol::kueue
