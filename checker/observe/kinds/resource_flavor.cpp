#include <set>

#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {
namespace {

// `own`: gpol wrote it, and nothing twice; the API server takes that.
void read_toleration(const View& item, bool own, std::set<Toleration>& seen, Flavor& flavor) {
  Toleration toleration = toleration_of(item);
  toleration.seconds = item.integer("tolerationSeconds");
  item.finish();
  // Of an empty key the CRD's rules say nothing.
  if (toleration.key.empty() && toleration.op != "Exists") item.problem("operator", "must be Exists without a key");
  const bool fresh = seen.insert(toleration).second;
  if (!fresh && own) item.problem("is there twice");
  if (fresh) flavor.tolerations.push_back(std::move(toleration));
}

}  // namespace

void read_resource_flavor(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "ResourceFlavor", Scope::Cluster);
  Flavor flavor;
  Span labels = metadata ? metadata->name_span : Span{};
  if (const auto spec = object.map("spec")) {
    flavor.node_labels = spec->text_map("nodeLabels");
    labels = spec->span_of("nodeLabels");
    spec->each_map("nodeTaints", [&](const View& item) {
      flavor.taints.push_back(taint_of(item));
      item.finish();
    });
    std::set<Toleration> seen;
    const bool own = draft.scale != Scale::Part;
    spec->each_map("tolerations", [&](const View& item) { read_toleration(item, own, seen, flavor); });
    flavor.topology = spec->text("topologyName").value_or("");
    spec->finish();
  }
  object.finish();
  if (!metadata) return;
  flavor.name = metadata->name;
  draft.places.node_labels.emplace(metadata->name, labels);
  draft.define_flavor(metadata->name) = std::move(flavor);
}

}  // namespace gpol::manifest
