// What is taken for granted of Volcano's Queues is held against what was read. In: the facts, where bindings of RBAC
// stand, and the report of the families. Out: in it, one refuted obligation for each object that contradicts a premise.
#pragma once

#include <span>

#include "checker/observe/existing.h"
#include "checker/report/report.h"
#include "compiler/cluster/intent.h"

namespace gpol {

void contradict(const VolcanoFacts& facts, std::span<const Span> bindings, const Planned& planned, Report& report);

}  // namespace gpol
