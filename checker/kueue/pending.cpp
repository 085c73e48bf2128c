#include "checker/kueue/pending.h"

#include <algorithm>

#include "checker/planted.h"

namespace gpol::kueue {

namespace {

// Pods are alike by what they select: the first flavor with these node labels; none where it has none.
std::optional<std::uint32_t> selected(const std::vector<Flavor>& flavors, std::optional<std::uint32_t> flavor) {
  if (!flavor || flavors[*flavor].node_labels.empty()) return std::nullopt;
  for (std::uint32_t f = 0; f < *flavor; ++f)
    if (flavors[f].node_labels == flavors[*flavor].node_labels) return f;
  return flavor;
}

}  // namespace

PendingQueue::Shape PendingQueue::shape_of(const Workload& workload, const Ledger& rules) {
  std::vector<Alike> podsets;
  for (PodSet podset : workload.asked.podsets()) {
    std::ranges::sort(podset.requests);
    const auto flavor = selected(rules.compiled().cluster().flavors, podset.flavor);
    podsets.emplace_back(std::move(podset.requests), flavor, podset.count, std::move(podset.tolerations));
  }
  return {rules.priority(workload), std::move(podsets)};
}

// PushOrUpdate: of a shape that has just been refused, the next one is not tried either.
void PendingQueue::push(const std::vector<Workload>& workloads, const Ledger& rules, WorkloadId id) {
  listed_ = listed_ || in_flight(id);
  if (in_flight(id)) return;
  const bool refused = strategy_ == QueueingStrategy::BestEffortFIFO && !parked_shapes_.empty() &&
                       parked_shapes_.contains(shape_of(workloads[id], rules));
  (refused ? parked_ : waiting_).insert(id);
}

// AddFromLocalQueue.
void PendingQueue::push_untried(WorkloadId id) {
  listed_ = listed_ || in_flight(id);
  if (!in_flight(id)) waiting_.insert(id);
}

// baseCompareFunc: the sticky one, then higher priority, then older.
std::optional<WorkloadId> PendingQueue::pop(const std::vector<Workload>& workloads, const Ledger& rules) {
  retried_ = listed_ = false;
  inflight_.reset();
  if (waiting_.empty()) return std::nullopt;
  const auto key = [&](WorkloadId id) {
    return std::tuple(!(rules.holds(Rule::StickyPreemptor) && sticky_ == id),
                      rules.holds(Rule::HeadPriority) ? -rules.priority(workloads[id]) : 0,
                      rules.queue_time(workloads[id]), id);
  };
  const auto head = std::ranges::min_element(waiting_, [&](WorkloadId a, WorkloadId b) { return key(a) < key(b); });
  const WorkloadId id = *head;
  waiting_.erase(head);
  inflight_ = id;
  return id;
}

// RequeueIfNotPresent and requeueIfNotPresent.
bool PendingQueue::requeue(const std::vector<Workload>& workloads, const Ledger& rules, WorkloadId id, Requeue reason) {
  const bool best_effort = strategy_ == QueueingStrategy::BestEffortFIFO;
  if (inflight_ == id) inflight_.reset();
  if (planted(Bug::ModelStrictHeadParks) && reason == Requeue::NoFit) {
    parked_.insert(id);
    return true;
  }
  if (reason == Requeue::AwaitsVictims) {
    preemptor_ = id;
    sticky_ = best_effort ? preemptor_ : std::nullopt;
  }
  // Its LocalQueue was stopped and started until it was listed anew, while the cycle waited: that one stays, where it
  // is in the heap, also if it is the sticky one by now.
  if (waiting_.contains(id)) return sticky_ != id || waiting_.size() == 1;
  if (reason == Requeue::NamespaceMismatch && !retried_ && rules.holds(Rule::MismatchStepsAside)) {
    parked_.insert(id);  // StrictFIFO, too: it does not block those behind it
    return true;
  }
  const bool refused = reason == Requeue::NoFit || reason == Requeue::NoCandidates;
  const auto& progress = workloads[id].progress;
  if (!best_effort || !refused || retried_ || (progress && progress->pending_flavors())) {
    waiting_.insert(id);
    return true;
  }
  parked_.insert(id);
  if (!rules.holds(Rule::EqualShapesParked)) return true;
  const Shape shape = shape_of(workloads[id], rules);
  for (auto it = waiting_.begin(); it != waiting_.end();) {  // handleInadmissibleHash
    const WorkloadId other = *it++;
    if (shape_of(workloads[other], rules) != shape) continue;
    waiting_.erase(other);
    parked_.insert(other);
  }
  parked_shapes_.insert(shape);
  return true;
}

// inadmissible_workloads.go queueInadmissibleWorkloads: those whose namespace the queue does not select stay.
void PendingQueue::retry_all(const std::vector<Workload>& workloads) {
  retried_ = true;
  for (auto it = parked_.begin(); it != parked_.end();) {
    const auto at = it++;
    if (workloads[*at].spec.namespace_matches) waiting_.insert(parked_.extract(at));
  }
  parked_shapes_.clear();
}

void PendingQueue::forget(WorkloadId id) {
  if (inflight_ == id) inflight_.reset();
  waiting_.erase(id);
  parked_.erase(id);
  if (preemptor_ == id) preemptor_.reset();
  if (sticky_ == id) sticky_.reset();
}

}  // namespace gpol::kueue
