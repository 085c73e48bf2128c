// The families of proof. Each is one file: one sentence, its formulas, its closed form. In: a planned (or observed)
// cluster, the intent, a solver. Out: obligations appended to the report. A family never throws for what a user wrote;
// where the solver and the closed form disagree it throws InternalError (exit 4).
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "checker/report/report.h"
#include "checker/solver/solver.h"
#include "checker/solver/terms.h"
#include "compiler/cluster/intent.h"

namespace gpol {

struct InternalError : std::logic_error {
  using std::logic_error::logic_error;
};

struct Proof {
  const Cluster& cluster;
  const Intent& intent;
  const Origins& origins;
  Solver& solver;
  std::vector<Formula>* dump = nullptr;  // what lemma books are asked, for tests; may be null
  bool stories = true;  // false: who asks wants to know only what is proven; what would need a story is undecided
};

void prove_claim(const Proof& proof, Report& report);
void prove_reclaim(const Proof& proof, Report& report);
void prove_capacity(const Proof& proof, Report& report);
// Claim and reclaim of serving tenants outside the queue.
void prove_outside(const Proof& proof, Report& report);
// Nothing of the policy is empty: every batch queue can run something, every allow can be used, every `prove` speaks of
// somebody.
void prove_vacuity(const Proof& proof, Report& report);
// Class A, where nobody can hold its quota and a story of how it waits was told: after claim, reclaim and vacuity.
void judge_waits(const Proof& proof, Report& report);
// How GPUs are cut: legal layouts, which give the slices that are counted on.
void prove_partition(const Proof& proof, Report& report);
void prove_placement(const Proof& proof, Report& report);
void prove_fragmentation(const Proof& proof, Report& report);
void prove_fragmentation_of(const std::set<std::uint32_t>& queues, const Proof& proof, Report& report);  // these alone
void prove_priority(const Proof& proof, Report& report);
// What gateways let in is what services sustain: streams at once, requests within any second.
void prove_gateway(const Proof& proof, Report& report);
// What the policy uses of constructs whose proof is planned: not analysed, each at its line.
void judge_planned(const Proof& proof, Report& report);
// The read-back of `build`: one obligation, proven when the two normal forms are equal.
void prove_artefact(const Cluster& planned, const Cluster& observed, const std::string& place, Report& report);
// Premises: assumptions of the report, and one refuted obligation for each that is open.
void judge_premises(const Proof& proof, Report& report);

}  // namespace gpol
