#include "emit/kinds/kinds.h"

namespace gpol::kinds {

yaml::Value priority_class(const PriorityClass& priority_class) {
  yaml::Map map = object({.api_version = kSchedulingApi, .kind = "PriorityClass", .name = priority_class.name},
                         priority_class.labels);
  map.emplace_back("value", priority_class.value);  // this kind has no spec
  map.emplace_back("globalDefault", priority_class.global_default);
  map.emplace_back("preemptionPolicy", priority_class.preempts ? "PreemptLowerPriority" : "Never");
  return map;
}

}  // namespace gpol::kinds
