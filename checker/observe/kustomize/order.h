// The order in which kustomize writes objects. In: objects and the root's `sortOptions`. Out: the objects in order.
#pragma once

#include <vector>

#include "checker/observe/kustomize/plan.h"
#include "checker/observe/kustomize/resource.h"

namespace gpol::manifest::kustomize {

// False: reported.
bool put_in_order(Context& context, const Plan& plan, std::vector<Resource>& resources);

}  // namespace gpol::manifest::kustomize
