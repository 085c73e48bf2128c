// What manifests say of gateways, looked up: which policy is in force where, how many proxies run, what stands behind a
// Service. In: facts, which may be a part of a cluster. Out: what is surely so; nothing where that is not known.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "checker/edge/facts.h"
#include "checker/report/report.h"

namespace gpol {

// The policy of a rule of a route on one gateway: its own, and the gateway's where that counts, too.
struct PolicyInForce {
  bool known = false;         // of its own: whether there is one, and which
  bool parent_known = false;  // likewise of the gateway's
  const edge::Policy *own = nullptr, *parent = nullptr;

  bool none() const { return known && parent_known && own == nullptr && parent == nullptr; }
  bool limits() const;
};

struct Streams {
  std::int64_t sustained = 0;
  static std::int64_t of(const edge::Server& server) { return (*server.replicas - server.away) * *server.streams; }
  std::vector<const edge::Server*> servers;
};

// A namespace that is not said may be any.
inline bool may_be_namespace(const std::string& one, const std::string& other) {
  return one == other || one.empty() || other.empty();
}

// One way to a Service: a rule of a route at one gateway.
struct EdgeDoor {
  const edge::Route* route = nullptr;
  const edge::RouteRule* rule = nullptr;
  const edge::Gateway* gateway = nullptr;  // null: none of those that the route names was read
  bool alone = true;                       // the rule leads nowhere else
  PolicyInForce force = {};
};

class EdgeView {
 public:
  explicit EdgeView(const edge::Facts& facts) : facts_(facts) {}

  PolicyInForce in_force(const edge::Route& route, const edge::RouteRule& rule, const edge::Gateway* gateway) const;
  // Those that were read, that the route names, and of which some listener surely takes it.
  std::vector<const edge::Gateway*> gateways_of(const edge::Route& route) const;
  std::vector<EdgeDoor> doors_of(const edge::Ref& service) const;
  // Envoy Gateway runs it: its class or a policy says so.
  bool is_envoys(const edge::Gateway& gateway) const;
  struct Proxies {
    std::optional<std::int64_t> most;         // nothing: at least one
    const edge::ProxyFleet* fleet = nullptr;  // who says so
    bool odd = false;                         // what is counted is not what the routes say
  };
  Proxies proxies_of(const edge::Gateway* gateway) const;
  std::optional<Streams> streams_of(const edge::Ref& service) const;
  // A policy was meant for it, which is told (judge_edge_targets).
  void note_meant(const edge::Route& route) { meant_.insert(&route); }
  bool is_meant(const edge::Route& route) const { return meant_.contains(&route); }
  // Whose target that is, section and all.
  std::vector<const edge::Policy*> policies_on(std::string_view kind, const edge::Named& object,
                                               const std::string& section) const;

 private:
  bool is_elsewhere(const edge::Ref& parent) const;
  const edge::Facts& facts_;
  std::set<const edge::Route*> meant_;
};

struct Proof;
void judge_edge(const Proof& proof, const edge::Facts& facts, Report& report);
// Its parts.
void judge_edge_streams(const edge::Facts& facts, const EdgeView& view, Report& report);
void judge_edge_targets(const edge::Facts& facts, EdgeView& view, Report& report);
void judge_edge_policies(const edge::Facts& facts, const EdgeView& view, Report& report);
void judge_edge_waits(const edge::Facts& facts, const EdgeView& view, Report& report);

// A finding of this family, with what is to be written where (checker/repair/mend_edge makes edits of that).
struct EdgeFinding {
  Code code;
  std::string_view kind;  // of the object that it is about
  std::string name;
  Span at;
  std::string field, message;
  std::vector<StoryStep> story = {};
  Fix fix = {};
  // One more field to write, of a BackendTrafficPolicy.
  void write(const edge::Policy& policy, const std::string& field, const std::string& value);
};
void tell(EdgeFinding found, Report& report);
void warn(Code code, Span at, std::string message, std::string hint, Report& report);
// "BackendTrafficPolicy `chat/limits`".
std::string in_words(const edge::Policy& policy);

// Each Service to which a route leads, once.
std::vector<edge::Ref> services_of(const edge::Facts& facts);

}  // namespace gpol
