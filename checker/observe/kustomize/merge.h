// Strategic merge patches. In: an object and a patch of it. Out: the patched object, or why kustomize would not patch
// it.
#pragma once

#include "checker/observe/kustomize/context.h"
#include "checker/observe/kustomize/resource.h"

namespace gpol::manifest::kustomize {

// False: reported. The object is left a null where the patch deletes it.
bool merge_patch(Context& context, Resource& resource, const Node& patch);

}  // namespace gpol::manifest::kustomize
