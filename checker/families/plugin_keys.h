// Which configuration of the device plugin the nodes of a flavor take. In: the ConfigMaps and ClusterPolicies among the
// manifests, and Nodes or the labels of flavors. Source: cmd/config-manager/main.go of NVIDIA/k8s-device-plugin: the
// key that the label nvidia.com/device-plugin.config names; without the label the default, which the ClusterPolicy
// states; without one `default`, or the only key (Helm), or none (the operator).
#pragma once

#include <optional>
#include <set>
#include <string>

#include "checker/families/table.h"

namespace gpol {

bool shares_by_mps(const PluginConfig& config);
// The name under which a resource that it shares is offered.
std::string offered_as(const PluginConfig& config, const std::string& resource);

struct Takes {
  enum class Answer : std::uint8_t { Yes, No, Unknown } answer = Answer::No;
  std::string why, fix;  // Unknown
  bool assumed = false;  // Yes: it is the only key there is, and no label says anything
};

class PluginKeys {
 public:
  PluginKeys(const Proof& proof, const Evidence& evidence);

  // Whether some node of the flavor takes it.
  Takes takes(std::uint32_t flavor, const PluginConfigMap& map, const PluginConfig& config) const;
  // The configuration of a node: null where it takes none; nothing where that is not known.
  struct OfNode {
    const PluginConfig* config = nullptr;
    std::string key;  // what the label or the default says
  };
  std::optional<OfNode> of_node(const NodeFacts& node) const;

 private:
  // Whether the plugin reads it: unknown where what a ClusterPolicy names is not among the manifests.
  Takes reads(const PluginConfigMap& map) const;
  // The values of the label on the flavor's nodes ("": none); nothing where they are not known.
  std::optional<std::set<std::string>> labels_of(std::uint32_t flavor) const;

  const Proof& proof_;
  const Evidence& evidence_;
  std::set<std::string> named_, defaults_;  // what ClusterPolicies say: ConfigMaps, default keys
};

}  // namespace gpol
