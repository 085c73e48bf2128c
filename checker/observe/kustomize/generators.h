// ConfigMaps and Secrets that a kustomization generates. In: its fields and the objects so far. Out: the objects with
// those, new, merged into others, or in their place. False: reported.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/observe/kustomize/plan.h"
#include "checker/observe/kustomize/resource.h"

namespace gpol::manifest::kustomize {

bool generate(Context& context, const Plan& plan, std::vector<Resource>& resources);

// The suffix that kustomize gives to the name of a generated ConfigMap or Secret, so that a change of what is in it
// changes its name: ten letters. Nothing where its data are no texts.
std::optional<std::string> name_hash(const Node& object);

}  // namespace gpol::manifest::kustomize
