// The patches of a kustomization. In: its fields and the objects so far. Out: the objects patched.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "checker/observe/kustomize/json_patch.h"
#include "checker/observe/kustomize/plan.h"
#include "checker/observe/kustomize/resource.h"
#include "checker/observe/kustomize/selectors.h"

namespace gpol::manifest::kustomize {

struct LoadedPatch {
  const Node* at = nullptr;  // what asked for it
  std::optional<Selector> target;
  std::vector<Node> merges;  // strategic
  Node list;                 // of operations
  std::vector<Operation> operations;
  bool allow_name = false, allow_kind = false, must_match = false, remembers = false;
};
struct Patches {
  std::deque<LoadedPatch> merges, patches, operations;  // patchesStrategicMerge, patches, patchesJson6902
};
// Reads their files. What is wrong is reported.
Patches load_patches(Context& context, const Plan& plan);
bool apply_patches(Context& context, const std::deque<LoadedPatch>& patches, std::vector<Resource>& resources);

}  // namespace gpol::manifest::kustomize
