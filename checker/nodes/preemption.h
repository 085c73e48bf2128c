// What kube-scheduler does for a pod that fits nowhere, executable: it is the judge of the stories about serving
// outside the queue. In: nodes, pods with priorities, what happens to them one event after another. Out: where a pod is
// bound or nominated, and who is evicted for it.
//
// Kubernetes v1.36, pkg/scheduler:
//   schedule_one.go: one pod at a time; the nominated node first, then all; a failed cycle nominates before the next
//   one
//     begins (handleSchedulingFailure), and a bound pod is nominated no longer (assume).
//   framework/runtime/framework.go RunFilterPluginsWithNominatedPods: pods of equal or higher priority that are
//     nominated to a node count as standing there, and the pod must fit with them and without them.
//   framework/plugins/defaultpreemption/default_preemption.go: who may preempt (PodEligibleToPreemptOthers: not with
//     preemptionPolicy Never, and not while pods that kube-scheduler itself evicted still end on the nominated node;
//     one that others deleted does not count), victims of a node (SelectVictimsOnNode: all of lower priority are taken
//     away, then put back where the pod still fits: first those whose disruption budget would be violated, then the
//     others, each by priority and the longest running first).
//   framework/preemption/preemption.go: nodes that a taint or a selector closes, or that are too small, are no
//     candidates; pickOneNodeForPreemption chooses; no candidate: the nomination is cleared.
//   framework/preemption/executor.go: victims are deleted with their own grace; those that end already are let be;
//     pods of lower priority lose their nomination to the node.
//   framework/plugins/queuesort/priority_sort.go: by priority, then by the time of entering the queue.
// Of the filters those of placement_model.h. Not modelled: a pod's affinities, extenders, pod groups, back-off (a pod
// that failed may be tried up to 10 s after others: who is tried next is up to the caller).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "checker/nodes/placement_model.h"

namespace gpol::nodes {

struct PodSpec {
  Pod pod;
  std::int64_t priority = 0;
  bool preempts = true;       // preemptionPolicy PreemptLowerPriority; else Never
  bool budget_spent = false;  // a PodDisruptionBudget matches it that allows no disruption: best effort only
};

struct Candidate {
  std::uint32_t node = 0;
  std::vector<std::uint32_t> victims;  // pods, the most important first
  std::int64_t violations = 0;         // of disruption budgets, among them
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

// What one scheduling cycle of a pod came to.
struct Cycle {
  enum class Kind : std::uint8_t {
    Bound,      // to `node`
    Nominated,  // to `node`: `evicted` are deleted for it
    Waits,      // it may not preempt (again), and keeps its nomination
    Hopeless    // evicting helps nowhere, and it is nominated no longer
  } kind = Kind::Hopeless;
  std::uint32_t node = 0;
  std::vector<std::uint32_t> evicted;  // those that did not end already
};

class PreemptionModel {
 public:
  enum class State : std::uint8_t { Pending, Bound, Ending, Gone };

  explicit PreemptionModel(const Cluster& cluster);  // `cluster` must outlive this

  std::uint32_t add_nodes(std::uint32_t pool, std::int64_t count, const Amounts& allocatable);
  void lose(std::uint32_t node);  // with all pods on it

  std::uint32_t create(PodSpec spec);  // a pod that waits for its first cycle
  // A state to begin with: it stands there. False, and nothing happens, where it does not fit.
  bool bind(std::uint32_t pod, std::uint32_t node);

  // One cycle of a pending pod. Where several nodes would do (to stand on; to evict from, equal by all that
  // pickOneNodeForPreemption looks at), `choose` says which of them; the first without it.
  using Choice = std::function<std::uint32_t(const std::vector<std::uint32_t>&)>;
  Cycle cycle(std::uint32_t pod, const Choice& choose = {});
  // Whose turn it is, if none is in back-off.
  std::optional<std::uint32_t> next() const;

  void remove(std::uint32_t pod);  // somebody else deletes it: it ends with its grace (pending: at once)
  void end(std::uint32_t pod);     // its grace is over, or it is done

  State state(std::uint32_t pod) const { return pods_.at(pod).state; }
  std::uint32_t node_of(std::uint32_t pod) const { return pods_.at(pod).node; }
  std::optional<std::uint32_t> nominated(std::uint32_t pod) const { return pods_.at(pod).nominated; }
  bool evicted(std::uint32_t pod) const { return pods_.at(pod).evicted; }  // by kube-scheduler
  std::int64_t started(std::uint32_t pod) const { return pods_.at(pod).started; }
  const PodSpec& spec(std::uint32_t pod) const { return pods_.at(pod).spec; }
  std::uint32_t pods() const { return static_cast<std::uint32_t>(pods_.size()); }
  std::uint32_t nodes() const { return placement_.size(); }

  std::vector<std::uint32_t> feasible(std::uint32_t pod) const;
  std::vector<Candidate> candidates(std::uint32_t pod) const;
  // The best of them, and those that are as good.
  std::vector<Candidate> best(std::vector<Candidate> candidates) const;

 private:
  struct Known {
    PodSpec spec;
    State state = State::Pending;
    std::uint32_t node = 0;
    bool evicted = false;  // by kube-scheduler: the reason of its DisruptionTarget condition
    std::optional<std::uint32_t> nominated;
    std::int64_t queued = 0, started = 0;  // in order of the events
  };
  bool stands(const Known& pod) const { return pod.state == State::Bound || pod.state == State::Ending; }
  bool fits(const PlacementModel& on, std::uint32_t node, std::uint32_t pod) const;
  bool may_preempt(std::uint32_t pod) const;
  std::optional<Candidate> candidate(std::uint32_t node, std::uint32_t pod) const;

  PlacementModel placement_;
  std::vector<Known> pods_;
  std::int64_t now_ = 0;
};

}  // namespace gpol::nodes
