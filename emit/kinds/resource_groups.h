// spec.resourceGroups of a ClusterQueue or a Cohort. In every flavor the resources stand in the order of
// coveredResources: Kueue's webhook refuses anything else (pkg/webhooks/clusterqueue_webhook.go).
#pragma once

#include <vector>

#include "compiler/cluster/cluster.h"
#include "emit/yaml.h"

namespace gpol::kinds {

// `in_tree`: has a cohort (for a cohort: a parent). Without one the webhook refuses borrowing and lending limits, which
// would have nobody to bind, so none is written.
yaml::List resource_groups(const Cluster& cluster, const std::vector<ResourceGroup>& groups, bool in_tree);

}  // namespace gpol::kinds
