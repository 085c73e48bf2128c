// A workload as Kueue counts it (pkg/workload/workload.go totalRequestsFromPodSets, flavorassigner.go assignFlavors):
// what its pods ask for without the excluded resources (resources.excludeResourcePrefixes), put through
// resources.transformations, and with its pods where its queue covers `pods`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/kueue/forest.h"
#include "checker/kueue/model.h"

namespace gpol::kueue {

// One that names more pods than it counts has that many. All pods of a podset ask for the same: an amount is divided by
// their number, transformed, rounded up, and multiplied again.
WorkloadSpec counted(const Cluster& cluster, WorkloadSpec spec);

// What the Configuration does to requests for the resource, in words: "resources.transformations with the input
// nvidia.com/gpu". Empty when a request counts as it is asked for.
std::string counted_otherwise(const KueueConfig& config, std::string_view resource);
// What besides requests for it counts as the resource, likewise.
std::string made_of_others(const KueueConfig& config, std::string_view resource);

// Whether pods may use the resource without any quota of it being charged: it is excluded, or replaced.
bool uncharged(const KueueConfig& config, std::string_view resource);

// Whether a queue may have a pod at all, with any resource of a flavor: where it covers pods each workload asks for
// one. The shape and the cluster must outlive it.
class PodRoom {
 public:
  PodRoom(const Cluster& cluster, const Shape& shape);
  bool has_room(std::uint32_t queue, std::uint32_t flavor);

 private:
  std::int64_t potential(std::uint32_t queue, std::uint32_t flavor);  // pods, in the widest of all windows

  const Cluster& cluster_;
  const Shape& shape_;
  std::optional<std::uint32_t> pods_;                             // into Cluster::resources; nothing: they do not count
  std::map<std::uint32_t, std::vector<std::int64_t>> potential_;  // by flavor, queue
};

// Which queue besides this one lets pods use the resource without any quota of it being charged, and why: it does not
// cover it (resources.quotaCheckStrategy IgnoreUndeclared). Empty: none does. Its workloads that ask for nothing else
// get no flavor, and so no node labels: they may stand on any node.
std::string undeclared_by_others(const Cluster& cluster, std::uint32_t queue, std::string_view resource);
std::string undeclared_by_others(const Cluster& cluster, std::uint32_t queue);  // of whatever it covers

}  // namespace gpol::kueue
