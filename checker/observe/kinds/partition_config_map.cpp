#include "checker/observe/documents.h"
#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

void read_partition_config_map(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "ConfigMap", Scope::Namespaced);
  MigConfigMap cuts;
  PluginConfigMap shares;
  const auto data = object.required_map("data");
  const bool mig = data && data->has(kMigConfigKey);
  if (data) {
    for (const Entry& entry : data->node().entries) {
      const std::string text = data->required_text(entry.key);
      const Tree tree = parse_document(text);
      if (!tree.root)
        data->problem(entry.key, tree.refused);
      else if (mig && entry.key == kMigConfigKey)
        cuts.configs = read_mig_configs(View(*tree.root, draft.problems));
      else if (mig)
        data->problem(entry.key, "stands beside configurations of MIG, and MIG Manager does not read it");
      else
        shares.configs.push_back(read_plugin_config(View(*tree.root, draft.problems), entry.key, true));
    }
    data->finish();
  }
  object.finish();
  if (!metadata) return;
  cuts.ns = shares.ns = metadata->ns;
  cuts.name = shares.name = metadata->name;
  if (mig)
    draft.cluster.mig_config_maps.push_back(std::move(cuts));
  else
    draft.cluster.plugin_config_maps.push_back(std::move(shares));
}

}  // namespace gpol::manifest
