// Nodes as they are, where nobody declares pools. In: what Node objects say. Out: node pools of the cluster (nodes that
// look alike to its flavors) and what each flavor's nodes have. A flavor without node labels stands for every node. All
// the nodes that there are must be among them: quotas are held against their sum.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "compiler/cluster/cluster.h"
#include "compiler/cluster/intent.h"

namespace gpol {

struct NodeFacts {
  std::string name;
  std::map<std::string, std::string> labels;
  std::vector<Taint> taints;
  std::map<std::string, std::int64_t> allocatable;  // base units, by resource
  bool cordoned = false;                            // spec.unschedulable: it takes no new pod
  Span span;                                        // of its name
};

// True where every flavor's nodes look alike, so that places on them can be judged, too.
bool take_nodes(std::span<const NodeFacts> nodes, Cluster& cluster, Intent& intent);

}  // namespace gpol
