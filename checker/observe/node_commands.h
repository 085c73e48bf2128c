// `nodes/POOL.sh`, as `gpol build` writes it, read back. In: its path and bytes. Out: the pool with the labels and
// taints that it gives to nodes, or checks that they carry; nothing where a line is not understood.
#pragma once

#include <optional>
#include <string>

#include "compiler/cluster/cluster.h"

namespace gpol {

std::optional<NodePool> read_node_commands(const std::string& path, const std::string& bytes);

// `partition/CONFIG.sh`: the configuration that it gives to nodes, and the labels that it checks they carry.
std::optional<CutNodes> read_cut_commands(const std::string& path, const std::string& bytes);

}  // namespace gpol
