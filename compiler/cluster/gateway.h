// What a gateway is told, as it ships: BackendTrafficPolicies of Envoy Gateway (gateway.envoyproxy.io/v1alpha1,
// api/v1alpha1/{backendtrafficpolicy,circuitbreaker,ratelimit,retry,shared}_types.go of envoyproxy/gateway v1.9.1).
// Empty where the policy limits nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpol {

class Block;  // fact_lines.h

// What Envoy bounds where nobody does: requests at once (circuit_breaker.proto, max_requests).
inline constexpr std::int64_t kParallelByDefault = 1024;

// gateway.networking.k8s.io/v1 (apis/v1/httproute_types.go of sigs.k8s.io/gateway-api v1.6.1): one rule, one match, one
// backend.
struct HttpRoute {
  std::string ns, name;
  std::string gateway_ns, gateway, listener;  // spec.parentRefs: one
  std::string host, path;                     // spec.hostnames: one; a PathPrefix
  std::string request_class;                  // overwrites what a client says in kClassHeader; empty: that is taken off
  std::string service;
  std::int64_t port = 0;
};
inline constexpr std::string_view kClassHeader = "x-gpol-class";

// Of one HTTPRoute in its own namespace. Each process of the proxy counts for itself.
struct TrafficPolicy {
  std::string ns, name;
  std::string route;                     // spec.targetRefs: one, an HTTPRoute
  std::optional<std::int64_t> parallel;  // circuitBreaker.maxParallelRequests; absent: 1,024
  // circuitBreaker.maxPendingRequests: requests that wait for a connection, and are counted as parallel before. Fewer
  // than may be parallel, and Envoy refuses some that it has room for.
  std::optional<std::int64_t> pending;
  // circuitBreaker.maxConnections: where there are as few as may be parallel, what is beyond waits for one.
  std::optional<std::int64_t> connections;
  struct Bucket {
    std::int64_t requests = 0;  // it holds so many, and is filled with as many in each unit, evenly
    std::string unit;           // Second, Minute, Hour
    friend bool operator==(const Bucket&, const Bucket&) = default;
  };
  std::optional<Bucket> bucket;  // rateLimit.local: its one rule
  // rateLimit.global: its one rule, so many within each unit, which begins for all proxies at once.
  std::optional<Bucket> shared;
  std::optional<std::int64_t> timeout_ms;  // timeout.http.requestTimeout; absent: 15 s
  std::optional<std::int64_t> buffer;      // requestBuffer.limit, bytes: a larger request is answered 413
  std::optional<std::int64_t> retries;     // retry.numRetries
  // responseOverride of what the proxy itself answers with 429.
  struct Answer {
    std::int64_t status = 429;
    std::int64_t retry_after = 0;  // seconds
    std::string body;              // JSON, as the proxy says it
    friend bool operator==(const Answer&, const Answer&) = default;
  };
  std::optional<Answer> answer;
};

// Who may open connections to some pods (networking.k8s.io/v1 NetworkPolicy, of ingress alone).
struct IngressPolicy {
  std::string ns, name;
  using Labels = std::map<std::string, std::string>;
  Labels pods;  // spec.podSelector
  struct Peer {
    std::string ns;  // by kubernetes.io/metadata.name, which the API server keeps; empty: of the same namespace
    Labels pods;     // empty: all of that namespace
    friend bool operator==(const Peer&, const Peer&) = default;
  };
  std::vector<Peer> from;
};

// "ns/name"
std::string name_in_lines(const TrafficPolicy& policy);
Block block_of(const TrafficPolicy& policy);
std::string name_in_lines(const HttpRoute& route);
Block block_of(const HttpRoute& route);
std::string name_in_lines(const IngressPolicy& policy);
Block block_of(const IngressPolicy& policy);

// A time as Gateway API writes it (GEP-2257: up to five digits, units h, m, s and ms): "90s", "1500ms". At most a day.
std::string gateway_duration(std::int64_t ms);
// Nothing: it is none.
std::optional<std::int64_t> ms_of_gateway_duration(std::string_view text);

}  // namespace gpol
