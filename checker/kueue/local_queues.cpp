// LocalQueues under a stop policy (kueue.md 3.5; pkg/controller/core/localqueue_controller.go Update,
// pkg/cache/queue/manager.go AddLocalQueue and DeleteLocalQueue, core/workload_controller.go
// reconcileOnLocalQueueActiveState). The ClusterQueue hears nothing of it: it stays active, and whoever may evict from
// it evicts.
#include "checker/kueue/model_impl.h"

namespace gpol::kueue {

bool ModelState::runs(const WorkloadSpec& spec) const {
  const auto found = locals.find({spec.queue, spec.local});
  return found == locals.end() || found->second == StopPolicy::None;
}

bool ModelState::drained(const WorkloadSpec& spec) const {
  const auto queue = stops.find(spec.queue);
  const auto local = locals.find({spec.queue, spec.local});
  return (queue != stops.end() && queue->second == StopPolicy::HoldAndDrain) ||
         (local != locals.end() && local->second == StopPolicy::HoldAndDrain);
}

// A LocalQueue that runs again is a new one to the queues: all that is pending of it is tried, even what asks the same
// as what has just been refused, and nothing is known of earlier tries.
void ModelState::start_local(Node queue, std::uint32_t local) {
  for (WorkloadId id = 0; id < workloads.size(); ++id) {
    Workload& workload = workloads[id];
    if (workload.state != WorkloadState::Pending || workload.spec.queue != queue || workload.spec.local != local)
      continue;
    if (!pending_of(queue).in_flight(id)) workload.progress.reset();
    pending_of(queue).push_untried(id);
  }
}

void ModelState::hold_local(Node queue, std::uint32_t local) {
  for (WorkloadId id = 0; id < workloads.size(); ++id) {
    const Workload& workload = workloads[id];
    if (workload.state != WorkloadState::Pending || workload.spec.queue != queue || workload.spec.local != local)
      continue;
    if (pending_of(queue).taken_off(id)) continue;  // by a cycle that waits, or has
    pending_of(queue).forget(id);
  }
}

void Model::stop_local(std::uint32_t queue, std::uint32_t local, StopPolicy policy) {
  const auto [at, fresh] = impl_->locals.try_emplace({queue, local}, StopPolicy::None);
  const StopPolicy before = std::exchange(at->second, policy);
  if (before == policy) return;
  if (policy == StopPolicy::None) return impl_->start_local(queue, local);
  if (before == StopPolicy::None) impl_->hold_local(queue, local);
  if (policy != StopPolicy::HoldAndDrain) return;
  for (WorkloadId id = 0; id < impl_->workloads.size(); ++id) {
    const Workload& workload = impl_->workloads[id];
    if (workload.spec.queue == queue && workload.spec.local == local && workload.state == WorkloadState::Admitted)
      impl_->evict(id);
  }
}

}  // namespace gpol::kueue
