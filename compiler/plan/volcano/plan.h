// Policy to Volcano's Queues, scheduler configuration and guards: layout H of docs/volcano.md. In: a policy whose
// scheduler is Volcano. Out: the plan.
#pragma once

#include "compiler/cluster/guard_parts.h"
#include "compiler/cluster/intent.h"

namespace gpol::volcano {

Planned plan(const Policy& policy, const PlanInputs& inputs);

// Queue, whose PodGroups name it, and on the nodes of which pool they stand: one for each tenant, which has one pool.
struct Place {
  std::uint32_t tenant = 0, pool = 0;  // into Policy::tenants, Policy::pools
  std::string queue;
};
std::vector<Place> places_of(const Policy& policy);
// The queue above all of the policy's, and the one above those of batch.
std::string top_queue(const Policy& policy);
std::string batch_queue(const Policy& policy);

void plan_guards(const Policy& policy, Planned& out);

// What Volcano is installed with; and a configuration with what the proof needs: `capacity` with `enableHierarchy`, and
// neither `proportion` nor `overcommit` nor the action `enqueue`. All else of it stays as it is.
SchedulerConfig installed_scheduler();
SchedulerConfig with_limits(SchedulerConfig config);

}  // namespace gpol::volcano
