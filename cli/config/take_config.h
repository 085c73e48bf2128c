// What gpol.yaml says beside roles and paths, put into what was read: Nodes, times, tenants outside the queue. In: the
// file. Each is taken for granted, and told as such; what an object contradicts is an error (GP0604).
#pragma once

#include <vector>

#include "checker/families/families.h"
#include "checker/observe/existing.h"
#include "cli/config/config.h"
#include "compiler/source/source_set.h"

namespace gpol {

// Nodes that nobody gave are those that it counts.
void take_config_nodes(const Config& config, Existing& existing, SourceSet& sources);
// Times and tenants. Before queues without a role are taken for batch.
void take_config(const Config& config, Planned& planned, std::vector<Diagnostic>& out);
// What the objects contradict: reserves that are more than a queue owns, pods of another size.
void contradict_config(const Config& config, const Existing& existing, const Proof& proof,
                       std::vector<Diagnostic>& out);
void tell_config(const Config& config, const Planned& planned, Report& report);

}  // namespace gpol
