// Limits at gateways: one BackendTrafficPolicy for each limit that names its route, and what the services behind them
// sustain. A replica that stands is one of the reserve: how many nodes may be lost, capacity has taken off already.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/cluster/plan_parts.h"
#include "compiler/plan/partition/slices.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

const Rate* rate_of(const std::vector<Rate>& rates, std::string_view of) { return find_by(rates, of, &Rate::of); }

std::optional<PlannedLimit::Amount> amount_of(const GatewayLimit& limit, std::string_view of) {
  const Rate* rate = rate_of(limit.most, of);
  if (rate == nullptr) return std::nullopt;
  return PlannedLimit::Amount{rate->thousandths / 1000, rate->window_ms, contains(limit.per_proxy, of)};
}

// One that is full says when to come again: a constant, since Envoy knows no better one.
TrafficPolicy::Answer answer_of(const std::string& tenant, std::int64_t status, std::int64_t retry_ms) {
  const std::int64_t seconds = (retry_ms + 999) / 1000;
  return {
      status, seconds,
      fmt::format(R"({{"error":{{"type":"rate_limit_exceeded","message":"more requests to {0} than the gateway lets )"
                  R"(in: try again after {1} s"}}}})",
                  tenant, seconds)};
}

constexpr std::int64_t kMostConnections = 4'294'967'295;  // of the CRD: no limit

TrafficPolicy policy_of(const GatewayLimit& limit, const std::string& tenant) {
  TrafficPolicy made{limit.route_ns, "gpol-" + limit.route, limit.route, {}, {}, {}, {}, {}, {}};
  if (const auto streams = amount_of(limit, "streams"); streams && streams->per_proxy) {
    made.parallel = made.pending = streams->most;
    made.connections = kMostConnections;
  }
  if (const auto requests = amount_of(limit, "req"); requests && requests->per_proxy)
    made.bucket = {requests->most, requests->window_ms == 1000     ? "Second"
                                   : requests->window_ms == 60'000 ? "Minute"
                                                                   : "Hour"};
  made.retries = 0;
  if (limit.otherwise) made.answer = answer_of(tenant, limit.otherwise->first, limit.otherwise->second);
  return made;
}

// What one replica takes of its quota: as `replica` says, which is proven to find nodes. A replica of one GPU and
// nothing else takes the GPU's share of its node. Nothing: it is not known.
std::optional<Resources> taken_by(const Policy& policy, const Service& service, const PoolAmount& reserve) {
  if (reserve.replica) {
    const bool within =
        std::ranges::all_of(service.each, [&](const auto& one) { return one.second <= (*reserve.replica)[one.first]; });
    return within ? reserve.replica : std::nullopt;
  }
  const Pool& pool = policy.pools[reserve.pool];
  const Resources room = room_of_node(policy, pool);
  const std::int64_t gpus = room[Resource::Gpu];
  for (const auto& [resource, amount] : service.each)
    if (amount != (resource == Resource::Gpu ? 1 : 0)) return std::nullopt;
  if (gpus == 0 || !pool.partition.layout.empty()) return std::nullopt;
  Resources one = service.each;
  one[Resource::Cpu] = room[Resource::Cpu] / gpus;
  one[Resource::Memory] = room[Resource::Memory] / gpus;
  one[Resource::Pods] = 1;
  return one;
}

// How many replicas of the service stand whatever happens, or why that is not known.
void count_replicas(const Policy& policy, const Tenant& tenant, const Service& service, PlannedEdge& edge) {
  if (policy.classes[tenant.latency_class].isolation != Isolation::A) {
    edge.why_unknown =
        fmt::format("`{}` is of class B: others may hold some of its reserve when requests come", tenant.name);
    return;
  }
  if (tenant.preempts) {
    edge.why_unknown =
        fmt::format("`{}` preempts batch: its nodes may be full of others when requests come", tenant.name);
    return;
  }
  std::int64_t stand = 0;
  for (const PoolAmount& reserve : tenant.reserves) {
    const auto one = taken_by(policy, service, reserve);
    if (!one) {
      if (!reserve.replica) edge.add = fmt::format("state as the `replica` of `{}` what one replica has", tenant.name);
      edge.why_unknown =
          fmt::format("whether each replica of `{}` finds a node is proven of what the `replica` of `{}` says, {}",
                      service.name, tenant.name, reserve.replica ? "and it is larger" : "which is not stated");
      return;
    }
    stand = sum_of({stand, replicas_within(*one, reserve.amount).value_or(0)});
    edge.sources.push_back(reserve.span);
  }
  if (service.replicas_max > 0) stand = std::min(stand, service.replicas_min);
  if (tenant.runs) stand = std::min(stand, tenant.runs->count);
  edge.replicas = stand;
}

void take_service(const Policy& policy, const Tenant& tenant, PlannedEdge& edge) {
  const auto is_of = [&](const Service& service) { return &policy.tenants[service.tenant] == &tenant; };
  const Service* service = find_where(policy.services, is_of);
  if (service == nullptr) return;
  edge.service = service->name;
  edge.span = service->span;
  if (std::ranges::count_if(policy.services, is_of) > 1) {
    edge.why_unknown =
        fmt::format("`{}` has several services, and a limit does not say which one it leads to", tenant.name);
    return;
  }
  if (const Rate* streams = rate_of(service->throughput, "streams")) edge.streams = streams->thousandths / 1000;
  // What a minute or an hour does is an average, and all of it may come within one second.
  if (const Rate* requests = rate_of(service->throughput, "req"); requests != nullptr && requests->window_ms == 1000)
    edge.requests = requests->thousandths;
  edge.sources.push_back(service->throughput_span);
  count_replicas(policy, tenant, *service, edge);
}

}  // namespace

void plan_gateway(const Policy& policy, Planned& out) {
  for (const Tenant& tenant : policy.tenants) {
    PlannedEdge edge;
    edge.tenant = tenant.name;
    for (const GatewayLimit& limit : policy.limits) {
      if (&policy.tenants[limit.tenant] != &tenant) continue;
      const std::string route = limit.route.empty() ? "" : limit.route_ns + "/" + limit.route;
      edge.limits.push_back(
          {limit.gateway, route, amount_of(limit, "streams"), amount_of(limit, "req"), limit.proxies, limit.most_span});
      if (!route.empty()) out.cluster.traffic_policies.push_back(policy_of(limit, tenant.name));
    }
    if (edge.limits.empty()) continue;
    take_service(policy, tenant, edge);
    out.intent.edges.push_back(std::move(edge));
  }
}

}  // namespace gpol
