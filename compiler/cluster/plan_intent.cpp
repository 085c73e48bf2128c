// What must hold of the planned cluster: deadlines, what allows permit, what the nodes surely have, what batch may do.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "compiler/cluster/plan_parts.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"

namespace gpol {

std::optional<std::int64_t> replicas_within(const Resources& replica, const Resources& reserve) {
  std::optional<std::int64_t> most;
  for (const auto& [resource, asked] : replica)
    if (asked > 0)
      if (const auto fit = reserve[resource] / asked; !most || fit < *most) most = fit;
  return most;
}

namespace {

void keep_tighter(std::optional<TimeConstant>& kept, const TimeConstant& other) {
  if (!kept || other.value < kept->value) kept = other;
}
void keep_longer(std::optional<TimeConstant>& kept, const TimeConstant& other) {
  if (!kept || other.value > kept->value) kept = other;
}

// The `prove X never holds Y` that forbids what an allow lets flow; null: none does.
const ProveHolds* never_held(const Policy& policy, const Allow& allow) {
  const auto holder = policy.tenants[allow.borrower].latency_class, held = policy.tenants[allow.lender].latency_class;
  for (const ProveHolds& prove : policy.prove_holds)
    if (prove.holder == holder && prove.held == held) return &prove;
  return nullptr;
}

void serving_role(const PlanContext& context, const Queue& queue, QueueRole& role) {
  const Policy& policy = context.policy;
  const Tenant& tenant = policy.tenants[role.policy_tenant];
  const LatencyClass& c = policy.classes[tenant.latency_class];
  const std::uint32_t pool = queue.groups.front().flavors.front().flavor;
  Allows permitting;
  for (const auto* allow : context.lends[role.policy_tenant]) {
    const ProveHolds* forbids = never_held(policy, *allow);
    if (forbids == nullptr) permitting.push_back(allow);
    if (allow->pool != pool) continue;
    if (forbids != nullptr) role.never_held_span = forbids->span;
    role.allow_spans.push_back(allow->span);
    if (allow->back_within) {
      role.backs.push_back(*allow->back_within);
      keep_tighter(role.back_within, *allow->back_within);
      role.back_span = role.back_within->span;
    }
  }
  const Resources permitted = widest_flow(permitting, pool, context.modes);
  for (const std::uint32_t id : queue.groups.front().covered)
    role.permitted.push_back(permitted[static_cast<Resource>(id)]);
  if (c.ready_within) role.deadlines.push_back(*c.ready_within);
  for (const auto& prove : policy.prove_ready)
    if (prove.latency_class == tenant.latency_class) role.deadlines.push_back(prove.within);
  for (const TimeConstant& stated : role.deadlines) keep_tighter(role.deadline, stated);
  if (role.deadline) role.deadline_span = role.deadline->span;
  role.start = tenant.start;
  for (const PoolAmount& reserve : tenant.reserves)
    if (reserve.pool == pool && reserve.replica) {
      role.replica = by_id(policy, *reserve.replica);
      role.victims_in_turn = replicas_within(*reserve.replica, reserve.amount);
    }
}

std::vector<std::int64_t> devices(const Policy& policy, const Pool& pool, std::int64_t nodes) {
  std::vector<std::int64_t> sum = by_id(policy, room_of_node(policy, pool));
  for (std::int64_t& amount : sum) amount *= std::max<std::int64_t>(0, nodes);
  return sum;
}

// The queue of a tenant on a pool: a serving tenant may have one for each.
using QueueOn = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;
QueueOn queues_by_pool(const Planned& out) {
  QueueOn queues;
  for (std::uint32_t q = 0; q < out.cluster.queues.size(); ++q)
    for (const auto& group : out.cluster.queues[q].groups)
      for (const auto& row : group.flavors) queues[{out.intent.roles[q].policy_tenant, row.flavor}] = q;
  return queues;
}

void plan_job_limits(const Policy& policy, Planned& out) {
  for (const Tenant& tenant : policy.tenants)
    for (const std::string& ns : tenant.namespaces) {
      if (!tenant.jobs_at_most) continue;
      out.intent.job_limits.push_back({ns, tenant.name, *tenant.jobs_at_most, tenant.jobs_span});
      out.cluster.resource_quotas.push_back({ns, kJobQuota, {{kCountOfJobs, *tenant.jobs_at_most}}});
    }
}

void plan_outside(const Policy& policy, Intent& intent) {
  for (const Tenant& tenant : policy.tenants) {
    if (!tenant.outside) continue;
    const LatencyClass& c = policy.classes[tenant.latency_class];
    for (const PoolAmount& reserve : tenant.reserves) {
      OutsideReserve made;
      made.tenant = tenant.name;
      made.isolation = c.isolation;
      made.namespaces = tenant.namespaces;
      made.flavor = reserve.pool;
      made.reserve = by_id(policy, reserve.amount);
      if (reserve.replica) made.replica = by_id(policy, *reserve.replica);
      if (c.ready_within) made.deadline = c.ready_within;
      for (const auto& prove : policy.prove_ready)
        if (prove.latency_class == tenant.latency_class) keep_tighter(made.deadline, prove.within);
      made.start = tenant.start;
      made.grace = c.grace;
      made.kill_margin = c.kill_margin;
      if (tenant.preempts) made.preempts_at = priority_value(c.isolation);
      made.name_span = tenant.span;
      made.reserve_span = reserve.span;
      made.class_span = tenant.class_span;
      made.outside_span = *tenant.outside;
      intent.outside.push_back(std::move(made));
    }
  }
}

void plan_allows(const PlanContext& context, Planned& out) {
  const Policy& policy = context.policy;
  const QueueOn queues = policy.allows.empty() ? QueueOn{} : queues_by_pool(out);
  for (const Allow& allow : policy.allows) {
    const auto borrower = queues.find({allow.borrower, allow.pool}), lender = queues.find({allow.lender, allow.pool});
    if (borrower == queues.end() || lender == queues.end()) continue;
    PlannedAllow planned{borrower->second, lender->second, allow.pool, {}, allow.span};
    for (std::uint32_t m = 0; m < context.modes.size(); ++m)
      if (allow.window == kNone || contains(context.modes[m].windows, allow.window)) planned.modes.push_back(m);
    out.intent.allows.push_back(std::move(planned));
  }
}

void plan_proves(const Policy& policy, Intent& intent) {
  std::vector<bool> inhabited(policy.classes.size());
  for (const Tenant& tenant : policy.tenants) inhabited[tenant.latency_class] = true;
  const auto nobody = [&](std::initializer_list<std::uint32_t> classes) -> std::string {
    for (const std::uint32_t c : classes)
      if (!inhabited[c]) return policy.classes[c].name;
    return {};
  };
  for (const ProveHolds& prove : policy.prove_holds)
    intent.proves.push_back(
        {"prove " + policy.classes[prove.holder].name + " never holds " + policy.classes[prove.held].name,
         nobody({prove.holder, prove.held}), prove.span});
  for (const ProveReady& prove : policy.prove_ready)
    intent.proves.push_back({"prove " + policy.classes[prove.latency_class].name + " ready within ...",
                             nobody({prove.latency_class}), prove.within.span});
}

}  // namespace

Resources room_of_node(const Policy& policy, const Pool& pool) {
  const NodeGroup& group = policy.groups[pool.group];
  Resources room = group.each;
  room -= group.daemons;
  if (pool.partition.layout.empty()) return room;
  const std::int64_t devices = std::exchange(room[Resource::Gpu], 0);
  if (pool.partition.counted) return room;  // its kinds of nodes say (plan_partition.cpp)
  for (const Slices& slices : pool.partition.layout)
    for (std::size_t row = kCommonResources; row < policy.resources.size(); ++row)
      if (policy.resources[row].profile == slices.profile)
        room[static_cast<Resource>(row)] = times(devices, slices.count);
  return room;
}

std::vector<std::string> bounded_namespaces(const Policy& policy) {
  return namespaces_of(policy, [](const Tenant& t, const LatencyClass&) { return t.jobs_at_most.has_value(); });
}

void plan_capacities(const Policy& policy, Intent& intent) {
  for (std::uint32_t p = 0; p < policy.pools.size(); ++p) {
    const Pool& pool = policy.pools[p];
    const NodeGroup& group = policy.groups[pool.group];
    PoolCapacity capacity;
    capacity.flavor = p;
    // Any k nodes of the group may be lost, so each of its pools may lose all k.
    capacity.surely = devices(policy, pool, pool.nodes_min - group.tolerate_lost);
    capacity.at_most = devices(policy, pool, pool.nodes_max);
    capacity.span = pool.span;
    capacity.nodes = p;
    capacity.of_one = devices(policy, pool, 1);
    capacity.nodes_min = pool.nodes_min;
    capacity.nodes_max = pool.nodes_max;
    capacity.lost = group.tolerate_lost;
    capacity.spot = group.spot_notice.has_value();
    capacity.notice = group.spot_notice.value_or(0);
    intent.capacities.push_back(std::move(capacity));
  }

  for (const auto& tenant : policy.tenants)
    for (const auto& reserve : tenant.reserves) {
      PoolCapacity& capacity = intent.capacities[reserve.pool];
      capacity.has_serving = true;
      if (!tenant.outside) continue;  // else it is no quota: what is left for quotas is less by it
      for (const auto& [resource, amount] : reserve.amount) {
        capacity.surely[static_cast<std::size_t>(resource)] -= amount;
        capacity.at_most[static_cast<std::size_t>(resource)] -= amount;
      }
    }
}

void plan_terms(const Policy& policy, Intent& intent) {
  BatchTimes& batch = intent.batch;
  batch.round = policy.round;
  batch.release_reaction = policy.release;
  batch.only_jobs = batch.only_pods = true;
  bool grace_known = true, margin_known = true;
  std::set<std::uint32_t> in_use;
  for (const Tenant& tenant : policy.tenants) in_use.insert(tenant.latency_class);
  for (std::uint32_t index = 0; index < policy.classes.size(); ++index) {
    const LatencyClass& c = policy.classes[index];
    if (c.isolation != Isolation::C || !in_use.contains(index)) continue;
    batch.only_jobs = batch.only_jobs && c.runs == std::vector{JobKind::Job};
    batch.only_pods = batch.only_pods && c.runs == std::vector{JobKind::Pod};
    if (c.runs != std::vector{JobKind::Job}) batch.other_than_jobs = c.span;
    if (c.grace)
      keep_longer(batch.grace, *c.grace);
    else
      grace_known = false, batch.no_grace = c.span;
    if (c.kill_margin)
      keep_longer(batch.kill_margin, *c.kill_margin);
    else
      margin_known = false, batch.no_kill_margin = c.span;
  }
  // One class without a stated grace leaves the longest grace unknown: never a default.
  if (!grace_known) batch.grace.reset();
  if (!margin_known) batch.kill_margin.reset();
  plan_proves(policy, intent);
  intent.trusts = policy.trusts;
  intent.writers = policy.writers;
  intent.guards = policy.guards;
  intent.exempt = exempt_namespaces(policy);
  intent.windows = policy.windows;
  intent.planned = policy.planned;
  intent.approvals = policy.approvals;
}

void plan_intent(const PlanContext& context, Planned& out) {
  const Policy& policy = context.policy;
  Intent& intent = out.intent;
  for (std::size_t q = 0; q < intent.roles.size(); ++q)
    if (intent.roles[q].kind == QueueRole::Kind::Serving) serving_role(context, out.cluster.queues[q], intent.roles[q]);
  for (QueueRole& role : intent.roles)
    for (const PoolAmount& shape : policy.tenants[role.policy_tenant].shapes)
      if (const auto devices = devices_in(out.cluster, by_id(policy, shape.amount)))
        role.pod_shapes[shape.pool] = *devices;
  plan_capacities(policy, intent);
  plan_terms(policy, intent);
  plan_outside(policy, intent);
  plan_job_limits(policy, out);
  plan_allows(context, out);
}

bool rolls_out(const Intent& intent) { return contains(intent.guards, kAllGuards, &GuardMode::guard); }

}  // namespace gpol
