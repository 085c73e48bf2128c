#include "emit/kinds/kinds.h"

namespace gpol::kinds {

// It has no spec.
yaml::Value priority_class(const PriorityClass& priority) {
  yaml::Map map =
      object({.api_version = kSchedulingApi, .kind = "PriorityClass", .name = priority.name}, priority.labels);
  map.emplace_back("value", priority.value);
  map.emplace_back("globalDefault", priority.global_default);
  map.emplace_back("preemptionPolicy", priority.preempts ? "PreemptLowerPriority" : "Never");
  return map;
}

}  // namespace gpol::kinds
