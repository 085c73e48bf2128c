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
    if (const auto taints = spec->list("taints"); taints && taints->at_most(1000))
      for (std::size_t i = 0; i < taints->size(); ++i) {
        const View item = taints->at(i);
        if (!item.expect(Node::Kind::Map)) continue;
        result.taints.push_back(
            {item.required_text("key"), item.text("value").value_or(""), item.required_text("effect")});
        item.finish();
      }
    spec->finish();
  }
  object.finish();
  draft.cluster.node_pools.push_back(std::move(result));
}

}  // namespace gpol::manifest
