#include <string>
#include <utility>

#include "emit/kinds/kinds.h"

namespace gpol::kinds {

namespace {

// An empty string is an absent field in both types.
void add_unless_empty(yaml::Map& map, const char* key, const std::string& value) {
  if (!value.empty()) map.emplace_back(key, value);
}

yaml::Map taint(const Taint& taint) {
  yaml::Map map;
  map.emplace_back("key", taint.key);
  add_unless_empty(map, "value", taint.value);
  map.emplace_back("effect", taint.effect);
  return map;
}

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
  yaml::List taints, tolerations;
  for (const Taint& entry : flavor.taints) taints.emplace_back(taint(entry));
  if (!taints.empty()) spec.emplace_back("nodeTaints", std::move(taints));
  for (const Toleration& entry : flavor.tolerations) tolerations.emplace_back(toleration(entry));
  if (!tolerations.empty()) spec.emplace_back("tolerations", std::move(tolerations));
  add_unless_empty(spec, "topologyName", flavor.topology);

  yaml::Map map = object({.api_version = kKueueApi, .kind = "ResourceFlavor", .name = flavor.name});
  map.emplace_back("spec", std::move(spec));
  return map;
}

}  // namespace gpol::kinds
