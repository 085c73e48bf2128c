#include "checker/proof/prove.h"

#include "checker/volcano/claim/claim.h"

namespace gpol {

namespace {

// The families of a cluster whose scheduler is Volcano, in order.
struct Asked {
  const Proof& proof;
  const Evidence& evidence;
  const Acceptance& acceptance;
  Report& report;
};
struct Row {
  const char* name;
  Round round;
  bool of_manifests;  // asked of manifests without a policy, too, which say nothing of the rest
  void (*judge)(const Asked&);
};

template <void (*judge_proof)(const Proof&, Report&)>
void of(const Asked& asked) {
  judge_proof(asked.proof, asked.report);
}

void claim(const Asked& asked) { volcano::prove_claim(asked.proof, asked.evidence, asked.report); }

void premises(const Asked& asked) {
  if (asked.proof.intent.of_policy)
    judge_premises(asked.proof, asked.report);
  else
    volcano::judge_given(asked.proof, asked.evidence.given.nodes, !asked.acceptance.unenforced, asked.report);
}

constexpr Row kVolcano[] = {
    {"claim", Round::Quotas, true, claim},
    {"reclaim", Round::Quotas, true, of<volcano::prove_reclaim>},
    {"capacity", Round::Quotas, false, of<prove_capacity>},
    {"places", Round::Workloads, false, of<volcano::prove_places>},
    {"vacuity", Round::Workloads, false, of<prove_vacuity>},
    {"partition", Round::Workloads, false, of<prove_partition>},
    {"gateway", Round::Workloads, false, of<prove_gateway>},
    {"planned", Round::Admission, false, of<judge_planned>},
    {"premises", Round::Admission, true, premises},
};

void judge_volcano(Round round, const Asked& asked, const RunFamily& run) {
  for (const Row& row : kVolcano) {
    if (row.round != round || (!asked.proof.intent.of_policy && !row.of_manifests)) continue;
    if (run)
      run(row.name, [&] { row.judge(asked); });
    else
      row.judge(asked);
  }
}

}  // namespace

Report prove(const Planned& planned, const Evidence& evidence, const Acceptance& acceptance, const Asking& asking) {
  Solver solver(asking.limits, asking.ear);
  const Proof proof{planned.cluster, planned.intent, planned.origins, solver, asking.dump, !asking.quotas_alone};
  Report report;
  for (const Round round : kRounds) {
    if (asking.quotas_alone && round != Round::Quotas) continue;
    if (planned.cluster.volcano)
      judge_volcano(round, {proof, evidence, acceptance, report}, asking.run);
    else
      judge_families(round, Door::Policy, proof, evidence, report, asking.run);
  }
  report.stats["solver_questions"] = static_cast<std::int64_t>(solver.questions());
  return report;
}

}  // namespace gpol
