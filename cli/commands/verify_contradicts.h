// What is taken for granted of Volcano's Queues is held against what was read. In: what was read, the Nodes that count,
// and the report of the families. Out: in it, one refuted obligation for each object that contradicts a premise, which
// is then open.
#pragma once

#include <span>

#include "checker/observe/existing.h"
#include "checker/report/report.h"
#include "compiler/cluster/intent.h"

namespace gpol {

void contradict(const VolcanoFacts& facts, const Existing& existing, std::span<const NodeFacts> nodes,
                const Planned& planned, Report& report);

}  // namespace gpol
