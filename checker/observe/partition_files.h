// Configurations of NVIDIA's mig-parted among what people keep: a file of their own (`version`, `mig-configs`), or the
// value of a key of a ConfigMap. In: a document's root, and the bytes of its file. Out: what they say, added to the
// list, with where each layout stands; what mig-parted would refuse of them, as layouts that are refused.
#pragma once

#include <string_view>
#include <vector>

#include "checker/observe/problems.h"
#include "checker/observe/tree.h"
#include "compiler/cluster/intent.h"

namespace gpol::manifest {

struct GivenCuts {
  std::vector<MigConfigMap> maps;
  std::vector<GivenLayout> layouts;  // of all of them, in the order of the files
};

// A file of mig-parted's own; false: it is none.
bool read_mig_file(const Node& root, const Place& place, GivenCuts& cuts);
// A ConfigMap that holds one or more; false: it holds none.
bool read_mig_values(const Node& config_map, std::string_view bytes, const Place& place, GivenCuts& cuts);

}  // namespace gpol::manifest
