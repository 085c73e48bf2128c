#include "emit/kinds/kinds.h"

namespace gpol::kinds {

yaml::Value workload_priority_class(const WorkloadPriorityClass& priority_class) {
  yaml::Map map = object({.api_version = kKueueApi, .kind = "WorkloadPriorityClass", .name = priority_class.name},
                         priority_class.labels);
  map.emplace_back("value", priority_class.value);  // this kind has no spec
  return map;
}

}  // namespace gpol::kinds
