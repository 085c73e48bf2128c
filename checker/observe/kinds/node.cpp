// Node of k8s.io/api core/v1: what schedulers go by. Whatever else it says, and it says much, is of no consequence.
#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

void read_node(const View& object, std::vector<NodeFacts>& nodes) {
  const auto metadata = object.required_map("metadata");
  if (!metadata) return;
  NodeFacts node;
  node.name = metadata->required_text("name");
  node.span = metadata->span_of("name");
  node.labels = metadata->text_map("labels");
  node.cordoned = metadata->has("deletionTimestamp");
  if (const auto spec = object.map("spec")) {
    node.cordoned = node.cordoned || spec->boolean("unschedulable").value_or(false);
    spec->each_map("taints", [&](const View& item) {
      Taint taint = taint_of(item);
      // What the node controller puts there, and takes away: its condition, which is no property of the node.
      if (taint.key.starts_with("node.kubernetes.io/"))
        node.cordoned = node.cordoned || taint.effect != "PreferNoSchedule";
      else if (taint.effect != "PreferNoSchedule")  // it keeps nobody away
        node.taints.push_back(std::move(taint));
    });
  }
  const auto status = object.map("status");
  if (const auto conditions = status ? status->list("conditions") : std::nullopt)
    for (std::size_t i = 0; i < conditions->size(); ++i)
      if (const View item = conditions->at(i); item.node().kind == Node::Kind::Map && item.text("type") == "Ready")
        node.cordoned = node.cordoned || item.text("status") != "True";
  const auto amounts = !status                      ? std::nullopt
                       : status->has("allocatable") ? status->map("allocatable")
                                                    : status->map("capacity");
  if (!amounts) return object.problem("status", "says neither what is allocatable nor its capacity");
  for (const Entry& entry : amounts->node().entries)
    if (const auto amount = read_amount(*amounts, entry.key, entry.key)) node.allocatable.emplace(entry.key, *amount);
  nodes.push_back(std::move(node));
}

}  // namespace gpol::manifest
