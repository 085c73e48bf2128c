// Layout H: one queue above all others with a finite capability; under it each serving queue with a guarantee, and one
// inner queue with all of batch, whose capability is what the guarantees leave. Children of `root` bound nobody, since
// `root` itself has no bound (v1.14.2 and newer, pkg/scheduler/plugins/capacity/capacity.go). The order of the list is
// one that the webhook takes: parents first (pkg/webhooks/admission/queues/validate).

#include "compiler/cluster/plan_parts.h"
#include "compiler/plan/volcano/plan.h"

namespace gpol::volcano {

namespace {

constexpr std::int64_t kServingPriority = 100;

// Volcano counts no pods (api/resource_info.go: `pods` is not compared).
Amounts counted(const Policy& policy, const Resources& amounts) {
  Amounts out;
  for (const auto& [resource, amount] : amounts)
    if (resource != Resource::Pods) out[policy.resources[static_cast<std::size_t>(resource)].name] = amount;
  return out;
}

void add(Amounts& sum, const Amounts& more) {
  for (const auto& [resource, amount] : more) sum[resource] += amount;
}

const PoolAmount* amount_of(const Policy& policy, const Place& place) {
  const Tenant& tenant = policy.tenants[place.tenant];
  for (const auto* list : {&tenant.reserves, &tenant.quotas})
    for (const PoolAmount& amount : *list)
      if (amount.pool == place.pool) return &amount;
  return nullptr;
}

void add_queue(Queue queue, QueueRole role, Span span, Planned& out) {
  role.name_span = span;
  out.cluster.volcano->queues.push_back(std::move(queue));
  out.intent.volcano_roles.push_back(std::move(role));
}

Queue queue_of(const Policy& policy, const Place& place, const Amounts& amount) {
  const Tenant& tenant = policy.tenants[place.tenant];
  const Isolation isolation = policy.classes[tenant.latency_class].isolation;
  const bool serves = isolation != Isolation::C;
  Queue queue;
  queue.name = place.queue;
  queue.parent = serves ? top_queue(policy) : batch_queue(policy);
  queue.capability = queue.deserved = amount;
  if (serves) queue.guarantee = amount;
  queue.reclaimable = !serves;
  queue.priority = serves ? kServingPriority : 0;  // of queues, which are asked in this order
  queue.labels = {{"gpol.dev/role", serves ? "serving" : "batch"},
                  {"gpol.dev/class", isolation_letter(isolation)},
                  {"gpol.dev/tenant", tenant.name}};
  return queue;
}

QueueRole role_of(const Policy& policy, const Place& place, const PoolAmount& amount) {
  const Tenant& tenant = policy.tenants[place.tenant];
  QueueRole role;
  role.isolation = policy.classes[tenant.latency_class].isolation;
  role.kind = role.isolation == Isolation::C ? QueueRole::Kind::Batch : QueueRole::Kind::Serving;
  role.tenant = tenant.name;
  role.namespaces = tenant.namespaces;
  role.pool = place.pool;
  if (role.kind == QueueRole::Kind::Serving) role.reserve = counted(policy, amount.amount);
  if (amount.replica)
    for (const auto& [resource, each] : *amount.replica)
      role.replica[policy.resources[static_cast<std::size_t>(resource)].name] = each;
  role.reserve_span = amount.span;
  role.class_span = tenant.class_span;
  return role;
}

void plan_queues(const Policy& policy, Planned& out) {
  struct Leaf {
    Queue queue;
    QueueRole role;
    Span span;
  };
  std::vector<Leaf> serving, batch;
  Queue top, inner;
  top.name = top_queue(policy);
  inner.name = batch_queue(policy);
  inner.parent = top.name;
  for (const Place& place : places_of(policy)) {
    const PoolAmount& owned = *amount_of(policy, place);
    const Amounts amount = counted(policy, owned.amount);
    const bool serves = policy.classes[policy.tenants[place.tenant].latency_class].isolation != Isolation::C;
    add(top.capability, amount);
    add(serves ? top.guarantee : inner.capability, amount);
    (serves ? serving : batch)
        .push_back({queue_of(policy, place, amount), role_of(policy, place, owned), policy.tenants[place.tenant].span});
  }
  // A device that is not named has the limit of the queue above, and directly below `root` none. (Of cpu and memory 0
  // is none, too: resolve() lets nobody have 0 of them.)
  for (const ResourceRow& row : policy.resources) {
    if (!row.device) continue;
    top.capability.emplace(row.name, 0);
    inner.capability.emplace(row.name, 0);
    for (auto* leaves : {&serving, &batch})
      for (Leaf& leaf : *leaves) leaf.queue.capability.emplace(row.name, 0);
  }
  top.deserved = top.capability;
  inner.deserved = inner.capability;
  QueueRole above;
  above.kind = QueueRole::Kind::Inner;
  add_queue(std::move(top), above, policy.cluster_span, out);
  for (Leaf& leaf : serving) add_queue(std::move(leaf.queue), std::move(leaf.role), leaf.span, out);
  if (batch.empty()) return;
  add_queue(std::move(inner), above, policy.cluster_span, out);
  for (Leaf& leaf : batch) add_queue(std::move(leaf.queue), std::move(leaf.role), leaf.span, out);
}

}  // namespace

std::string top_queue(const Policy& policy) { return policy.cluster; }
std::string batch_queue(const Policy& policy) { return policy.cluster + "-batch"; }

std::vector<Place> places_of(const Policy& policy) {
  std::vector<Place> places;
  for (std::uint32_t t = 0; t < policy.tenants.size(); ++t) {
    const Tenant& tenant = policy.tenants[t];
    const auto& amounts = tenant.reserves.empty() ? tenant.quotas : tenant.reserves;
    for (const PoolAmount& amount : amounts) places.push_back({t, amount.pool, tenant.name});  // one: resolve()
  }
  return places;
}

Planned plan(const Policy& policy, const PlanInputs& inputs) {
  Planned out;
  out.cluster.volcano.emplace();
  out.cluster.volcano->version = policy.volcano_version;
  out.cluster.volcano->scheduler = with_limits(installed_scheduler());
  plan_pools(policy, out);
  plan_queues(policy, out);
  out.cluster.modes.push_back({"default", {}});
  plan_namespaces(policy, out);
  plan_gateway(policy, out);
  plan_guards(policy, out);
  plan_access(policy, out);
  plan_capacities(policy, out.intent);
  plan_terms(policy, out.intent);
  plan_partition(policy, inputs, out);
  return out;
}

}  // namespace gpol::volcano
