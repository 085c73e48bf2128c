#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

// scheduling.k8s.io/v1, pkg/apis/scheduling/validation: a value that users may give is at most 1,000,000,000.
void read_pod_priority_class(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "PriorityClass", Scope::Cluster);
  PriorityClass result;
  if (!object.has("value")) object.problem("value", "is required");
  result.value = object.integer("value").value_or(0);
  if (result.value < INT32_MIN || result.value > 1'000'000'000)
    object.problem("value", "is not within what users may give: at most 1000000000");
  result.global_default = object.boolean("globalDefault").value_or(false);
  const auto policy = object.text("preemptionPolicy").value_or("PreemptLowerPriority");
  if (policy != "PreemptLowerPriority" && policy != "Never")
    object.problem("preemptionPolicy", "is neither PreemptLowerPriority nor Never");
  result.preempts = policy != "Never";
  object.ignore("description", Node::Kind::Text);  // for people only
  object.finish();
  if (!metadata) return;
  if (metadata->name.starts_with("system-")) object.problem("metadata.name", "begins with system-, which is reserved");
  result.name = metadata->name;
  result.labels = metadata->labels;
  draft.cluster.pod_priority_classes.push_back(std::move(result));
}

}  // namespace gpol::manifest
