// Which workloads a pending one evicts (pkg/scheduler/preemption, kueue.md 4.1 and 4.2). In: the snapshot
// of a cycle, the preemptor, what it asks of each (flavor, resource), and which of those need preemption. Out: its
// victims; none when removing every candidate would not suffice. The snapshot is as before on return.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "checker/kueue/ledger.h"

namespace gpol::kueue {

struct PreemptionRequest {
  const std::vector<Workload>& workloads;
  WorkloadId preemptor;
  Amounts requests;  // none of 0
  std::set<FlavorResource> need;
};

struct Victim {
  WorkloadId workload = 0;
  const char* reason = "";  // InClusterQueue, InCohortReclamation, InCohortReclaimWhileBorrowing,
                            // InCohortFairSharing
};

std::vector<Victim> find_victims(Ledger& snapshot, const PreemptionRequest& request);

// The height of the lowest subtree around the queue that can hold `amount` more within its own quota, the height of the
// whole tree if none can; and whether that subtree is less than the whole tree.
std::pair<int, bool> lowest_subtree_that_fits(const Ledger& snapshot, Node queue, FlavorResource fr,
                                              std::int64_t amount);

// What flavor choice asks of one (flavor, resource) by itself (preemption_oracle.go): who would be evicted for it, and
// the borrowing height after that.
enum class Possibility : std::uint8_t { NoCandidates, Preempt, Reclaim };
std::pair<Possibility, int> simulate_preemption(Ledger& snapshot, const std::vector<Workload>& workloads,
                                                WorkloadId preemptor, FlavorResource fr, std::int64_t amount);

}  // namespace gpol::kueue
