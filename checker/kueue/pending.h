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

  // `rules`: the ledger that says which hold.
  // Both leave the head alone that the cycle under way looks at: its LocalQueue lists it again, that is all.
  void push(const std::vector<Workload>& workloads, const Ledger& rules, WorkloadId id);
  void push_untried(WorkloadId id);  // whatever was refused
  std::optional<WorkloadId> pop(const std::vector<Workload>& workloads, const Ledger& rules);
  // False where that leaves it to chance who is the next head.
  bool requeue(const std::vector<Workload>& workloads, const Ledger& rules, WorkloadId id, Requeue reason);
  // It awaits its victims, whatever the strategy (preemptorWorkload).
  bool preempts(WorkloadId id) const { return preemptor_ == id; }
  void set_strategy(QueueingStrategy strategy) { strategy_ = strategy; }
  void retry_all(const std::vector<Workload>& workloads);  // quota was freed, or limits changed, in the tree
  // The head that the cycle under way looks at. It stays so until the queue hears of it again or the next head is
  // taken: of one whose LocalQueue no longer runs it hears nothing, whatever becomes of it.
  bool in_flight(WorkloadId id) const { return inflight_ == id; }
  // The same, and its LocalQueue does not list it.
  bool taken_off(WorkloadId id) const { return inflight_ == id && !listed_; }
  void forget(WorkloadId id);  // admitted or gone
  bool empty() const { return waiting_.empty() && parked_.empty(); }
  const std::set<WorkloadId>& waiting() const { return waiting_; }
  const std::set<WorkloadId>& parked() const { return parked_; }
  std::optional<WorkloadId> sticky() const { return sticky_; }

 private:
  // workload.go computeSchedulingHash, of what was asked for: workloads that get the same answer from the same state.
  using Alike = std::tuple<std::vector<Request>, std::optional<std::uint32_t>, std::int64_t,
                           std::optional<std::vector<Toleration>>>;  // sorted; flavor; count; tolerations
  using Shape = std::pair<std::int64_t, std::vector<Alike>>;         // priority; podsets
  static Shape shape_of(const Workload& workload, const Ledger& rules);

  QueueingStrategy strategy_;
  std::set<WorkloadId> waiting_, parked_;
  std::optional<WorkloadId> inflight_;
  bool listed_ = false;                  // by its LocalQueue, which is another one than it was taken from
  std::optional<WorkloadId> preemptor_;  // the workload that awaits its victims
  std::optional<WorkloadId> sticky_;     // the same where it is tried before the others
  bool retried_ = false;                 // everything, since the last head was taken
  std::set<Shape> parked_shapes_;
};

}  // namespace gpol::kueue
