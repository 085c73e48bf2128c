// The state behind a Model, shared by what a caller may do (model.cpp) and what a scheduling cycle does (cycle.cpp).
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "checker/kueue/flavor_assigner.h"
#include "checker/kueue/ledger.h"
#include "checker/kueue/model.h"
#include "checker/kueue/pending.h"
#include "checker/kueue/preemption.h"

namespace gpol::kueue {

// A head of a cycle with what it was nominated for.
struct Entry {
  WorkloadId id = 0;
  bool preemptor = false;  // it awaited victims when the cycle began
  Assignment assignment;
  std::vector<Victim> victims;
};

// A cycle under way.
struct CycleState {
  explicit CycleState(const Ledger& now) : snapshot(now) {}

  Ledger snapshot;
  std::deque<Entry> entries;           // not processed yet
  std::vector<WorkloadId> mismatched;  // heads whose namespace their queue does not select
  std::set<WorkloadId> preempted;      // victims of those that are
  bool any_order = false;              // of the trees: upstream leaves it to chance (fair_sharing_iterator.go getCq)
  std::vector<std::pair<WorkloadId, Requeue>> again;
  // Where it has come to a stop: an entry that fits, and waits until all that is admitted is ready; and the workloads
  // as they were then, which is how the cycle goes on seeing them.
  std::optional<Entry> waits;
  std::vector<Workload> seen;
  std::vector<WorkloadId> unready;  // victims that are so again, in what the cycle has written of them
};

struct ModelState {
  ModelState(std::shared_ptr<const Compiled> compiled, std::uint32_t mode) : ledger(std::move(compiled), mode) {}

  Ledger ledger;  // what is held now; a cycle works on a copy
  std::vector<Workload> workloads;
  std::map<Node, PendingQueue> pending;  // of queues that ever had any
  std::set<Node> stirred;  // those of which something may have changed since a head was looked for in vain
  std::uint64_t clock = 0, cycles = 0;
  bool arbitrary = false;
  std::map<Node, std::uint64_t> generations;  // grow with every change of limits, and of a workload of the queue

  std::map<Node, StopPolicy> stops;                             // where it was ever changed
  std::map<std::pair<Node, std::uint32_t>, StopPolicy> locals;  // stop policies of LocalQueues, likewise
  std::set<Node> unheard;            // queues of which a workload of a stopped LocalQueue left, and nobody was told
  std::optional<CycleState> paused;  // a cycle that waits in its middle: the whole scheduler does

  PendingQueue& pending_of(Node queue);
  std::uint64_t generation(Node queue) const;
  bool runs(const WorkloadSpec& spec) const;     // its LocalQueue is not stopped
  bool drained(const WorkloadSpec& spec) const;  // it or its queue is, and what is admitted is evicted
  void ask(WorkloadId id);                       // pending anew
  void start_local(Node queue, std::uint32_t local);
  void hold_local(Node queue, std::uint32_t local);
  void leave(WorkloadId id);                    // what it holds is free again
  void told_of_room(const WorkloadSpec& spec);  // the workload uses less from now on, or nothing
  void update_tree_of(Node queue);              // the limits of a queue have changed
  void update_trees_of(const std::vector<bool>& changed);
  void retry_tree_of(Node queue);  // parked workloads of the queue's tree are tried again
  // Its quota is free again once the victims are released.
  void evict(WorkloadId id, Eviction why = Eviction::Other);
  bool all_ready() const;  // nothing holds a cycle up
  void go_on();            // the cycle that waits, where nothing does any more
  void rebase(const std::shared_ptr<const Compiled>& compiled);
  void count_change_below(Node cohort);  // updateCohortResourceNode
  bool any_head() const;
  std::vector<std::pair<Node, WorkloadId>> pop_heads(const Ledger& rules);  // of every queue that has one
  std::vector<Decision> cycle();
};

struct Model::Impl : ModelState {
  using ModelState::ModelState;
};

}  // namespace gpol::kueue
