#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

void read_priority_class(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "WorkloadPriorityClass", Scope::Cluster);
  WorkloadPriorityClass result;
  if (!object.has("value")) object.problem("value", "is required");
  result.value = object.integer("value").value_or(0);
  if (result.value < INT32_MIN || result.value > INT32_MAX) object.problem("value", "does not fit in 32 bits");
  object.ignore("description", Node::Kind::Text);  // for people only
  object.finish();
  if (!metadata) return;
  result.name = metadata->name;
  result.labels = metadata->labels;
  draft.cluster.priority_classes.push_back(std::move(result));
  draft.places.priority_classes.push_back(metadata->name_span);
}

}  // namespace gpol::manifest
