// The state that a scheduling cycle reads and simulates on: who holds what, and the usage of every node that follows.
// A cycle works on a copy, the snapshot (pkg/cache/scheduler/snapshot.go); both are flat, so that a copy is cheap.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "checker/kueue/compiled.h"
#include "checker/kueue/model.h"

namespace gpol::kueue {

// A (flavor, resource).
struct FlavorResource {
  std::uint32_t flavor = 0, resource = 0;
  friend auto operator<=>(const FlavorResource&, const FlavorResource&) = default;
};

struct Amount {
  FlavorResource fr;
  std::int64_t amount = 0;
};
using Amounts = std::vector<Amount>;

// A resource that a podset asks for.
struct Part {
  std::uint32_t podset = 0, resource = 0;
  friend auto operator<=>(const Part&, const Part&) = default;
};

// What a podset was given, and how much of it it uses.
struct Assigned {
  std::uint32_t podset = 0;
  FlavorResource fr;
  std::int64_t amount = 0;
};

// How far the search through the flavors got when the workload was last tried (workload.go
// AssignmentClusterQueueState): the flavor index tried last, -1 once all have been.
struct Progress {
  std::map<Part, int> tried;
  std::uint64_t generation = 0, cycle = 0;
  bool pending_flavors() const;
};

// Why a workload was evicted, where that moves its place in the queue (Ledger::queue_time).
enum class Eviction : std::uint8_t { Other, PodsReadyTimeout, ReclaimWhileBorrowing };

struct Workload {
  WorkloadSpec spec;   // as counted
  WorkloadSpec asked;  // as submitted
  WorkloadState state = WorkloadState::Pending;
  std::uint64_t created = 0;   // in seconds, as the next two
  std::uint64_t reserved = 0;  // when it was admitted
  struct Evicted {
    Eviction why = Eviction::Other;
    std::uint64_t at = 0;
  };
  std::optional<Evicted> evicted;  // since it was last admitted
  bool ready = false;              // admitted, and its pods are ready
  bool ready_told = false;         // and its status says whether they are
  Amounts held;  // what it uses while Admitted or Evicting, of every (flavor, resource) once; may be 0
  std::vector<Assigned> assigned;  // the same by podset
  std::set<std::uint32_t> ended;   // podsets of which all pods have ended since it was admitted
  std::optional<Progress> progress;
};

// A workload and the queue it is listed at.
struct HeldAt {
  Node queue = 0;
  WorkloadId id = 0;
};

class Ledger {
 public:
  Ledger(std::shared_ptr<const Compiled> compiled, std::uint32_t mode);

  const Compiled& compiled() const { return *compiled_; }
  const Shape& shape() const { return compiled_->shape(); }
  std::uint32_t mode() const { return mode_; }
  const Queue& queue(Node q) const { return compiled_->cluster().queues[q]; }
  const Limits& limits(FlavorResource fr) const;
  int height(Node cohort) const { return (*heights_)[cohort]; }
  bool active(Node q) const;  // not stopped, and every flavor that it names exists
  void set_active(Node q, bool active);
  void set_exists(std::uint32_t flavor, bool exists);
  bool misses_a_flavor(Node q) const;
  bool scheduled(Node q) const;  // active, as far as the rules hold

  std::int64_t used(Node node, FlavorResource fr) const;
  std::int64_t available(Node queue, FlavorResource fr) const;  // >= 0: Available of a ClusterQueue
  std::int64_t local_available(Node node, FlavorResource fr) const;
  bool borrowing_with(Node node, FlavorResource fr, std::int64_t amount) const;  // SQ < U + amount

  void add(Node queue, FlavorResource fr, std::int64_t amount);
  void remove(Node queue, FlavorResource fr, std::int64_t amount) { add(queue, fr, -amount); }
  void lower(Node queue, FlavorResource fr, std::int64_t amount) { usage_[fr].lower(queue, amount); }
  void hold(WorkloadId id, const Workload& workload);     // counts its usage and lists it at its queue
  void release(WorkloadId id, const Workload& workload);  // the reverse
  void count(const Workload& workload);                   // usage alone
  void discount(const Workload& workload);

  // What is listed, in order of queue and, at each, of when it came.
  std::span<const HeldAt> holders() const { return holders_; }

  // A choice among equals was made which upstream leaves to chance; remembered by this copy.
  void note_arbitrary() { arbitrary_ = true; }
  bool arbitrary() const { return arbitrary_; }

  bool holds(Rule rule) const {
    return (((off_ | compiled_->gates().rules_off()) >> static_cast<unsigned>(rule)) & 1U) == 0;
  }
  bool on(Gate gate) const { return compiled_->gates().on(gate); }
  std::int64_t priority(const Workload& workload) const;     // with its boost
  std::uint64_t queue_time(const Workload& workload) const;  // orders workloads of equal priority
  void switch_off(Rule rule) { off_ |= std::uint64_t{1} << static_cast<unsigned>(rule); }
  const std::shared_ptr<const Compiled>& shared() const { return compiled_; }
  // Another cluster with the same names; usage is counted anew.
  void rebase(std::shared_ptr<const Compiled> compiled, const std::vector<Workload>& workloads) {
    compiled_ = std::move(compiled);
    measure_heights();
    switch_mode(mode_, workloads);
  }

  // The limits of another mode; usage is counted anew from the queues up (updateCohortTreeResources).
  void switch_mode(std::uint32_t mode, const std::vector<Workload>& workloads);

 private:
  bool started(Node q) const;
  void measure_heights();

  std::shared_ptr<const Compiled> compiled_;
  std::uint32_t mode_;
  std::shared_ptr<const std::vector<int>> heights_;
  std::map<Node, bool> stopped_or_started_;  // where it differs from the cluster
  std::set<std::uint32_t> missing_;          // flavors whose object is gone
  mutable std::map<FlavorResource, const Limits*> limits_;
  std::map<FlavorResource, Usage> usage_;
  std::vector<HeldAt> holders_;
  bool arbitrary_ = false;
  std::uint64_t off_ = 0;  // rules that do not hold
};

}  // namespace gpol::kueue
