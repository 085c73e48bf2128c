// What manifests say of gateways, looked up: which policy is in force where, how many proxies run, what stands behind a
// Service. In: facts, which may be of a part of a cluster. Out: what is surely so; nothing where that is not known.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checker/edge/facts.h"
#include "checker/report/report.h"
#include "compiler/cluster/gateway.h"

namespace gpol {

// One way to a Service: a rule of a route at one gateway, and the policies that count there.
struct EdgeDoor {
  const edge::Route* route = nullptr;
  const edge::RouteRule* rule = nullptr;
  const edge::Gateway* gateway = nullptr;  // null: none of those that the route names was read
  bool alone = true;                       // the rule leads nowhere else
  bool own_known = false, parent_known = false;
  const edge::Policy *own = nullptr, *parent = nullptr;  // `parent`: the gateway's

  // Nobody limits it.
  bool open() const { return own_known && parent_known && own == nullptr && parent == nullptr; }
  // What the policies say there, the route's before the gateway's; null: nobody says it, and all are known.
  const edge::Policy* saying(const std::string& path) const {
    return own != nullptr && own->fields.contains(path)         ? own
           : parent != nullptr && parent->fields.contains(path) ? parent
                                                                : nullptr;
  }
};

struct Streams {
  std::int64_t sustained = 0;
  std::vector<const edge::Server*> servers;
  static std::int64_t of(const edge::Server& server) { return (*server.replicas - server.away) * *server.streams; }
};

class EdgeView {
 public:
  explicit EdgeView(const edge::Facts& all);

  // Gateways that were read and of which some listener surely takes the route.
  std::vector<const edge::Gateway*> gateways_of(const edge::Route& route) const;
  std::vector<EdgeDoor> doors_of(const edge::Ref& service) const;
  bool is_foreign(const edge::Gateway& gateway) const;  // its class is of another controller
  bool is_envoys(const edge::Gateway& gateway) const;   // Envoy Gateway's
  struct Proxies {
    std::optional<std::int64_t> most;        // nothing: at least one
    const edge::EnvoyProxy* said = nullptr;  // by whom
    bool odd = false;                        // what is counted is not what the routes say
  };
  Proxies proxies_of(const edge::Gateway* gateway) const;
  std::optional<Streams> streams_of(const edge::Ref& service) const;
  const std::vector<const edge::Policy*>& policies_on(const std::string& kind, const edge::Named& object,
                                                      const std::string& section) const;
  std::vector<edge::Ref> services() const;  // to which a route leads, each once

  const edge::Facts& facts;
  std::set<const edge::Route*> meant;  // for which there is a policy that misses it, which is told

 private:
  void find_policies(EdgeDoor& door) const;
  std::map<std::string, std::vector<const edge::Policy*>> policies_;                                // by target
  std::map<std::string, std::vector<std::pair<const edge::Route*, const edge::RouteRule*>>> ways_;  // by Service
};

bool selects(const edge::Labels& selector, const edge::Labels& labels);  // an empty one selects all
// A namespace that is not said may be any.
inline bool may_be_namespace(const std::string& one, const std::string& other) {
  return one == other || one.empty() || other.empty();
}

// A refuted statement, and what is to be written where (checker/repair/mend_edge makes edits of that).
struct EdgeFinding {
  Code code;
  std::string_view kind;  // of the object that it is about
  std::string name;
  Span at;
  std::string field, message;
  std::vector<StoryStep> story = {};
  Fix fix = {};
  void write(const edge::Policy& policy, const std::string& field, const std::string& value);
};
EdgeFinding about(const edge::Policy& policy, Code code, std::string message, Span at, std::string field = {});
void tell(EdgeFinding found, Report& report);
std::string in_words(const edge::Policy& policy);  // "BackendTrafficPolicy `chat/limits`"

void judge_edge(const edge::Facts& facts, Report& report);
// Its parts. The first fills `meant`.
void judge_edge_targets(EdgeView& view, Report& report);
void judge_edge_grants(const EdgeView& view, Report& report);
void judge_edge_streams(const EdgeView& view, Report& report);
void judge_edge_policies(const EdgeView& view, Report& report);
void judge_edge_callers(const EdgeView& view, Report& report);
void judge_edge_waits(const EdgeView& view, Report& report);

}  // namespace gpol
