
#include "emit/kinds/kinds.h"

namespace gpol::kinds {

yaml::Value namespace_object(const Namespace& ns) {
  return object({.api_version = "v1", .kind = "Namespace", .name = ns.name, .kept = true}, ns.labels);
}

}  // namespace gpol::kinds
