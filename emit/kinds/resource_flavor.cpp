#include <utility>

#include "emit/kinds/kinds.h"

namespace gpol::kinds {

namespace {

yaml::Map toleration(const Toleration& toleration) {
  yaml::Map map;
  add_unless_empty(map, "key", toleration.key);
  map.emplace_back("operator", toleration.op);
  add_unless_empty(map, "value", toleration.value);
  add_unless_empty(map, "effect", toleration.effect);
  if (toleration.seconds) map.emplace_back("tolerationSeconds", *toleration.seconds);
  return map;
}

}  // namespace

yaml::Value resource_flavor(const Flavor& flavor) {
  yaml::Map spec;
  if (!flavor.node_labels.empty()) spec.emplace_back("nodeLabels", string_map(flavor.node_labels));
  add_unless_empty(spec, "nodeTaints", taint_list(flavor.taints));
  yaml::List tolerations;
  for (const Toleration& entry : flavor.tolerations) tolerations.emplace_back(toleration(entry));
  add_unless_empty(spec, "tolerations", std::move(tolerations));
  add_unless_empty(spec, "topologyName", flavor.topology);

  return with(object({.api_version = kKueueApi, .kind = "ResourceFlavor", .name = flavor.name}), "spec",
              std::move(spec));
}

}  // namespace gpol::kinds
