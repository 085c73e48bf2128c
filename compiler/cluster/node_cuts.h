// How nodes that are there are cut: what their labels say (nvidia.com/mig.config, and what GPU feature discovery adds:
// docs/gpu-feature-discovery of NVIDIA/k8s-device-plugin) against the configurations of mig-parted among the manifests.
// In: Nodes, a cluster with flavors and configurations, and the GPU models that are known. Out: Intent::cut_pools.
// After take_nodes.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/cluster/node_facts.h"

namespace gpol {

// The model of a GPU by its product label and its memory in MiB (0: not said); nothing where it is not known.
using ModelOf = std::function<std::optional<Hardware>(const std::string& product, std::int64_t memory)>;

// Nodes on which MIG Manager is not done (a label nvidia.com/mig.config, and no nvidia.com/mig.config.state of
// `success`) have no slices that stay: they are cordoned.
void shut_half_cut(std::span<NodeFacts> nodes);

// How many GPUs of the model such slices take at least, where that is more than there are; else 0, and where it is not
// known.
std::int64_t gpus_needed(const Hardware& model, const std::vector<Slices>& slices, std::int64_t gpus);

void take_cuts(std::span<const NodeFacts> nodes, const ModelOf& model_of, const Cluster& cluster, Intent& intent);

}  // namespace gpol
