// In which order fair sharing looks for victims (pkg/scheduler/preemption/fairsharing/ordering.go at v0.19.2): from the
// root down to the child with the highest share that still borrows and has candidates, one workload at a time, since
// every removal changes the shares. In: the snapshot, which the caller changes between calls, and the candidates in
// order. Out: queues to take the next victim from.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "checker/kueue/ledger.h"
#include "checker/kueue/shares.h"

namespace gpol::kueue {

class FairOrder {
 public:
  // `rank`: of every candidate in the order of all of them (fair_candidates).
  FairOrder(const Ledger& snapshot, const std::vector<Workload>& workloads, Node preemptor,
            const std::vector<WorkloadId>& candidates, const std::map<WorkloadId, std::size_t>& rank);

  // The queue to look at next; nothing when no more victims can be found. Between two calls one of its candidates must
  // be popped, or the queue dropped.
  std::optional<Node> next();
  bool has(Node queue) const { return left_.contains(queue); }
  WorkloadId pop(Node queue);
  void drop(Node queue) { pruned_.insert(queue); }

  // The two nodes below the lowest cohort above both the preemptor and the queue: whose shares are compared.
  std::pair<Node, Node> almost_common(Node queue) const;
  // Two cohorts had the same highest share: upstream takes either (its children are an unordered set).
  bool arbitrary() const { return arbitrary_; }

 private:
  std::optional<Node> next_below(Node cohort);

  const Ledger& snapshot_;
  Node preemptor_;
  std::set<Node> ancestors_;                      // of the preemptor's queue
  std::map<Node, std::vector<WorkloadId>> left_;  // by queue, the next one first; no entry is empty
  const std::map<WorkloadId, std::size_t>& rank_;
  std::set<Node> pruned_;
  bool arbitrary_ = false;
};

}  // namespace gpol::kueue
