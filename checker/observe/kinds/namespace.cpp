#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

void read_namespace(const View& object, Draft& draft) {
  constexpr std::string_view name_label = "kubernetes.io/metadata.name";
  std::map<std::string, std::string> others;
  const auto metadata = read_metadata(object, draft, "Namespace", Scope::Cluster, &others);
  if (const auto spec = object.map("spec")) {
    spec->ignore("finalizers", Node::Kind::List);  // how it is deleted, not what it is
    spec->finish();
  }
  object.finish();
  if (!metadata) return;
  Namespace result{metadata->name, metadata->labels};
  for (const auto& [key, value] : others) {
    if (key != name_label) {
      if (draft.scale == Scale::Part) result.labels.emplace(key, value);  // any selector may ask for it
      draft.note_namespace_label(object, key);
      continue;
    }
    // The API server sets this label to the name, whatever is written.
    if (value != metadata->name)
      object.problem("metadata", "the label " + shown(key) + " must be the namespace's name");
    result.labels.emplace(key, value);
  }
  draft.cluster.namespaces.push_back(std::move(result));
}

}  // namespace gpol::manifest
