// Pods of batch among the manifests that ask for more beside their slices than goes with them, or for no slice, on
// nodes whose GPUs are cut: they break the premise requests-within-share. In: what the pods request. Out: each that
// does.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "checker/families/families.h"
#include "compiler/cluster/pod_facts.h"

namespace gpol {

struct BeyondShare {
  const PodFacts* pods = nullptr;
  std::string message;
};

std::vector<BeyondShare> beyond_share(const Proof& proof, std::span<const PodFacts> pods);

}  // namespace gpol
