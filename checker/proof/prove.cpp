#include "checker/proof/prove.h"

#include "checker/volcano/claim/claim.h"

namespace gpol {

namespace {

// The families of a cluster whose scheduler is Volcano, in order.
struct Row {
  const char* name;
  Round round;
  void (*judge)(const Proof&, Report&);
};
constexpr Row kVolcano[] = {
    {"claim", Round::Quotas, volcano::prove_claim},   {"reclaim", Round::Quotas, volcano::prove_reclaim},
    {"capacity", Round::Quotas, prove_capacity},      {"places", Round::Workloads, volcano::prove_places},
    {"partition", Round::Workloads, prove_partition}, {"gateway", Round::Workloads, prove_gateway},
    {"planned", Round::Admission, judge_planned},     {"premises", Round::Admission, judge_premises},
};

void judge_volcano(Round round, const Proof& proof, Report& report, const RunFamily& run) {
  for (const Row& row : kVolcano) {
    if (row.round != round) continue;
    if (run)
      run(row.name, [&] { row.judge(proof, report); });
    else
      row.judge(proof, report);
  }
}

}  // namespace

Report prove(const Planned& planned, const Evidence& evidence, const Acceptance&, const Asking& asking) {
  Solver solver(asking.limits, asking.ear);
  const Proof proof{planned.cluster, planned.intent, planned.origins, solver, nullptr, !asking.quotas_alone};
  Report report;
  for (const Round round : kRounds) {
    if (asking.quotas_alone && round != Round::Quotas) continue;
    if (planned.cluster.volcano)
      judge_volcano(round, proof, report, asking.run);
    else
      judge_families(round, Door::Policy, proof, evidence, report, asking.run);
  }
  report.stats["solver_questions"] = static_cast<std::int64_t>(solver.questions());
  return report;
}

}  // namespace gpol
