// The parts of the partition family (partition.cpp): what it says of devices that pods share.
#pragma once

#include "checker/families/families.h"

namespace gpol {

// Who may share a card with whom: one obligation for the pool.
void judge_shared_pool(const Proof& proof, const SharedPool& pool, Report& report);
// What the device plugin and the GPU Operator are told, where it does not agree: an obligation for each.
void judge_plugin_configs(const Proof& proof, Report& report);

}  // namespace gpol
