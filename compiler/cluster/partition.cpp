#include "compiler/cluster/partition.h"

#include "compiler/cluster/fact_lines.h"
#include "compiler/source/lookup.h"

#include <set>

namespace gpol {

std::vector<std::vector<Slices>> devices_of(const MigConfig& config, std::int64_t devices) {
  std::vector<std::vector<Slices>> all(static_cast<std::size_t>(devices));
  for (const MigConfig::Entry& entry : config.entries)
    for (std::int64_t device = 0; device < devices; ++device) {
      if (!entry.devices.empty() && !contains(entry.devices, device)) continue;
      auto& layout = all[static_cast<std::size_t>(device)];
      layout.clear();
      for (const auto& [profile, count] : entry.slices)
        if (entry.enabled) layout.push_back({profile, count});
    }
  return all;
}

Block block_of(const MigConfigMap& map) {
  Block block("migConfigs", name_in_lines(map));
  for (const MigConfig& config : map.configs) {
    if (config.nodes > 0) block.fact("nodes of " + word(config.name), std::to_string(config.nodes));
    for (std::size_t e = 0; e < config.entries.size(); ++e) {
      const MigConfig::Entry& entry = config.entries[e];
      std::string& line = block.line("config ").append(word(config.name)).append(" ").append(std::to_string(e));
      line.append(entry.devices.empty() ? " all devices" : " devices");
      for (const std::int64_t device : entry.devices) line.append(" ").append(std::to_string(device));
      line.append(";");
      for (const std::string& filter : std::set<std::string>(entry.filters.begin(), entry.filters.end()))
        line.append(" filter ").append(word(filter));
      line.append(entry.enabled ? " cut" : " whole");
      for (const auto& [profile, count] : entry.slices)
        line.append(" ").append(word(profile)).append(" x ").append(std::to_string(count));
    }
  }
  return block;
}

Block block_of(const OperatorPolicy& policy) {
  Block block("operatorPolicy", policy.name);
  if (policy.mig_strategy) block.fact("mig.strategy", word(*policy.mig_strategy));
  block.fact("migManager.config", word(policy.mig_config) + " default " + word(policy.mig_default));
  block.fact("devicePlugin.config", word(policy.plugin_config) + " default " + word(policy.plugin_default));
  return block;
}

Block block_of(const PluginConfigMap& map) {
  Block block("pluginConfigs", name_in_lines(map));
  for (const PluginConfig& config : map.configs) {
    std::string& line = block.line("config ").append(word(config.name));
    line.append(" migStrategy ").append(word(config.mig_strategy));
    if (config.sharing == PluginConfig::Sharing::None) continue;
    constexpr const char* kHow[] = {"", " time-slicing", " mps", " both"};
    line.append(kHow[static_cast<std::size_t>(config.sharing)]);
    if (config.renames) line.append(" renamed");
    if (config.refuses_several) line.append(" one each");
    for (const auto& [resource, replicas] : config.replicas)
      line.append(" ").append(word(resource)).append(" x ").append(std::to_string(replicas));
  }
  return block;
}

}  // namespace gpol
