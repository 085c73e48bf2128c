#include "emit/kinds/kinds.h"

namespace gpol::kinds {

yaml::Value node_patch(const NodePool& pool) {
  yaml::Map map{{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", yaml::Map{{"labels", string_map(pool.labels)}}}};
  if (!pool.taints.empty()) map.emplace_back("spec", yaml::Map{{"taints", taint_list(pool.taints)}});
  return map;
}

}  // namespace gpol::kinds
