// Kueue's admission, executable: one scheduling cycle at a time over a cluster and a set of workloads. It is the judge:
// no refutation is shown that has not happened here. Deterministic. Heads, ordering,
// flavor choice with fungibility, reservation, classical and fair-sharing preemption, requeueing as in kueue.md
// sections 3 and 4 (each rule in the .cpp cites the upstream file). Topology-aware scheduling, admission checks and
// partial admission are not modelled: `supports` says so and names the cause. docs/conformance.md: how it is compared.
//
// Time is the order of calls, in seconds: a submission, a cycle, a timeout take one each. A workload keeps the time at
// which it was submitted, also when it asks again (a Job is suspended and keeps its Workload), but for a timeout. Where
// nothing else is said pods tolerate every taint and are in a namespace that their queue selects: a user can write the
// one, and who may use a queue is judged elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checker/kueue/forest.h"
#include "checker/kueue/rules.h"
#include "compiler/cluster/cluster.h"

namespace gpol::kueue {

using WorkloadId = std::uint32_t;

struct Request {
  std::uint32_t resource = 0;  // into Cluster::resources
  std::int64_t amount = 0;
  friend auto operator<=>(const Request&, const Request&) = default;
};

// Pods of one template; a workload is admitted with all pods of all its podsets or not at all.
struct PodSet {
  std::vector<Request> requests;        // of all its pods together
  std::optional<std::uint32_t> flavor;  // node selector: the node labels of this flavor; none where it has no labels
  std::int64_t count =
      1;  // pods, 0 of a Job with `parallelism: 0`: workloads of other counts are not alike (pending.h)
  std::optional<std::vector<Toleration>> tolerations = {};  // absent: of every taint
  friend bool operator==(const PodSet&, const PodSet&) = default;
};

struct WorkloadSpec {
  std::uint32_t queue = 0;  // into Cluster::queues
  std::int64_t priority = 0;
  std::vector<Request> requests;  // of the first podset, as the next two
  std::optional<std::uint32_t> flavor;
  bool asks_again = false;  // evicted: asks again at once (a controller re-creates its pods)
  std::int64_t count = 1;
  std::vector<PodSet> more = {};  // podsets beyond the first
  std::uint32_t local = 0;        // through which of the queue's LocalQueues it came: any number
  bool namespace_matches = true;  // the queue's namespaceSelector selects the namespace that it is in
  std::optional<std::vector<Toleration>> tolerations = {};  // of the first podset
  std::int64_t boost = 0;  // annotation kueue.x-k8s.io/priority-boost: heeded with gate PriorityBoost only

  std::vector<PodSet> podsets() const;  // all of them
};

enum class WorkloadState : std::uint8_t { Pending, Admitted, Evicting, Gone };

// What one cycle did, in the order in which it was done.
struct Decision {
  enum class Kind : std::uint8_t { Admitted, Preempting, Reserving, Skipped, Inadmissible } kind = Kind::Inadmissible;
  WorkloadId workload = 0;
  std::optional<std::uint32_t> flavor;
  std::vector<WorkloadId> victims;
  std::string why;  // for stories: "borrows 8", "would borrow cpu", ...
};

// What thousands of models of one cluster share: its shape, and its limits per mode and (flavor, resource), worked out
// when first needed. The cluster must outlive it.
class Compiled;
std::shared_ptr<const Compiled> compile(const Cluster& cluster);

class Model {
 public:
  // `mode` indexes Cluster::modes.
  Model(std::shared_ptr<const Compiled> compiled, std::uint32_t mode);

  WorkloadId submit(WorkloadSpec spec);  // created now: later submissions are newer; as counted.h has it
  void finish(WorkloadId id);            // leaves for good, quota released
  void release_victims();                // every eviction completes; those that ask again are pending anew
  void switch_mode(std::uint32_t mode);  // limits change; nobody is evicted (kueue.md 3.6)
  // The object of a queue changes to that of another cluster, which is as this one else: limits, settings, flavors
  // taken off, its cohort. Usage stays as it is, and nobody is evicted (kueue.md 3.6).
  void edit(std::shared_ptr<const Compiled> compiled, std::uint32_t queue);
  // The same for the object of a cohort, which may be new, gone, or below another parent now.
  void edit_cohort(std::shared_ptr<const Compiled> compiled, const std::string& cohort);
  // From now on the queue has this stop policy instead of its own (None: it runs). Hold keeps what is admitted, and
  // nobody can evict it (kueue.md 3.5); HoldAndDrain evicts it.
  void stop(std::uint32_t queue, StopPolicy policy);
  // The same for one of its LocalQueues: only what came through that one is out of scheduling, and what of it is
  // admitted can be evicted as before.
  void stop_local(std::uint32_t queue, std::uint32_t local, StopPolicy policy);
  // The object of a flavor goes or comes back. A queue that names one without an object is inactive, as on Hold.
  void set_flavor(std::uint32_t flavor, bool exists);
  // The pods of what is admitted become ready, or no longer are (waitForPodsReady). Only with blockAdmission does that
  // decide anything: then a cycle admits nothing while a workload that holds quota is not ready. It stops in its
  // middle, and goes on by itself once all are: then this call, or the one that takes the last such workload away, does
  // what is left of the cycle. A workload that is admitted is not ready.
  void set_ready(WorkloadId id, bool ready);
  void set_all_ready();          // once for each that is admitted now
  bool waiting() const;          // a cycle has stopped in its middle
  void time_out(WorkloadId id);  // waitForPodsReady's timeout evicts it, where it is admitted
  // All pods of a podset have ended, where the workload is admitted: it uses nothing for them any more, keeps the
  // flavors that they were assigned, and asks for all of them again when it is evicted (gate ReclaimablePods).
  void end_podset(WorkloadId id, std::uint32_t podset);
  void elapse(std::uint64_t seconds);
  // One scheduling cycle; what it has done so far where it waits; nothing while one does.
  std::vector<Decision> cycle();
  // Cycles, releasing victims after each and letting pods become ready, until nothing can change any more or `limit`
  // cycles have passed (a loop of evictions that never ends counts as not settled). Returns whether it settled.
  bool settle(int limit = 64);

  // Somewhere on the way upstream's choice was arbitrary, and this model's is one of several.
  bool arbitrary() const;
  WorkloadState state(WorkloadId id) const;
  const WorkloadSpec& spec(WorkloadId id) const;
  std::optional<std::uint32_t> flavor_of(WorkloadId id) const;  // of an admitted workload
  struct Use {
    std::uint32_t podset = 0, flavor = 0, resource = 0;
    std::int64_t amount = 0;
  };
  std::vector<Use> held(WorkloadId id) const;   // by an admitted workload; a request of 0 names its flavor, too
  bool parked(WorkloadId id) const;             // pending, and set aside until something changes
  bool out_of_scheduling(WorkloadId id) const;  // pending, and in no queue: its LocalQueue is stopped
  std::int64_t usage(std::uint32_t queue, std::uint32_t flavor, std::uint32_t resource) const;
  std::int64_t available(std::uint32_t queue, std::uint32_t flavor, std::uint32_t resource) const;  // >= 0
  bool active(std::uint32_t queue) const;  // neither stopped, nor without a flavor, nor below a circle of cohorts

  // For tests of the model itself: the same state without one rule; and on another cluster, as if it had been so from
  // the beginning (edit changes what is remembered, too).
  Model without(Rule rule) const;
  Model on(std::shared_ptr<const Compiled> compiled) const;

  ~Model();
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Empty when the model covers everything in the cluster that could matter; else what it does not cover.
std::string supports(const Cluster& cluster);

// The switches of the whole scheduler that the model plays but on which no proof about what the scheduler does rests:
// empty when all have their defaults. Proofs from quota arithmetic alone (kueue.md 2) hold whatever they are.
std::string unproven_switches(const Cluster& cluster);

// Feature gates that switch on what the model leaves out, in words; empty: none does.
std::string gates_left_out(const KueueConfig& config);

}  // namespace gpol::kueue
