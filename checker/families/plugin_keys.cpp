#include "checker/families/plugin_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/cluster/node_facts.h"
#include "compiler/source/lookup.h"

namespace gpol {

bool shares_by_mps(const PluginConfig& config) {
  return config.sharing == PluginConfig::Sharing::Mps || config.sharing == PluginConfig::Sharing::Both;
}

std::string offered_as(const PluginConfig& config, const std::string& resource) {
  return resource + (config.renames ? ".shared" : "");
}

PluginKeys::PluginKeys(const Proof& proof, const Evidence& evidence) : proof_(proof), evidence_(evidence) {
  for (const OperatorPolicy& policy : proof.cluster.operator_policies) {
    if (policy.plugin_config.empty()) continue;
    named_.insert(policy.plugin_config);
    defaults_.insert(policy.plugin_default);
  }
}

Takes PluginKeys::reads(const PluginConfigMap& map) const {
  const auto is_named = [&](const PluginConfigMap& one) { return named_.contains(one.name); };
  const auto& maps = proof_.cluster.plugin_config_maps;
  if (named_.empty() && !proof_.cluster.operator_policies.empty())
    return {Takes::Answer::Unknown, "the ClusterPolicy names no configuration of the device plugin",
            fmt::format("have it say `devicePlugin.config.name: {}`, or take the ConfigMap out", map.name)};
  if (named_.empty() || is_named(map)) return {Takes::Answer::Yes, {}, {}};
  if (map.of_chart)
    return {Takes::Answer::Unknown,
            fmt::format("`{}` and `{}` are values of two releases: which nodes each is for", map.name, *named_.begin()),
            "verify what belongs to one cluster, or take one of them out"};
  if (std::ranges::any_of(maps, is_named)) return {};
  return {Takes::Answer::Unknown,
          fmt::format("the GPU Operator takes ConfigMap `{}`, which is not among the manifests", *named_.begin()),
          fmt::format("give that ConfigMap, too, or take `{}` out", map.name)};
}

std::optional<std::set<std::string>> PluginKeys::labels_of(std::uint32_t flavor) const {
  const Flavor& of = proof_.cluster.flavors[flavor];
  if (const auto said = of.node_labels.find(kPluginConfigLabel); said != of.node_labels.end()) return {{said->second}};
  std::set<std::string> labels;
  for (const NodeFacts& node : evidence_.given.nodes)
    if (stands_for(of, node)) labels.insert(label_of(node, kPluginConfigLabel));
  return labels.empty() ? std::nullopt : std::optional(std::move(labels));
}

Takes PluginKeys::takes(std::uint32_t flavor, const PluginConfigMap& map, const PluginConfig& config) const {
  if (Takes reads = this->reads(map); reads.answer != Takes::Answer::Yes) return reads;
  const bool of_operator = named_.contains(map.name), only = map.configs.size() + map.others.size() == 1;
  // Without the label. Helm takes the only key, or `default`; the operator has the plugin take none where it states no
  // default (FALLBACK_STRATEGIES).
  const bool stated = defaults_.size() == 1 && *defaults_.begin() == config.name;
  const bool by_default = stated || (!of_operator && only);
  const Takes unknown{Takes::Answer::Unknown,
                      fmt::format("which nodes take `{}` of `{}` is not known", config.name, map.name),
                      fmt::format("give the Nodes, or write `{}` into the nodeLabels of the flavor: it names the key "
                                  "that nodes take",
                                  kPluginConfigLabel)};
  const auto labels = labels_of(flavor);
  if (!labels) {
    // Whichever key a Node takes, it says the same of names and of sharing.
    const bool default_is_there =
        defaults_.size() == 1 && contains(map.configs, *defaults_.begin(), &PluginConfig::name);
    const bool alike =
        default_is_there && map.others.empty() && std::ranges::all_of(map.configs, [&](const PluginConfig& one) {
          return one.renames == config.renames && one.sharing == config.sharing &&
                 one.replicas.size() == config.replicas.size() &&
                 std::equal(one.replicas.begin(), one.replicas.end(), config.replicas.begin(),
                            [](const auto& a, const auto& b) { return a.first == b.first; });
        });
    return (by_default && only) || alike ? Takes{Takes::Answer::Yes, {}, {}, !stated} : unknown;
  }
  Takes found;
  for (const std::string& label : *labels) {
    if (label == config.name || (label.empty() && by_default))
      return {Takes::Answer::Yes, {}, {}, label.empty() && !stated};
    if (label.empty() && (defaults_.size() > 1 || (!of_operator && config.name == "default"))) found = unknown;
  }
  return found;
}

std::optional<PluginKeys::OfNode> PluginKeys::of_node(const NodeFacts& node) const {
  const auto& maps = proof_.cluster.plugin_config_maps;
  const auto map = std::ranges::find_if(maps, [&](const PluginConfigMap& one) { return named_.contains(one.name); });
  if (named_.size() != 1 || map == maps.end()) return std::nullopt;
  OfNode found{nullptr, label_of(node, kPluginConfigLabel)};
  if (found.key.empty()) found.key = *defaults_.begin();
  if (defaults_.size() != 1 || found.key.empty()) return std::nullopt;
  for (const PluginConfig& config : map->configs)
    if (config.name == found.key) found.config = &config;
  if (contains(map->others, found.key)) return std::nullopt;
  return found;
}

}  // namespace gpol
