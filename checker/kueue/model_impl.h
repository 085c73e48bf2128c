// The state behind a Model, shared by what a caller may do (model.cpp) and what a scheduling cycle does (cycle.cpp).
#pragma once

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "checker/kueue/ledger.h"
#include "checker/kueue/model.h"
#include "checker/kueue/pending.h"

namespace gpol::kueue {

struct ModelState {
  ModelState(std::shared_ptr<const Compiled> compiled, std::uint32_t mode) : ledger(std::move(compiled), mode) {}

  Ledger ledger;  // what is held now; a cycle works on a copy
  std::vector<Workload> workloads;
  std::map<Node, PendingQueue> pending;  // of queues that ever had any
  std::uint64_t clock = 0, cycles = 0;
  bool arbitrary = false;
  std::map<Node, std::uint64_t> generations;  // grow with every change of limits, and of a workload of the queue

  std::map<Node, StopPolicy> stops;                             // where it was ever changed
  std::map<std::pair<Node, std::uint32_t>, StopPolicy> locals;  // stop policies of LocalQueues, likewise
  std::set<Node> unheard;  // queues of which a workload of a stopped LocalQueue left, and nobody was told

  PendingQueue& pending_of(Node queue);
  std::uint64_t generation(Node queue) const;
  bool runs(const WorkloadSpec& spec) const;  // its LocalQueue is not stopped
  void ask(WorkloadId id);                    // pending anew
  void start_local(Node queue, std::uint32_t local);
  void hold_local(Node queue, std::uint32_t local);
  void leave(WorkloadId id);        // what it holds is free again
  void update_tree_of(Node queue);  // the limits of a queue have changed
  void retry_tree_of(Node queue);   // parked workloads of the queue's tree are tried again
  void evict(WorkloadId id);        // its quota is free again once the victims are released
  void rebase(const std::shared_ptr<const Compiled>& compiled);
  void count_change_below(Node cohort);  // updateCohortResourceNode
  bool any_head() const;
  std::vector<Decision> cycle();
};

struct Model::Impl : ModelState {
  using ModelState::ModelState;
};

}  // namespace gpol::kueue
