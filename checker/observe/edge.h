// Gateways and what stands behind them, while manifests are read. In: objects' nodes, nulls dropped. Out: facts
// (checker/edge). Mistakes are for the families to find.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checker/edge/facts.h"
#include "checker/observe/dumps.h"
#include "checker/observe/left_out.h"

namespace gpol::manifest {

class EdgeReader {
 public:
  // What it is called among what is not analysed: empty where it is read here, and of limits of NGINX or Istio that
  // they are some. Nothing: it is not known here.
  std::optional<std::string> read(const Node& object, const Place& place);
  // A Service says something where a route leads to it: else it is one more object of `others`.
  edge::Facts settle(const Scaled& scaled, const std::vector<LeftOut>& left_out,
                     std::map<std::string, std::size_t>& others);

 private:
  bool is_first(const Node& object, const std::string& kind, const Place& place);
  bool read_pods(const Node& object, const std::string& kind, const Place& place);

  edge::Facts facts_;
  std::map<std::string, std::size_t> known_;  // "KIND/ns/name", and what it says
  std::set<std::string> nameless_;            // directories with objects that do not say their namespace
};

edge::Named named(const Node& object, const Place& place);
edge::Labels labels_of(const Node* map);
const std::vector<Node>& items_at(const Node* map, std::string_view key);
edge::Ref read_ref(const Node& ref, const Place& place, const std::string& ns);
// Each of a list, `path` from the object's root, and of `kind` where it says none.
std::vector<edge::Ref> refs_at(const Node* map, const std::string& key, const std::string& path, const Place& place,
                               const std::string& ns, const std::string& kind = {});

edge::Policy read_traffic_policy(const Node& object, const Place& place, const std::string& ns);  // edge_policy.cpp
edge::Server read_server(const Node& deployment, const Place& place);                             // edge_server.cpp

}  // namespace gpol::manifest
