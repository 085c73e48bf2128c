// Configurations of NVIDIA's mig-parted and of its device plugin among what people keep: a file of their own
// (`version`, and `mig-configs` or `sharing`), or the value of a key of a ConfigMap. In: a document's root, and the
// bytes of its file. Out: what they say, added to the list, with where each layout stands; what mig-parted would refuse
// of them, as layouts that are refused.
#pragma once

#include <string_view>
#include <vector>

#include "checker/observe/problems.h"
#include "checker/observe/tree.h"
#include "compiler/cluster/intent.h"

namespace gpol::manifest {

struct GivenCuts {
  std::vector<MigConfigMap> maps;
  std::vector<PluginConfigMap> plugins;
  std::vector<OperatorPolicy> operators;
  std::vector<GivenLayout> layouts;  // of all of them, in the order of the files
  std::vector<GivenFault> faults;
};

// A file of mig-parted's own, or of the device plugin's; false: it is neither.
bool read_partition_file(const Node& root, const Place& place, GivenCuts& cuts);
// An object: a ConfigMap that holds one or more, or the GPU Operator's ClusterPolicy; false: it is neither. What a
// ResourceQuota says of devices and does not count is noted.
bool read_about_devices(const Node& object, std::string_view bytes, const Place& place, GivenCuts& cuts);

}  // namespace gpol::manifest
