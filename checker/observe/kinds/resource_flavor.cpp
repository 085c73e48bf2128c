#include <set>

#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {
namespace {

bool is_effect(std::string_view word) {
  return word == "NoSchedule" || word == "PreferNoSchedule" || word == "NoExecute";
}

void read_taints(const View& spec, Flavor& flavor) {
  const auto taints = spec.list("nodeTaints");
  if (!taints || !taints->at_most(8)) return;
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t i = 0; i < taints->size(); ++i) {
    const View item = taints->at(i);
    if (!item.expect(Node::Kind::Map)) continue;
    Taint taint{item.required_text("key"), item.text("value").value_or(""), item.required_text("effect")};
    item.finish();
    if (!taint.effect.empty() && !is_effect(taint.effect))
      item.problem("effect", shown(taint.effect) + " is none of NoSchedule, PreferNoSchedule, NoExecute");
    if (!seen.emplace(taint.key, taint.effect).second) item.problem("is there twice");
    flavor.taints.push_back(std::move(taint));
  }
}

// The CRD's CEL rules: without a key only Exists, a value only with Equal, seconds only with NoExecute.
void check_toleration(const View& item, const Toleration& toleration) {
  if (toleration.op != "Equal" && toleration.op != "Exists")
    item.problem("operator", shown(toleration.op) + " is none of Equal, Exists");
  if (!toleration.effect.empty() && !is_effect(toleration.effect))
    item.problem("effect", shown(toleration.effect) + " is none of NoSchedule, PreferNoSchedule, NoExecute");
  if (toleration.key.empty() && toleration.op != "Exists") item.problem("operator", "must be Exists without a key");
  if (toleration.op == "Exists" && !toleration.value.empty()) item.problem("value", "must be empty with Exists");
  if (toleration.seconds && toleration.effect != "NoExecute")
    item.problem("tolerationSeconds", "needs the effect NoExecute");
}

// `own`: gpol wrote it, and nothing twice; the API server takes that.
void read_tolerations(const View& spec, bool own, Flavor& flavor) {
  const auto tolerations = spec.list("tolerations");
  if (!tolerations || !tolerations->at_most(8)) return;
  std::set<Toleration> seen;
  for (std::size_t i = 0; i < tolerations->size(); ++i) {
    const View item = tolerations->at(i);
    if (!item.expect(Node::Kind::Map)) continue;
    Toleration toleration{item.text("key").value_or(""), item.text("operator").value_or("Equal"),
                          item.text("value").value_or(""), item.text("effect").value_or(""),
                          item.integer("tolerationSeconds")};
    item.finish();
    check_toleration(item, toleration);
    const bool fresh = seen.insert(toleration).second;
    if (!fresh && own) item.problem("is there twice");
    if (fresh) flavor.tolerations.push_back(std::move(toleration));
  }
}

}  // namespace

void read_resource_flavor(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "ResourceFlavor", Scope::Cluster);
  Flavor flavor;
  Span labels = metadata ? metadata->name_span : Span{};
  if (const auto spec = object.map("spec")) {
    flavor.node_labels = spec->text_map("nodeLabels");
    labels = spec->span_of("nodeLabels");
    if (flavor.node_labels.size() > 8) spec->problem("nodeLabels", "holds more than 8");
    read_taints(*spec, flavor);
    read_tolerations(*spec, draft.scale != Scale::Part, flavor);
    flavor.topology = spec->text("topologyName").value_or("");
    if (!flavor.topology.empty() && flavor.node_labels.empty())
      spec->problem("topologyName", "needs at least one node label");
    spec->finish();
  }
  object.finish();
  if (!metadata) return;
  flavor.name = metadata->name;
  draft.places.node_labels.emplace(metadata->name, labels);
  draft.define_flavor(metadata->name) = std::move(flavor);
}

}  // namespace gpol::manifest
