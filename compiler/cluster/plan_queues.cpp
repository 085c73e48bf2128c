// One ClusterQueue per serving tenant and pool, one per batch tenant (docs/kueue.md 4.4: own queue per tenant,
// BestEffortFIFO, reclaim Any, borrowingLimit 0 and nominal >= reserve on every resource, one flavor per group).
#include <algorithm>

#include <fmt/format.h>

#include "compiler/cluster/plan_parts.h"
#include "compiler/cluster/words.h"

namespace gpol {

namespace {

// Of the clauses of a limit the one about a pool of the queue.
Span clause_of(const QueueSettings::LimitWord& word, const Queue& queue) {
  for (const PoolAmount& amount : word.at_most)
    for (const ResourceGroup& group : queue.groups)
      for (const FlavorQuotas& row : group.flavors)
        if (row.flavor == amount.pool) return amount.span;
  return word.span;
}

// Writes the policy's overrides over the pattern and notes where each was written.
void apply_settings(const Policy& policy, const QueueSettings& settings, Queue& queue, Origins& origins) {
  const auto note = [&](const char* field, Span span) {
    origins.field[fmt::format("ClusterQueue/{} {}", queue.name, field)] = span;
  };
  if (settings.cohort != kNone) {
    queue.cohort = policy.cohorts[settings.cohort].name;
    note("cohortName", settings.cohort_span);
  }
  // `last` of the enumeration. resolve() lets no other word through.
  const auto set = [&]<class Enum>(const std::optional<QueueSettings::Word>& written, Enum last, Enum& to,
                                   const char* field) {
    if (!written) return;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(last); ++i)
      if (word(static_cast<Enum>(i)) == written->value) to = static_cast<Enum>(i);
    note(field, written->span);
  };
  Preemption& preemption = queue.preemption;
  set(settings.queueing_strategy, QueueingStrategy::StrictFIFO, queue.strategy, "queueingStrategy");
  set(settings.reclaim_within_cohort, Reclaim::Any, preemption.reclaim_within_cohort, "reclaimWithinCohort");
  set(settings.within_cluster_queue, Within::LowerOrNewerEqualPriority, preemption.within_cluster_queue,
      "withinClusterQueue");
  set(settings.borrow_within_cohort, BorrowWithin::LowerPriority, preemption.borrow_within_cohort,
      "borrowWithinCohort");
  // Kueue refuses it where nothing is reclaimed.
  if (settings.borrow_within_cohort && preemption.borrow_within_cohort != BorrowWithin::Never &&
      !settings.reclaim_within_cohort)
    preemption.reclaim_within_cohort = Reclaim::Any;
  set(settings.when_can_borrow, Search::TryNextFlavor, queue.when_can_borrow, "whenCanBorrow");
  set(settings.when_can_preempt, Search::TryNextFlavor, queue.when_can_preempt, "whenCanPreempt");
  set(settings.stop_policy, StopPolicy::HoldAndDrain, queue.stop, "stopPolicy");
  if (settings.lend) note("lendingLimit", clause_of(*settings.lend, queue));
  if (settings.borrow) note("borrowingLimit", clause_of(*settings.borrow, queue));
}

// The limit that the policy's own words give for a pool; `pattern` where they say nothing of that pool.
std::optional<std::int64_t> limit(const std::optional<QueueSettings::LimitWord>& word, std::uint32_t pool,
                                  Resource resource, std::int64_t pattern) {
  if (!word) return pattern;
  if (word->unlimited) return std::nullopt;
  for (const auto& amount : word->at_most)
    if (amount.pool == pool) return amount.amount[resource];
  return pattern;
}

void set_namespaces(const Tenant& tenant, Queue& queue) {
  queue.namespaces.present = true;
  if (const auto& w = tenant.queue.namespace_selector; w && w->value == "any") return;  // `{}` selects all
  // The one namespace label that no tenant can set (kueue.md 4.4).
  auto names = tenant.namespaces;
  std::ranges::sort(names);
  queue.namespaces.expressions = {{"kubernetes.io/metadata.name", "In", names}};
}

void add_queue(const Policy& policy, std::uint32_t t, Queue queue, Planned& out) {
  const Tenant& tenant = policy.tenants[t];
  const Isolation isolation = policy.classes[tenant.latency_class].isolation;
  queue.labels = {{"gpol.dev/role", isolation == Isolation::C ? "batch" : "serving"},
                  {"gpol.dev/class", isolation_letter(isolation)},
                  {"gpol.dev/tenant", tenant.name}};
  set_namespaces(tenant, queue);
  if (queue.cohort.empty())  // Kueue refuses limits on a queue without a cohort
    for (auto& group : queue.groups)
      for (auto& flavor : group.flavors)
        for (auto& quota : flavor.quotas) quota.borrowing = quota.lending = std::nullopt;
  for (const auto& ns : tenant.namespaces)
    out.cluster.local_queues.push_back({ns, queue.name, queue.name, {}, StopPolicy::None});
  out.origins.queue.push_back(tenant.span);
  QueueRole role;
  role.kind = isolation == Isolation::C ? QueueRole::Kind::Batch : QueueRole::Kind::Serving;
  role.isolation = isolation;
  role.tenant = tenant.name;
  role.policy_tenant = t;
  role.name_span = tenant.span;
  role.class_span = tenant.class_span;
  role.asks_at = tenant.asks_at;
  role.grace = policy.classes[tenant.latency_class].grace;
  role.kill_margin = policy.classes[tenant.latency_class].kill_margin;
  out.intent.roles.push_back(std::move(role));
  out.cluster.queues.push_back(std::move(queue));
}

// Whether a cohort below the root stands above the queue. What others lend in it counts as that cohort's quota, so that
// a queue with nominal 0 can still be processed in preemption mode (docs/kueue.md N15: owning nothing then does not
// help).
bool below_a_cohort(const Policy& policy, std::uint32_t cohort) {
  return cohort != kNone && policy.cohorts[cohort].parent != kNone;
}

}  // namespace

void plan_serving_queue(const PlanContext& context, std::uint32_t t, const PoolAmount& reserve, bool several,
                        Planned& out) {
  const Policy& policy = context.policy;
  const Tenant& tenant = policy.tenants[t];
  Queue queue;
  queue.name = several ? fmt::format("{}-{}", tenant.name, policy.pools[reserve.pool].name) : tenant.name;
  // Class A stands alone: a cohort in debt after a change of quotas eats even what lendingLimit protects (kueue.md 2).
  if (policy.classes[tenant.latency_class].isolation == Isolation::B) queue.cohort = policy.cluster;
  queue.preemption = {Within::LowerPriority, Reclaim::Any, BorrowWithin::Never, std::nullopt};
  queue.when_can_borrow = queue.when_can_preempt = Search::MayStopSearch;
  // Constant over all windows, so that no switch leaves the cohort in debt; what a window changes is who may borrow.
  Resources lent = widest_flow(context.lends[t], reserve.pool, context.modes);
  // Kueue does not bring pods back (kueue.md N17): those of the replicas are not lent.
  if (reserve.replica) {
    const std::int64_t kept = replicas_within(*reserve.replica, reserve.amount).value_or(0);
    // Where none would be left to lend the loan is as it was asked for, and undecided.
    if (const std::int64_t rest = reserve.amount[Resource::Pods] - kept; rest > 0)
      lent[Resource::Pods] = std::min(lent[Resource::Pods], rest);
  }
  ResourceGroup group;
  group.covered = covered_on(policy, {reserve.pool});
  FlavorQuotas flavor{reserve.pool, {}};
  std::vector<std::int64_t> reserved;
  for (const std::uint32_t id : group.covered) {
    const auto r = static_cast<Resource>(id);
    reserved.push_back(reserve.amount[r]);
    flavor.quotas.push_back({reserve.amount[r], limit(tenant.queue.borrow, reserve.pool, r, 0),
                             limit(tenant.queue.lend, reserve.pool, r, std::min(lent[r], reserve.amount[r]))});
  }
  group.flavors.push_back(std::move(flavor));
  queue.groups.push_back(std::move(group));
  apply_settings(policy, tenant.queue, queue, out.origins);
  add_queue(policy, t, std::move(queue), out);
  QueueRole& role = out.intent.roles.back();
  role.reserve_span = reserve.span;
  out.origins.quotas.push_back({reserve.span});
  role.reserve = std::move(reserved);
}

void plan_batch_queue(const PlanContext& context, std::uint32_t t, Planned& out) {
  const Policy& policy = context.policy;
  const Tenant& tenant = policy.tenants[t];
  Queue queue;
  queue.name = tenant.name;
  queue.cohort = policy.cluster;
  std::vector<std::uint32_t> pools;
  for (const auto& quota : tenant.quotas) pools.push_back(quota.pool);
  for (const auto* allow : context.borrows[t]) pools.push_back(allow->pool);
  std::ranges::sort(pools);  // preference: the order in which the cluster declares its pools
  pools.erase(std::unique(pools.begin(), pools.end()), pools.end());
  bool owns = false;
  if (!pools.empty()) {
    ResourceGroup group;
    group.covered = covered_on(policy, pools);
    for (const auto pool : pools) {
      const Resources borrowed = flow(context.borrows[t], pool, context.modes.front());
      FlavorQuotas flavor{pool, std::vector<Quota>(group.covered.size())};
      for (std::size_t i = 0; i < group.covered.size(); ++i) {
        const auto r = static_cast<Resource>(group.covered[i]);
        Quota& quota = flavor.quotas[i];
        for (const auto& own : tenant.quotas)
          if (own.pool == pool) quota.nominal = own.amount[r];
        quota.borrowing = limit(tenant.queue.borrow, pool, r, borrowed[r]);
        quota.lending = limit(tenant.queue.lend, pool, r, 0);
        owns = owns || quota.nominal > 0;
      }
      group.flavors.push_back(std::move(flavor));
    }
    queue.groups.push_back(std::move(group));
  }
  // A head that must preempt and finds no victims reserves quota in every cycle unless its queue may reclaim from
  // anyone, or can never be in that state because it owns nothing (kueue.md N15).
  const bool can_reserve = owns || below_a_cohort(policy, tenant.queue.cohort);
  queue.preemption = {Within::LowerPriority, can_reserve ? Reclaim::Any : Reclaim::Never, BorrowWithin::Never,
                      std::nullopt};
  apply_settings(policy, tenant.queue, queue, out.origins);
  add_queue(policy, t, std::move(queue), out);
  std::vector<Span>& quotas = out.origins.quotas.emplace_back();
  for (const auto& own : tenant.quotas) quotas.push_back(own.span);
}

void finish_modes(const PlanContext& context, Planned& out) {
  const Policy& policy = context.policy;
  for (const auto& planned : context.modes) {
    Mode mode;
    mode.name = planned.name;
    for (std::size_t q = 0; q < out.cluster.queues.size(); ++q) {
      const Queue& queue = out.cluster.queues[q];
      const auto& role = out.intent.roles[q];
      const auto& allows = context.borrows[role.policy_tenant];
      if (allows.empty() || policy.tenants[role.policy_tenant].queue.borrow || queue.cohort.empty()) continue;
      for (const auto& group : queue.groups)
        for (const auto& flavor : group.flavors) {
          const Resources borrowed = flow(allows, flavor.flavor, planned);
          for (std::size_t i = 0; i < group.covered.size(); ++i) {
            const std::uint32_t r = group.covered[i];
            Quota quota = flavor.quotas[i];
            quota.borrowing = borrowed[static_cast<Resource>(r)];
            if (quota != flavor.quotas[i])
              mode.changed[{queue.name, out.cluster.flavors[flavor.flavor].name, out.cluster.resources[r]}] = quota;
          }
        }
    }
    out.cluster.modes.push_back(std::move(mode));
  }
}

}  // namespace gpol
