#include <utility>

#include "emit/kinds/kinds.h"

namespace gpol::kinds {

yaml::Value node_patch(const NodePool& pool) {
  yaml::Map metadata;
  metadata.emplace_back("labels", string_map(pool.labels));
  yaml::List taints;
  for (const Taint& taint : pool.taints) {
    yaml::Map entry{{"key", taint.key}};
    if (!taint.value.empty()) entry.emplace_back("value", taint.value);
    entry.emplace_back("effect", taint.effect);
    taints.emplace_back(std::move(entry));
  }
  yaml::Map map;
  map.emplace_back("apiVersion", "v1");
  map.emplace_back("kind", "Node");
  map.emplace_back("metadata", std::move(metadata));
  if (!taints.empty()) map.emplace_back("spec", yaml::Map{{"taints", std::move(taints)}});
  return map;
}

}  // namespace gpol::kinds
