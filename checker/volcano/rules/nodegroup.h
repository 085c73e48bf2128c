// The plugin nodegroup: which groups of nodes the pods of a queue may stand on (pkg/scheduler/plugins/nodegroup/
// nodegroup.go, v1.15.1). A node's group is its label volcano.sh/nodegroup-name.
#pragma once

#include <map>
#include <string>

#include "compiler/model/volcano/setup.h"

namespace gpol::volcano {

// By queue: whose affinity to node groups is its own, the queue's or, with `enableHierarchy`, the nearest ancestor's.
// Not there: no affinity is.
std::map<std::string, const Queue*> queues_with_groups(const Setup& setup);
// A node with these labels lets in pods of a queue with these groups (null: it has none), or the plugin is off.
bool in_group(const SchedulerConfig& config, const Queue* groups, const std::map<std::string, std::string>& labels);

}  // namespace gpol::volcano
