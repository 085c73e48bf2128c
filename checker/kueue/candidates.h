// The workloads that classical preemption may consider, and in which order (pkg/scheduler/preemption/classical:
// hierarchical_preemption.go, candidate_generator.go; preemption/common).
#pragma once

#include <vector>

#include "checker/kueue/preemption.h"

namespace gpol::kueue {

enum class Variant : std::uint8_t {
  Never,
  WithinQueue,
  Hierarchical,             // the preemptor stands nearer to the quota: priority does not matter beyond the policy
  ReclaimWithoutBorrowing,  // only if the preemptor ends within its nominal quota
  ReclaimWhileBorrowing,
};
const char* reason(Variant variant);

struct Candidate {
  WorkloadId workload = 0;
  Node meets = kRoot;  // the lowest cohort above both queues; kRoot within the preemptor's queue
  Variant variant = Variant::Never;
};

struct Candidates {
  std::vector<Candidate> in_order;
  bool any_from_other_queues = false, any_hierarchical = false;
};

Candidates collect_candidates(const Ledger& snapshot, const PreemptionRequest& request);

// Under fair sharing: those of the own queue by its policy, those of every other queue of the tree that borrows on
// something needed (preemption.go findCandidates), in order.
std::vector<WorkloadId> fair_candidates(const Ledger& snapshot, const PreemptionRequest& request);

// Removing one candidate can bring the queue of another back within its quota: tested again before each is taken.
bool still_valid(const Ledger& snapshot, const PreemptionRequest& request, const Candidate& candidate, bool may_borrow);

}  // namespace gpol::kueue
