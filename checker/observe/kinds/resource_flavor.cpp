#include <set>

#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {
namespace {

constexpr std::size_t kMostOfFlavor = 8;  // the CRD's maxItems of both

bool is_effect(std::string_view word) {
  return word == "NoSchedule" || word == "PreferNoSchedule" || word == "NoExecute";
}

void read_taints(const View& spec, Flavor& flavor) {
  std::set<std::pair<std::string, std::string>> seen;
  const auto read = [&](const View& item) {
    Taint taint = taint_of(item);
    item.finish();
    if (!taint.effect.empty() && !is_effect(taint.effect))
      item.problem("effect", shown(taint.effect) + " is none of NoSchedule, PreferNoSchedule, NoExecute");
    if (!seen.emplace(taint.key, taint.effect).second) item.problem("is there twice");
    flavor.taints.push_back(std::move(taint));
  };
  spec.each_map("nodeTaints", read, kMostOfFlavor);
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
  std::set<Toleration> seen;
  const auto read = [&](const View& item) {
    Toleration toleration = toleration_of(item);
    toleration.seconds = item.integer("tolerationSeconds");
    item.finish();
    check_toleration(item, toleration);
    const bool fresh = seen.insert(toleration).second;
    if (!fresh && own) item.problem("is there twice");
    if (fresh) flavor.tolerations.push_back(std::move(toleration));
  };
  spec.each_map("tolerations", read, kMostOfFlavor);
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
