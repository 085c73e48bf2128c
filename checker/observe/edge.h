// Gateways and what stands behind them, while manifests are read: Gateway API's Gateway, GatewayClass and HTTPRoute,
// Envoy Gateway's EnvoyProxy and BackendTrafficPolicy, names of AIGatewayRoutes, Services, Deployments. In: objects'
// nodes, nulls dropped. Out: facts (checker/edge). Mistakes are for the families to find.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checker/edge/facts.h"
#include "checker/observe/dumps.h"
#include "checker/observe/left_out.h"
#include "checker/observe/problems.h"
#include "checker/observe/tree.h"

namespace gpol::manifest {

class EdgeReader {
 public:
  // What it is called among what is not analysed: nothing of a kind that is read here, and of limits of NGINX or Istio
  // that they are some. Absent: nobody here knows it.
  std::optional<std::string> read(const Node& object, const Place& place);
  // A Service says something where a route leads to it: else it is one more object of `others`.
  edge::Facts settle(const Scaled& scaled, const std::vector<LeftOut>& left_out,
                     std::map<std::string, std::size_t>& others);

 private:
  bool is_first(const Node& object, const std::string& kind);
  // True: it states how many requests it answers at once.
  bool read_pods(const Node& object, const std::string& kind, const Place& place);

  edge::Facts facts_;
  std::map<std::string, std::size_t> known_;  // "KIND/ns/name", and what it says
};

edge::Policy read_traffic_policy(const Node& object, const Place& place);  // edge_policy.cpp
edge::Server read_server(const Node& deployment, const Place& place);      // edge_server.cpp

// Shared by these.
edge::Named named(const Node& object, const Place& place);
edge::Labels labels_of(const Node* map);
edge::Ref read_ref(const Node& ref, const Place& place, const std::string& ns, const std::string& path);

}  // namespace gpol::manifest
