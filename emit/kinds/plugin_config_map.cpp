// api/config/v1 of NVIDIA/k8s-device-plugin: config.go, flags.go, replicas.go.
#include <utility>

#include "emit/kinds/kinds.h"

namespace gpol::kinds {

namespace {

yaml::Value sharing_of(const PluginConfig& config) {
  yaml::List resources;
  for (const auto& [resource, replicas] : config.replicas)
    resources.emplace_back(yaml::Map{{"name", resource}, {"replicas", replicas}});
  return yaml::Map{{"renameByDefault", config.renames},
                   {"failRequestsGreaterThanOne", config.refuses_several},
                   {"resources", std::move(resources)}};
}

}  // namespace

yaml::Value plugin_config_map(const PluginConfigMap& map) {
  yaml::Map data;
  for (const PluginConfig& config : map.configs) {
    yaml::Map document{{"version", "v1"}, {"flags", yaml::Map{{"migStrategy", config.mig_strategy}}}};
    if (config.sharing != PluginConfig::Sharing::None)
      document.emplace_back("sharing", yaml::Map{{config.sharing == PluginConfig::Sharing::Mps ? "mps" : "timeSlicing",
                                                  sharing_of(config)}});
    data.emplace_back(config.name, yaml::print(document));
  }
  return with(object({.api_version = "v1", .kind = "ConfigMap", .name = map.name, .ns = map.ns}), "data",
              std::move(data));
}

}  // namespace gpol::kinds
