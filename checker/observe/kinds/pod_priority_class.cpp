#include <array>

#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

// Fields, defaults and limits: k8s.io/api scheduling/v1 PriorityClass; pkg/apis/scheduling/validation.
void read_pod_priority_class(const View& object, Draft& draft) {
  constexpr std::int64_t kHighest = 1'000'000'000;  // of those that users may make
  constexpr std::array<std::pair<std::string_view, bool>, 2> kPolicies{
      {{"PreemptLowerPriority", true}, {"Never", false}}};
  const auto metadata = read_metadata(object, draft, "PriorityClass", Scope::Cluster);
  PriorityClass result;
  if (!object.has("value")) object.problem("value", "is required");
  result.value = object.integer("value").value_or(0);
  const bool system = metadata && metadata->name.starts_with("system-");
  if (result.value < INT32_MIN || result.value > INT32_MAX)
    object.problem("value", "does not fit in 32 bits");
  else if (!system && result.value > kHighest)
    object.problem("value", "is above 1000000000, the highest but for system classes");
  result.global_default = object.boolean("globalDefault").value_or(false);
  result.preempts = object.choice<bool>("preemptionPolicy", kPolicies, true);
  object.ignore("description", Node::Kind::Text);  // for people only
  if (metadata) result.labels = metadata->labels;
  if (keep(object, metadata, result, draft.cluster.pod_priority_classes))
    draft.places.pod_priority_classes.push_back(object.span_of("value"));
}

}  // namespace gpol::manifest
