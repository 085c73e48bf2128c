// What manifests say of gateways and of what stands behind them, as Envoy Gateway v1.9 reads it. In:
// checker/observe/edge fills it. Out: checker/families/given_edge judges it. A folder may be a part of a cluster: what
// is not among it is not known, and of what an absent field means only Envoy Gateway's own default is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/source/span.h"

namespace gpol::edge {

inline constexpr std::int64_t kParallelByDefault = 1024;  // Envoy, and Envoy Gateway, at each proxy and HTTPRoute rule
inline constexpr std::int64_t kRetriesByDefault = 2;      // of a `retry` that does not say how many
inline constexpr std::string_view kRequestTimeoutByDefault = "15s";

using Labels = std::map<std::string, std::string>;

// An object, by its name; a namespace that is not said stays empty.
struct Named {
  std::string ns, name;
  Span at;  // of the name
  std::string full() const { return ns.empty() ? name : ns + "/" + name; }
};

// What a parentRef, backendRef or targetRef names. `field`: its name's, from the object's root.
struct Ref {
  std::string kind, ns, name, section, port;
  std::string field;
  Span at;
};

// Of a Gateway: which routes it takes.
struct Listener {
  std::string name, from, hostname, protocol, port;
};

struct Gateway : Named {
  std::string gateway_class;
  std::vector<Listener> listeners;
  bool has_parameters = false;
  std::string parameters;  // the EnvoyProxy of `infrastructure`; empty: another kind
};

struct GatewayClass : Named {
  bool of_envoy = false;
  bool has_parameters = false;
  std::string parameters_ns, parameters;
};

// EnvoyProxy: how many proxies run at most, without those of an update.
struct ProxyFleet : Named {
  std::optional<std::int64_t> most;
  bool merges = false;  // Gateways or backends: what is counted is not what the routes say
  Span counted;         // of the number; of the name where none is said
};

struct RouteRule {
  std::string name;
  std::vector<Ref> backends;  // those that get something
  bool whole = true;          // false: a filter sends it elsewhere
  std::optional<std::string> request_timeout;
  std::optional<std::int64_t> retries;
};

struct Route : Named {
  std::vector<std::string> hostnames;
  std::vector<Ref> parents;
  std::vector<RouteRule> rules;
};

// A field that is not one there.
struct WrongField {
  std::string field, meant;  // from the object's root; the last name of the field that is meant, or empty
  std::string belongs;  // where a field of that name is one: "spec.circuitBreaker"; empty: nowhere, or not only there
  Span key;
  std::string value;  // of a scalar
  Span whole;         // key and value of a scalar in a line of its own; else unknown
};

struct Policy : Named {
  std::string created;  // metadata.creationTimestamp
  std::vector<Ref> targets;
  bool selects = false;  // by labels, too
  bool merges = false;
  std::set<std::string> blocks;  // of `spec`: rateLimit, circuitBreaker, ...
  std::optional<std::int64_t> parallel, pending, connections;
  bool bounds_odd = false;  // a bound is there and is no number, or is one of each endpoint
  bool limits_rate = false;
  std::optional<std::int64_t> retries;
  bool retries_when_slow = false;  // of tries that time out, or fail after they began
  std::optional<std::string> request_timeout, retry_timeout, idle_timeout;
  std::map<std::string, Span> fields;  // of what is read above, by its path
  std::vector<WrongField> wrong;
};

struct Service : Named {
  Labels selector;
};

// A Deployment.
struct Server : Named {
  Labels labels;                         // of its pods
  std::optional<std::int64_t> replicas;  // nothing: who scales it is not among what was read
  std::int64_t away = 0;
  bool scaled = false;  // `replicas` is the most that an autoscaler makes
  std::optional<std::int64_t> streams;
  std::string flag;  // that says so: "--max-num-seqs"
  std::optional<std::int64_t> grace_s;
};

struct Facts {
  std::vector<Gateway> gateways;
  std::vector<GatewayClass> classes;
  std::vector<ProxyFleet> fleets;
  std::vector<Route> routes;
  std::vector<Policy> policies;
  std::vector<Service> services;
  std::vector<Server> servers;
  std::vector<std::pair<std::string, Labels>> other_pods;   // namespace and labels of pods of other kinds
  std::set<std::pair<std::string, std::string>> ai_routes;  // namespace and name: an HTTPRoute is made of each
  bool torn = false;  // objects of one name that say different things: which one counts is not known
  bool whole = true;  // false: something of the folder was not read, and may hold any object
  bool empty() const { return policies.empty() && routes.empty(); }
};

}  // namespace gpol::edge
