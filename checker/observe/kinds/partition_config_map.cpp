#include <algorithm>
#include <sstream>

#include "checker/observe/documents.h"
#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

namespace {

// "gpol-live.3f2a9c41=2 gpol-live.77ab1203=1"
void read_nodes(const std::string& annotation, const View& object, std::vector<MigConfig>& configs) {
  std::istringstream words(annotation);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals), count = equals == std::string::npos ? "" : word.substr(equals + 1);
    const auto config = std::ranges::find(configs, name, &MigConfig::name);
    if (config == configs.end() || count.empty() || count.size() > 9 || !only_digits(count))
      object.problem("metadata", shown(word) + " of " + kNodesOfConfigs + " is not NAME=NODES of a configuration");
    else
      config->nodes = std::stoll(count);
  }
}

}  // namespace

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
  if (const auto nodes = metadata->annotations.find(kNodesOfConfigs); mig && nodes != metadata->annotations.end())
    read_nodes(nodes->second, object, cuts.configs);
  if (mig)
    draft.cluster.mig_config_maps.push_back(std::move(cuts));
  else
    draft.cluster.plugin_config_maps.push_back(std::move(shares));
}

}  // namespace gpol::manifest
