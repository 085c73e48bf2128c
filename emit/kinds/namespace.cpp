#include <utility>

#include "emit/kinds/kinds.h"

namespace gpol::kinds {

yaml::Value namespace_object(const Namespace& ns, const Stamp& stamp) {
  return object({.api_version = "v1", .kind = "Namespace", .name = ns.name}, ns.labels, stamp);
}

}  // namespace gpol::kinds
