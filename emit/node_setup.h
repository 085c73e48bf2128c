// How nodes get the labels and taints of their pool, for people and pipelines: `nodes/POOL.sh`, commands that leave
// other labels and taints alone, and `nodes/README.md`, the same as settings of node pools of the clouds and of
// Karpenter, and the tolerations that other people's DaemonSets then need. What is not under gpol.dev/ the nodes carry
// already: the commands check it and do not write it. In: the pools. Out: files; checker/observe/node_commands.h reads
// the commands back.
#pragma once

#include <vector>

#include "emit/emit.h"

namespace gpol {

std::vector<RenderedFile> node_setup(const std::vector<NodePool>& pools);

}  // namespace gpol
