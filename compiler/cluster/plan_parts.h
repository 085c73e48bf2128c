// The parts of plan(), shared by its files and used by nobody else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/cluster/intent.h"
#include "compiler/policy/modes.h"
#include "compiler/policy/policy.h"

namespace gpol {

// What the allows let flow in one set of windows: per allow of the policy, whether it is in force.
struct PlannedMode {
  std::string name;  // "default", "night", "night-and-weekend"
  WindowSet windows;
};

// A PriorityClass for pods that are queued, for clusters whose default is not 0.
inline constexpr const char* kQueuedPods = "gpol-queued";

// The ResourceQuota of a namespace whose Jobs are bounded.
inline constexpr const char* kJobQuota = "gpol-jobs";

// What every part of plan() reads: the policy, its modes (the base first; resolve() has refused policies with too many,
// GP0308) and, per tenant, the allows in which it borrows or lends.
struct PlanContext {
  explicit PlanContext(const Policy& from);
  const Policy& policy;
  std::vector<PlannedMode> modes;
  std::vector<std::vector<const Allow*>> borrows, lends;  // by tenant
};

using Allows = std::vector<const Allow*>;

// The resources that quotas on these pools cover, as ids: cpu, memory and pods, and the GPUs or slices that are there.
std::vector<std::uint32_t> covered_on(const Policy& policy, const std::vector<std::uint32_t>& pools);
// Amounts by id.
std::vector<std::int64_t> by_id(const Policy& policy, const Resources& amounts);

// What a node of a pool has for pods: its GPUs, or the slices that they are cut into, with cpu, memory and pods beside
// them; what daemons take left out.
Resources room_of_node(const Policy& policy, const Pool& pool);

// What these allows let flow from or to one pool, per resource: in one mode, and the largest over all modes.
Resources flow(const Allows& allows, std::uint32_t pool, const PlannedMode& mode);
Resources widest_flow(const Allows& allows, std::uint32_t pool, const std::vector<PlannedMode>& modes);

// The largest number of replicas in a demand within the reserve: each may need victims of its own (W of design
// section 2). An upper bound for every mix, since a demand has no smaller shape than the one declared. Nothing: a
// replica of nothing.
std::optional<std::int64_t> replicas_within(const Resources& replica, const Resources& reserve);

// Resources, pools and their nodes; namespaces. Of whatever scheduler.
void plan_pools(const Policy& policy, Planned& out);
void plan_namespaces(const Policy& policy, Planned& out);
// What the nodes of each pool have, and what the policy states and trusts. Of whatever scheduler.
void plan_capacities(const Policy& policy, Intent& intent);
void plan_terms(const Policy& policy, Intent& intent);

void plan_serving_queue(const PlanContext& context, std::uint32_t tenant, const PoolAmount& reserve, bool several,
                        Planned& out);
void plan_batch_queue(const PlanContext& context, std::uint32_t tenant, Planned& out);
void finish_modes(const PlanContext& context, Planned& out);
void plan_guards(const PlanContext& context, Planned& out);
void plan_tenant_guards(const Policy& policy, Planned& out);
// That pods of these namespaces of batch have no more of a node than they asked for.
void plan_contained(const std::vector<std::string>& batch, Span span, Planned& out);
// That Kueue's count of a queued Job or pod stays that of what runs of it, in these namespaces.
void plan_counted_guards(const Policy& policy, const std::vector<std::string>& namespaces, Planned& out);
// Of the tenants that are meant, sorted.
template <class Meant>
std::vector<std::string> namespaces_of(const Policy& policy, Meant meant) {
  std::vector<std::string> all;
  for (const Tenant& tenant : policy.tenants)
    if (meant(tenant, policy.classes[tenant.latency_class]))
      all.insert(all.end(), tenant.namespaces.begin(), tenant.namespaces.end());
  std::ranges::sort(all);
  return all;
}
// Of batch: those that hold at most so many Jobs, sorted.
std::vector<std::string> bounded_namespaces(const Policy& policy);
// The namespaces of every tenant, and of those that queue, sorted; and those of whoever runs the cluster, none of which
// is a tenant's.
std::vector<std::string> tenant_namespaces(const Policy& policy);
std::vector<std::string> queued_namespaces(const Policy& policy);
std::set<std::string> exempt_namespaces(const Policy& policy);
void plan_access(const Policy& policy, Planned& out);
void plan_intent(const PlanContext& context, Planned& out);
Planned plan_kueue(const Policy& policy, const PlanInputs& inputs);
// How GPUs are cut: configurations, the nodes that take them, and what must hold of them.
void plan_partition(const Policy& policy, const PlanInputs& inputs, Planned& out);
// What gateways let in: BackendTrafficPolicies, and what must hold of them.
void plan_gateway(const Policy& policy, Planned& out);
// For tenants outside the queue that preempt: a PriorityClass for each of their classes, and guards that their pods
// have its priority.
void plan_preemptors(const PlanContext& context, Planned& out);
// Of a class's workloads and, outside the queue, of its pods.
std::int64_t priority_value(Isolation isolation);
std::string isolation_letter(Isolation isolation);

}  // namespace gpol
