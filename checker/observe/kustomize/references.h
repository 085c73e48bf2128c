// References by name: where kustomize has given an object another name, the fields that it knows to name objects of
// that kind follow. It knows fields of Kubernetes' own kinds only: in a custom resource, LocalQueue.spec.clusterQueue
// say, the old name stays. In: all objects. Out: the same with names mended. False: reported.
#pragma once

#include <string>
#include <vector>

#include "checker/observe/kustomize/context.h"
#include "checker/observe/kustomize/resource.h"

namespace gpol::manifest::kustomize {

struct Reference {
  Kind target;    // empty parts: any
  Kind referrer;  // the same
  std::string path;
};
const std::vector<Reference>& references();

bool mend_references(Context& context, std::vector<Resource>& resources);

}  // namespace gpol::manifest::kustomize
