// The pending workloads of one queue (pkg/cache/queue/cluster_queue.go): those that wait for their turn, and those that
// are parked until something changes in the queue's tree.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "checker/kueue/ledger.h"

namespace gpol::kueue {

enum class Requeue : std::uint8_t { NoFit, NoCandidates, NamespaceMismatch, Contended, AwaitsVictims };

class PendingQueue {
 public:
  explicit PendingQueue(QueueingStrategy strategy) : strategy_(strategy) {}

  void push(const std::vector<Workload>& workloads, WorkloadId id);
  // `rules`: the ledger that says which hold.
  std::optional<WorkloadId> pop(const std::vector<Workload>& workloads, const Ledger& rules);
  void requeue(const std::vector<Workload>& workloads, const Ledger& rules, WorkloadId id, Requeue reason);
  void set_strategy(QueueingStrategy strategy) { strategy_ = strategy; }
  void retry_all(const std::vector<Workload>& workloads);    // quota was freed, or limits changed, in the tree
  void push_untried(WorkloadId id) { waiting_.insert(id); }  // whatever was refused
  void forget(WorkloadId id);                                // admitted or gone
  bool empty() const { return waiting_.empty() && parked_.empty(); }
  const std::set<WorkloadId>& waiting() const { return waiting_; }
  const std::set<WorkloadId>& parked() const { return parked_; }
  std::optional<WorkloadId> sticky() const { return sticky_; }

 private:
  // workload.go computeSchedulingHash, of what was asked for: workloads that get the same answer from the same state.
  using Alike = std::tuple<std::vector<Request>, std::optional<std::uint32_t>, std::int64_t,
                           std::optional<std::vector<Toleration>>>;  // sorted; flavor; count; tolerations
  using Shape = std::pair<std::int64_t, std::vector<Alike>>;         // priority; podsets
  static Shape shape_of(const Workload& workload);

  QueueingStrategy strategy_;
  std::set<WorkloadId> waiting_, parked_;
  std::optional<WorkloadId> sticky_;  // the workload that awaits its victims: tried before the others
  std::set<Shape> parked_shapes_;
};

}  // namespace gpol::kueue
