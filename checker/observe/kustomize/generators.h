// ConfigMaps and Secrets that a kustomization generates. In: its fields and the objects so far. Out: the objects with
// those, new, merged into others, or in their place. False: reported.
#pragma once

#include <vector>

#include "checker/observe/kustomize/plan.h"
#include "checker/observe/kustomize/resource.h"

namespace gpol::manifest::kustomize {

bool generate(Context& context, const Plan& plan, std::vector<Resource>& resources);

}  // namespace gpol::manifest::kustomize
