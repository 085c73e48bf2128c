#include "emit/kinds/kinds.h"

namespace gpol::kinds {

// It has no spec.
yaml::Value workload_priority_class(const WorkloadPriorityClass& priority) {
  return with(
      object({.api_version = kKueueApi, .kind = "WorkloadPriorityClass", .name = priority.name}, priority.labels),
      "value", priority.value);
}

}  // namespace gpol::kinds
