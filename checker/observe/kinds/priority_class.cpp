#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

void read_priority_class(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "WorkloadPriorityClass", Scope::Cluster);
  WorkloadPriorityClass result;
  result.value = object.integer("value").value_or(0);
  object.ignore("description", Node::Kind::Text);  // for people only
  if (metadata) result.labels = metadata->labels;
  if (keep(object, metadata, result, draft.cluster.priority_classes))
    draft.places.priority_classes.push_back(metadata->name_span);
}

}  // namespace gpol::manifest
