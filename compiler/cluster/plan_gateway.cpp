// Limits at gateways: one BackendTrafficPolicy for each limit that names its route, and what the services behind them
// sustain. A replica that stands is one of the reserve: how many nodes may be lost, capacity has taken off already.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/cluster/plan_parts.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

const Rate* rate_of(const std::vector<Rate>& rates, std::string_view of) { return find_by(rates, of, &Rate::of); }

// `shared`: what the rate-limit service counts; else what each proxy does, or nobody said who.
std::optional<PlannedLimit::Amount> amount_of(const GatewayLimit& limit, std::string_view of, bool shared = false) {
  for (const auto& [rate, by] : limit.most)
    if (rate.of == of && (by == CountedBy::RateLimitService) == shared)
      return PlannedLimit::Amount{rate.thousandths / 1000, rate.window_ms, by == CountedBy::EachProxy};
  return std::nullopt;
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

TrafficPolicy::Bucket bucket_of(const PlannedLimit::Amount& requests) {
  return {requests.most, requests.window_ms == 1000 ? "Second" : requests.window_ms == 60'000 ? "Minute" : "Hour"};
}

// The HTTPRoute's name: one that is written is nobody else's.
std::string route_of(const GatewayLimit& limit) { return (limit.host ? "gpol-" : "") + limit.route; }

HttpRoute written_route(const GatewayLimit& limit) {
  const RouteHost& to = *limit.host;
  return {limit.route_ns,
          route_of(limit),
          limit.gateway_ns.empty() ? limit.route_ns : limit.gateway_ns,
          limit.gateway,
          to.listener,
          to.host,
          to.path,
          limit.classes.size() == 1 ? limit.classes.front() : "",
          to.service,
          to.port};
}

TrafficPolicy policy_of(const GatewayLimit& limit, const std::string& tenant) {
  TrafficPolicy made;
  made.ns = limit.route_ns;
  made.name = "gpol-" + limit.route;
  made.route = route_of(limit);
  made.buffer = limit.longest_request;
  if (const auto streams = amount_of(limit, "streams"); streams && streams->per_proxy) {
    made.parallel = made.pending = streams->most;
    made.connections = kMostConnections;
    if (limit.queue && limit.queue_by == CountedBy::EachProxy) {  // HTTP/1.1: a request waits for a connection
      made.connections = streams->most;
      made.pending = limit.queue;
    }
  }
  if (const auto requests = amount_of(limit, "req"); requests && requests->per_proxy)
    made.bucket = bucket_of(*requests);
  if (const auto requests = amount_of(limit, "req", true)) made.shared = bucket_of(*requests);
  made.timeout_ms = limit.timeout;
  made.retries = limit.retries;
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
    edge.may_lose = edge.may_lose || policy.groups[policy.pools[reserve.pool].group].tolerate_lost > 0;
    edge.sources.push_back(reserve.span);
  }
  edge.start_ms = 0;
  for (const auto* term :
       {&tenant.start.schedule, &tenant.start.image, &tenant.start.weights, &tenant.start.load, &tenant.start.warm})
    if (edge.start_ms) edge.start_ms = *term ? std::optional(sum_of({*edge.start_ms, (*term)->value})) : std::nullopt;
  if (service.replicas_max > 0) stand = std::min(stand, service.replicas_min);
  if (tenant.runs) stand = std::min(stand, tenant.runs->count);
  edge.replicas = std::max<std::int64_t>(stand - service.unavailable, 0);
  edge.unavailable = std::min(stand, service.unavailable);
}

IngressPolicy::Labels labels_of(const std::optional<PodLabel>& label) {
  return label ? IngressPolicy::Labels{*label} : IngressPolicy::Labels{};
}

// Who reaches the service's pods. They reach each other, as tensor-parallel ranks do.
void plan_callers(const Policy& policy, const Tenant& tenant, const Service& service, PlannedEdge& edge, Planned& out) {
  const IngressPolicy::Labels own(service.labels.begin(), service.labels.end());
  std::vector<IngressPolicy::Peer> from{{"", own}};
  std::string pods;
  for (const auto& [key, value] : own) add_to_list(pods, key + "=" + value);
  for (const Caller& caller : service.callers) {
    const Tenant* of = find_where(policy.tenants, [&](const Tenant& t) { return contains(t.namespaces, caller.ns); });
    if (IngressPolicy::Peer peer{caller.ns, labels_of(caller.label)}; !contains(from, peer))
      from.push_back(std::move(peer));
    edge.callers.push_back(
        {service.name,
         caller.label ? fmt::format("a pod of `{}` with {}={}", caller.ns, caller.label->first, caller.label->second)
                      : fmt::format("any pod of `{}`", caller.ns),
         of == nullptr ? "" : of->name, pods, caller.span});
  }
  if (service.callers.empty()) return;
  for (const std::string& ns : tenant.namespaces)
    out.cluster.ingress_policies.push_back({ns, "gpol-" + service.name, own, from});
}

void take_service(const Policy& policy, const Tenant& tenant, PlannedEdge& edge) {
  const auto is_of = [&](const Service& service) { return &policy.tenants[service.tenant] == &tenant; };
  const Service* service = nullptr;  // the first by name, whatever order they are written in
  for (const Service& one : policy.services)
    if (is_of(one) && (service == nullptr || one.name < service->name)) service = &one;
  if (service == nullptr) return;
  edge.service = service->name;
  edge.span = service->span;
  for (const Service& one : policy.services)
    if (is_of(one)) edge.classes.insert(edge.classes.end(), one.requests.begin(), one.requests.end());
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
  edge.longest_ms = service->longest;
  if (service->unavailable > 0) edge.sources.push_back(service->unavailable_span);
  count_replicas(policy, tenant, *service, edge);
}

}  // namespace

void plan_gateway(const Policy& policy, Planned& out) {
  for (const Tenant& tenant : policy.tenants) {
    PlannedEdge edge;
    edge.tenant = tenant.name;
    for (const GatewayLimit& limit : policy.limits) {
      if (&policy.tenants[limit.tenant] != &tenant) continue;
      PlannedLimit made;
      made.gateway = limit.gateway_ns.empty() ? limit.gateway : limit.gateway_ns + "/" + limit.gateway;
      if (!limit.route.empty()) made.route = limit.route_ns + "/" + route_of(limit);
      if (limit.host) {
        const RouteHost& to = *limit.host;
        made.leads = fmt::format("{}{} on `{}` to `{}:{}`", to.host, to.path, to.listener, to.service, to.port);
        out.cluster.http_routes.push_back(written_route(limit));
      }
      made.streams = amount_of(limit, "streams");
      made.requests = amount_of(limit, "req");
      made.shared = amount_of(limit, "req", true);
      made.unlimited = limit.unlimited;
      made.classes = limit.classes;
      made.proxies = limit.proxies;
      if (limit.queue) made.queue = {*limit.queue, 0, limit.queue_by == CountedBy::EachProxy};
      made.timeout_ms = limit.timeout;
      made.deadline_ms = limit.deadline;
      made.retries = limit.retries;
      if (limit.otherwise)
        made.refusal = fmt::format("{} after {}", limit.otherwise->first, written_duration(limit.otherwise->second));
      made.longest_request = limit.longest_request;
      made.span = limit.most_span;
      made.waits_span = limit.waits_span;
      edge.limits.push_back(std::move(made));
      if (!limit.route.empty() && !limit.unlimited)
        out.cluster.traffic_policies.push_back(policy_of(limit, tenant.name));
    }
    for (const Service& service : policy.services)
      if (&policy.tenants[service.tenant] == &tenant) plan_callers(policy, tenant, service, edge, out);
    take_service(policy, tenant, edge);
    if (edge.limits.empty() && edge.callers.empty() && edge.classes.empty()) continue;
    out.intent.edges.push_back(std::move(edge));
  }
}

}  // namespace gpol
