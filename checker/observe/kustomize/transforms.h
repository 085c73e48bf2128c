// What a kustomization does to all its objects, each in its turn: namespace, names, labels, annotations, replicas,
// images. In: the fields of a kustomization. Out: changed objects. False: reported.
#pragma once

#include <vector>

#include "checker/observe/kustomize/plan.h"
#include "checker/observe/kustomize/resource.h"

namespace gpol::manifest::kustomize {

bool set_namespace(Context& context, const Plan& plan, std::vector<Resource>& resources);
bool add_affixes(Context& context, const Plan& plan, std::vector<Resource>& resources);
bool add_labels(Context& context, const Plan& plan, std::vector<Resource>& resources);
bool add_annotations(Context& context, const Plan& plan, std::vector<Resource>& resources);
bool set_replicas(Context& context, const Plan& plan, std::vector<Resource>& resources);
bool set_images(Context& context, const Plan& plan, std::vector<Resource>& resources);

// Reports the fields of these that are no fields, also where nothing is changed.
void check_transforms(Context& context, const Plan& plan);

}  // namespace gpol::manifest::kustomize
