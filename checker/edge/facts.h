// What manifests say of gateways and of what stands behind them, as Envoy Gateway v1.9 reads it. In:
// checker/observe/edge fills it. Out: checker/families/given_edge judges it. A folder may be a part of a cluster: what
// is not there is not known.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/source/number.h"
#include "compiler/source/span.h"

namespace gpol::edge {

using Labels = std::map<std::string, std::string>;

struct Named {
  std::string ns, name;  // a namespace that is not said stays empty
  Span at;               // of the name
  std::string full() const { return ns.empty() ? name : ns + "/" + name; }
};

// What a parentRef, backendRef or targetRef names.
struct Ref : Named {
  std::string kind, section, port, field;  // `field`: that of the name, from the object's root
};

struct Listener {
  std::string name, from, hostname, protocol, port;
  std::string only_ns;  // `from: Selector`, and no other namespace has that name
};

// Which EnvoyProxy says how its proxies run; `parameters.kind`: empty where none is named.
struct Gateway : Named {
  std::string gateway_class;
  std::vector<Listener> listeners;
  Ref parameters;
};

struct GatewayClass : Named {
  bool of_envoy = false;
  Ref parameters;
};

struct EnvoyProxy : Named {
  std::optional<std::int64_t> most;  // proxies, without those of an update
  bool merges = false;               // gateways or backends: what is counted is not what the routes say
};

struct RouteRule {
  std::string name, request_timeout;
  bool retries = false;       // it says itself how often
  bool elsewhere = false;     // a filter answers, or sends it away
  std::vector<Ref> backends;  // those that get something
};

struct Route : Named {
  std::vector<std::string> hostnames;
  std::vector<Ref> parents;
  std::vector<RouteRule> rules;
};

// A field that is none where it stands.
struct WrongField {
  std::string field;           // from the object's root
  std::string meant, belongs;  // its right name; or where a field of that name stands ("spec.retry"); or neither
  Span key, whole;             // `whole`: of a scalar, with its key
  std::string value;
};

struct Policy : Named {
  struct Scalar {
    std::string text;
    Span at;
  };
  std::string created;
  std::vector<Ref> targets;
  std::set<std::string> blocks;          // of `spec`, without targets and mergeType
  std::map<std::string, Scalar> fields;  // "circuitBreaker.maxParallelRequests", below `spec`
  std::vector<WrongField> wrong;

  std::string text(const std::string& path) const {
    const auto found = fields.find(path);
    return found == fields.end() ? std::string() : found->second.text;
  }
  std::optional<std::int64_t> number(const std::string& path) const { return whole_number(text(path)); }
  Span span(const std::string& path) const {
    const auto found = fields.find(path);
    return found == fields.end() ? at : found->second.at;
  }
  bool merges() const { return fields.contains("mergeType"); }
};

struct Service : Named {
  Labels selector;                 // none of an ExternalName
  std::vector<std::string> ports;  // of the pods: a number or a name
};

// A Deployment.
struct Server : Named {
  Labels labels;                         // of its pods
  std::optional<std::int64_t> replicas;  // nothing: who scales it was not read
  std::int64_t away = 0;                 // in an update
  bool scaled = false;                   // `replicas` is the most that an autoscaler makes
  std::optional<std::int64_t> streams;   // of a replica
  std::string flag;                      // that says so: "--max-num-seqs"
  std::int64_t grace_s = 30;
};

// Of ingress, with pods selected by labels alone.
struct NetworkPolicy : Named {
  Labels pods;  // empty: all of the namespace
  struct Open {
    Span at;
    std::vector<std::string> ports;  // empty: all
  };
  std::vector<Open> open;  // to every pod of the cluster
};

struct Facts {
  std::vector<Gateway> gateways;
  std::vector<GatewayClass> classes;
  std::vector<EnvoyProxy> proxies;
  std::vector<Route> routes;
  std::vector<Policy> policies;
  std::vector<Service> services;
  std::vector<Server> servers;
  std::vector<NetworkPolicy> network_policies;
  std::vector<std::pair<std::string, Labels>> other_pods;  // namespace and labels
  std::vector<Named> ai_routes;                            // an HTTPRoute is made of each
  bool selects = false;                                    // a policy says by labels whom it is for
  bool torn = false;  // two objects of one name say different things: which one counts is not known
  bool whole = true;  // false: something of the folder was not read, and may hold any object
};

}  // namespace gpol::edge
