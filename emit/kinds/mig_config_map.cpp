// api/spec/v1/spec.go of NVIDIA/mig-parted: `devices` is `all` or a list of indices; `mig-devices` is there where
// `mig-enabled` is true, and only there.
#include <fmt/format.h>

#include <utility>

#include "emit/kinds/kinds.h"

namespace gpol::kinds {

namespace {

yaml::Value entry_of(const MigConfig::Entry& entry) {
  yaml::Map map;
  if (!entry.filters.empty()) {
    yaml::List filters;
    for (const std::string& filter : entry.filters) filters.emplace_back(filter);
    map.emplace_back("device-filter", std::move(filters));
  }
  if (entry.devices.empty()) {
    map.emplace_back("devices", "all");
  } else {
    yaml::List devices;
    for (const std::int64_t device : entry.devices) devices.emplace_back(device);
    map.emplace_back("devices", std::move(devices));
  }
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
  yaml::Map object_map =
      object({.api_version = "v1", .kind = "ConfigMap", .name = map.name, .ns = map.ns, .annotations = annotations});
  object_map.emplace_back("data", yaml::Map{{kMigConfigKey, text}});
  return object_map;
}

}  // namespace gpol::kinds
