// gpol.yaml, the one configuration file of a repository. In: its text. Out: what it says, and what is wrong with it;
// unknown keys are mistakes. Its schema for editors is docs/gpol.schema.json.
//   queues:  {chat: {role: serving, class: A}, search: {role: serving, class: B, deadline: 4min}, ci: {role: bounded}}
//   kueue:   v0.19.2
//   exclude: [dev/, "*/charts/*"]
//   include: [third_party/vendor]
//   times:   {round: 5s, release: 5s, kinds: [Job]}
//   tenants: [{name: web, class: B, deadline: 9min, namespaces: [web], flavor: site, reserve: {nvidia.com/gpu: 16}}]
//   nodes:   [{name: h100, count: 4, upTo: 10, labels: {pool: h100}, allocatable: {nvidia.com/gpu: 8, cpu: 180}}]
//   waivers: [{finding: GP1501, subject: chat, until: 2027-01-31, reason: "moves in January", owner: "@platform"}]
#pragma once

#include <string>
#include <vector>

#include "checker/report/waiver.h"
#include "compiler/cluster/node_facts.h"
#include "compiler/cluster/roles.h"

namespace gpol {

// A tenant that serves outside the queue, as `build` writes it.
struct NamedTenant {
  OutsideReserve is;   // but what follows
  std::string flavor;  // whose nodes its pods stand on
  NamedAmounts reserve, replica;
};

struct ConfigFile {
  NamedRoles roles;
  BatchTimes times;                  // all absent where nothing is said
  std::vector<NamedTenant> tenants;
  std::string kueue;                 // "0.19.2"; empty: not said
  std::vector<std::string> exclude;  // paths from the file's directory on, or patterns with `*`
  std::vector<std::string> include;  // likewise: folders that are left out by their name (vendor), and are not
  std::vector<NodeFacts> nodes;      // `count` of each, and `elastic` ones up to `upTo`; spans: file 0
  std::vector<Waiver> waivers;
  std::vector<std::string> problems;  // "line 3: `servng` is none of serving, batch, bounded"
};
ConfigFile read_config_file(const std::string& text);

}  // namespace gpol
