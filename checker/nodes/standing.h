// Whether pods that are among the manifests may stand on a Node that is. In: what both say. Out: kube-scheduler's
// filters NodeName, NodeAffinity (selector and required terms) and TaintToleration; room is counted elsewhere.
#pragma once

#include "compiler/cluster/node_facts.h"
#include "compiler/cluster/pod_facts.h"

namespace gpol::nodes {

// A node meets one of the required terms; true without any.
bool meets_terms(const PodFacts& pods, const NodeFacts& node);

// Taints of the node's condition (node.kubernetes.io/) come and go, and one named like a device is tolerated by whoever
// asks for it (the plugin ExtendedResourceToleration): neither keeps anybody away.
bool tolerates_all(const PodFacts& pods, const std::vector<Taint>& taints);

// On that node, as long as there is room.
bool may_stand_on(const PodFacts& pods, const NodeFacts& node);

}  // namespace gpol::nodes
