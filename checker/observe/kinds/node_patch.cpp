// A strategic merge patch for every node of a pool: labels and taints, and nothing else.
#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

void read_node_patch(const View& object, const std::string& pool, Draft& draft) {
  if (!object.expect(Node::Kind::Map)) return;
  NodePool result;
  result.name = pool;
  if (object.required_text("apiVersion") != "v1") object.problem("apiVersion", "must be v1");
  if (object.required_text("kind") != "Node") object.problem("kind", "must be Node");
  if (const auto metadata = object.required_map("metadata")) {
    result.labels = metadata->text_map("labels");
    metadata->finish();
  }
  if (const auto spec = object.map("spec")) {
    const auto read = [&](const View& item) {
      result.taints.push_back(taint_of(item));
      item.finish();
    };
    spec->each_map("taints", read, kMostItems);
    spec->finish();
  }
  object.finish();
  draft.cluster.node_pools.push_back(std::move(result));
}

}  // namespace gpol::manifest
