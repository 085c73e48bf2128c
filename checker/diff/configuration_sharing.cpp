// How GPUs are shared, and what the GPU Operator is told. The device plugin reads its configuration when it starts, and
// the operator does not look at edits of it (gpu-sharing.rst of NVIDIA's cloud-native-docs).
#include <fmt/format.h>

#include <map>

#include "checker/diff/configuration.h"
#include "compiler/policy/resources.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

std::string in_words(const PluginConfig& config) {
  std::string text;
  for (const auto& [resource, replicas] : config.replicas)
    add_to_list(text, fmt::format("{} shares of each {}, by {}{}", replicas, is_gpu(resource) ? "GPU" : resource,
                                  config.sharing == PluginConfig::Sharing::TimeSlicing ? "time-slicing" : "MPS",
                                  config.renames ? "" : ", under the same name"));
  return text;
}

// What the operator's ClusterPolicy says of names of devices, and whose configurations count.
Facts facts_of(const OperatorPolicy& policy, const DiffSide& side) {
  Facts facts;
  if (policy.mig_strategy)
    facts["mig.strategy"] = "mig.strategy " + (policy.mig_strategy->empty() ? "taken out" : *policy.mig_strategy);
  for (const auto& [key, value] : {std::pair{"migManager.config.name", &policy.mig_config},
                                   {"migManager.config.default", &policy.mig_default},
                                   {"devicePlugin.config.name", &policy.plugin_config},
                                   {"devicePlugin.config.default", &policy.plugin_default}})
    if (!value->empty()) facts[key] = fmt::format("{} {}", key, side.below(*value));
  return facts;
}

// By pool, or by configuration where no pool has its name. What shares nothing is left out.
std::map<std::string, std::string> sharing_of(const DiffSide& of) {
  const Planned& side = *of.planned;
  std::map<std::string, std::string> found;
  for (const PluginConfigMap& map : side.cluster.plugin_config_maps)
    for (const PluginConfig& config : map.configs)
      if (config.sharing != PluginConfig::Sharing::None)
        if (!found
                 .emplace(config.name.starts_with("gpol-") ? config.name.substr(5) : of.below(config.name),
                          in_words(config))
                 .second)  // several ConfigMaps have a key of this name
          found.emplace(fmt::format("{} of {}", config.name, of.below(map.name)), in_words(config));
  for (const SharedPool& pool : side.intent.shared_pools)
    if (!pool.managed)
      found.emplace(side.cluster.flavors[pool.flavor].name,
                    in_words({"",
                              "",
                              pool.mps ? PluginConfig::Sharing::Mps : PluginConfig::Sharing::TimeSlicing,
                              true,
                              true,
                              {{std::string(resource_name(Resource::Gpu)), pool.shares}}}));
  return found;
}

}  // namespace

void compare_sharing(const DiffSide& before, const DiffSide& after, std::vector<ConfigurationRow>& out) {
  const auto operators = [](const DiffSide& side) {
    std::map<std::string, Facts> found;
    for (const OperatorPolicy& policy : side.planned->cluster.operator_policies)
      found.emplace(side.below(policy.name), facts_of(policy, side));
    return found;
  };
  const auto ran = operators(before), runs = operators(after);
  auto both = ran;
  both.insert(runs.begin(), runs.end());
  for (const auto& [name, any] : both)
    if (const auto [old, now] = differing(value_or(ran, name, {}), value_or(runs, name, {})); old != now)
      out.push_back({"operator", name, old, now,
                     !ran.contains(name)    ? "new"
                     : !runs.contains(name) ? "gone"
                                            : "changed"});
  constexpr const char* kNot = "not shared";
  const auto was = sharing_of(before), is = sharing_of(after);
  auto all = was;
  all.insert(is.begin(), is.end());
  for (const auto& [name, any] : all) {
    const std::string old = value_or(was, name, kNot), now = value_or(is, name, kNot);
    const auto flavor = flavor_of(before.planned->cluster, name);
    if (old == now || flavor.has_value() != flavor_of(after.planned->cluster, name).has_value())
      continue;  // a pool that is new
    out.push_back({"sharing",
                   name,
                   old,
                   now,
                   "shared anew",
                   fmt::format("the GPUs of {} are shared anew",
                               flavor ? "`" + name + "`" : fmt::format("nodes that take the configuration `{}`", name)),
                   {pods_that_stand(*before.planned, flavor),
                    fmt::format("{}; the device plugin starts anew and offers other devices", kDrain),
                    "apply the ConfigMap and restart the device plugin: the GPU Operator does not see edits of it",
                    "look whether the node offers what quotas count, then kubectl uncordon NODE"}});
  }
}

}  // namespace gpol
