// How nodes are told to cut their GPUs, for people and pipelines: `partition/CONFIG.sh`, the commands that label nodes
// with a configuration of mig-parted, and `partition/README.md`, what must be done before and how to see that it was
// done. In: the cluster. Out: files; none where nothing is cut. checker/observe/node_commands.h reads the commands
// back.
#pragma once

#include <vector>

#include "emit/emit.h"

namespace gpol {

std::vector<RenderedFile> partition_setup(const Cluster& cluster);

}  // namespace gpol
