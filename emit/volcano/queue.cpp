#include "compiler/cluster/quantity.h"
#include "emit/kinds/object.h"
#include "emit/volcano/volcano.h"

namespace gpol::kinds {

namespace {

yaml::Map resource_list(const volcano::Amounts& amounts) {
  yaml::Map map;
  for (const auto& [resource, amount] : amounts) map.emplace_back(resource, quantity(resource, amount));
  return map;
}

void add_groups(yaml::Map& affinity, const char* key, const volcano::NodeGroups& groups) {
  yaml::Map map;
  add_unless_empty(map, "requiredDuringSchedulingIgnoredDuringExecution", string_list(groups.required));
  add_unless_empty(map, "preferredDuringSchedulingIgnoredDuringExecution", string_list(groups.preferred));
  if (!map.empty()) affinity.emplace_back(key, std::move(map));
}

}  // namespace

// `weight` is left out: the plugin capacity does not read it, and the webhook's default is 1.
yaml::Value volcano_queue(const volcano::Queue& queue) {
  yaml::Map spec{{"parent", queue.parent}, {"reclaimable", queue.reclaimable}, {"priority", queue.priority}};
  if (!queue.capability.empty()) spec.emplace_back("capability", resource_list(queue.capability));
  if (!queue.deserved.empty()) spec.emplace_back("deserved", resource_list(queue.deserved));
  if (!queue.guarantee.empty()) spec.emplace_back("guarantee", yaml::Map{{"resource", resource_list(queue.guarantee)}});
  yaml::Map affinity;
  add_groups(affinity, "nodeGroupAffinity", queue.affinity);
  add_groups(affinity, "nodeGroupAntiAffinity", queue.anti_affinity);
  if (!affinity.empty()) spec.emplace_back("affinity", std::move(affinity));
  return with(
      object({.api_version = "scheduling.volcano.sh/v1beta1", .kind = "Queue", .name = queue.name, .kept = true},
             queue.labels),
      "spec", std::move(spec));
}

}  // namespace gpol::kinds
