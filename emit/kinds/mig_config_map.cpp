// api/spec/v1/spec.go of NVIDIA/mig-parted: `devices` is `all` or a list of indices; `mig-devices` is there where
// `mig-enabled` is true, and only there.
#include <fmt/format.h>

#include <utility>

#include "emit/kinds/kinds.h"

namespace gpol::kinds {

namespace {

yaml::Value entry_of(const MigConfig::Entry& entry) {
  yaml::Map map;
  add_unless_empty(map, "device-filter", string_list(entry.filters));
  if (entry.devices.empty())
    map.emplace_back("devices", "all");
  else
    map.emplace_back("devices", yaml::List(entry.devices.begin(), entry.devices.end()));
  map.emplace_back("mig-enabled", entry.enabled);
  if (entry.enabled) {
    yaml::Map slices;
    for (const auto& [profile, count] : entry.slices) slices.emplace_back(profile, count);
    map.emplace_back("mig-devices", std::move(slices));
  }
  return map;
}

}  // namespace

yaml::Value mig_config_map(const MigConfigMap& map) {
  yaml::Map configs;
  std::string nodes;
  for (const MigConfig& config : map.configs) {
    if (config.nodes > 0) nodes += fmt::format("{}{}={}", nodes.empty() ? "" : " ", config.name, config.nodes);
    yaml::List entries;
    for (const MigConfig::Entry& entry : config.entries) entries.push_back(entry_of(entry));
    configs.emplace_back(config.name, std::move(entries));
  }
  std::map<std::string, std::string> annotations;
  if (!nodes.empty()) annotations.emplace(kNodesOfConfigs, nodes);
  const std::string text = yaml::print(yaml::Map{{"version", "v1"}, {"mig-configs", std::move(configs)}});
  return with(
      object({.api_version = "v1", .kind = "ConfigMap", .name = map.name, .ns = map.ns, .annotations = annotations}),
      "data", yaml::Map{{kMigConfigKey, text}});
}

}  // namespace gpol::kinds
