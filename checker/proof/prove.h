// The one judge of a planned cluster, whoever planned it. In: what is planned, what objects show beside it, and what
// the asker takes for granted. Out: the report; its names are views into `planned`, which must outlive it. It reads
// nothing else and changes nothing. (Manifests of Kueue are still judged by cli/commands/verify.cpp.)
#pragma once

#include "checker/families/table.h"
#include "checker/report/report.h"
#include "checker/solver/solver.h"
#include "compiler/cluster/intent.h"

namespace gpol {

struct Acceptance {
  bool unenforced = false;  // a premise that nothing enforces or accepts is trusted; else it is open
};

// How it is asked, which changes no verdict that is not undecided.
struct Asking {
  SolverLimits limits = {};
  SolverEar ear = {};                    // hears every question to the solver
  RunFamily run = {};                    // runs each family
  bool quotas_alone = false;             // claim and reclaim, and nothing else; no stories are told
  std::vector<Formula>* dump = nullptr;  // Proof::dump
};

Report prove(const Planned& planned, const Evidence& evidence, const Acceptance& acceptance, const Asking& asking = {});

}  // namespace gpol
