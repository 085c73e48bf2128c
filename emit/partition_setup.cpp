// Sources: "GPU Operator with MIG" of NVIDIA's cloud-native-docs (gpu-operator-mig.rst: nothing may use the GPUs of a
// node that is cut anew; nvidia.com/mig.config.state), cmd/nvidia-mig-manager of NVIDIA/mig-parted (its states),
// kubectl label and drain.
#include "emit/partition_setup.h"

#include <fmt/format.h>

#include "emit/layout.h"

namespace gpol {

namespace {

// What stands above the commands.
std::string head_of(const CutNodes& nodes, const std::string& file) {
  if (nodes.by == kPluginConfigLabel)
    return fmt::format(
        "# Has the device plugin offer the GPUs of nodes as its configuration {0} says: sh {1} NODE...\n"
        "# The plugin starts anew, and the GPUs get another name: first drain each node of the pods that have GPUs "
        "(kubectl drain NODE --ignore-daemonsets), afterwards look that the node offers what README.md says, then "
        "kubectl uncordon NODE.\n",
        nodes.config, file);
  return fmt::format(
      "# Has MIG Manager cut the GPUs of nodes as configuration {0} says: sh {1} NODE...\n"
      "# MIG Manager evicts nobody, and does not cut a GPU anew that is in use: first drain each node of the pods that "
      "have GPUs or slices (kubectl drain NODE --ignore-daemonsets), afterwards wait for the label "
      "nvidia.com/mig.config.state=success, then kubectl uncordon NODE.\n",
      nodes.config, file);
}

std::string commands(const CutNodes& nodes) {
  const std::string file = path_component(nodes.config) + ".sh";
  std::string text = "#!/bin/sh\n" + head_of(nodes, file);
  text += fmt::format("set -eu\n[ \"$#\" -gt 0 ] || {{ echo 'usage: sh {} NODE...' >&2; exit 2; }}\n", file);
  std::string checks;
  for (const auto& [key, value] : nodes.labels) {
    const std::string word = key + "=" + value;
    checks += fmt::format(
        "  kubectl get nodes -l {0} -o name | grep -qxF \"node/$node\" || {{ echo \"$node has no label {0}\" >&2; "
        "missing=1; }}\n",
        word);
  }
  text += "missing=0\nfor node in \"$@\"; do\n" + checks + "done\n[ \"$missing\" -eq 0 ]\n";
  return text + fmt::format("kubectl label nodes \"$@\" --overwrite {}={}\n", nodes.by, nodes.config);
}

std::string layouts_of(const MigConfig& config) {
  std::string text;
  for (const MigConfig::Entry& entry : config.entries) {
    std::string which = entry.devices.empty() ? "every GPU" : "GPUs";
    for (const std::int64_t device : entry.devices) which += fmt::format(" {}", device);
    std::string cut;
    for (const auto& [profile, count] : entry.slices)
      for (std::int64_t i = 0; i < count; ++i) cut += "[" + profile + "]";
    text += fmt::format("- {}: {}\n", which, entry.enabled ? cut : "whole");
  }
  return text;
}

// The commands, one line for each kind of node, and how many nodes are of it.
std::string scripts(const Cluster& cluster, const char* by, const std::vector<MigConfig>& configs) {
  std::string text;
  for (const CutNodes& nodes : cluster.cut_nodes) {
    if (nodes.by != by) continue;
    text += fmt::format("       sh {}.sh NODE...", path_component(nodes.config));
    for (const MigConfig& config : configs)
      if (config.name == nodes.config && config.nodes > 0)
        text += fmt::format("   # {} node{}", config.nodes, config.nodes == 1 ? "" : "s");
    text += "\n";
  }
  return text;
}

// Steps of an administrator, numbered.
std::string cutting(const Cluster& cluster) {
  const MigConfigMap& map = cluster.mig_config_maps.front();
  constexpr const char* kTheirs =
      "add the configurations of that one before this one takes its place, or theirs will not be found (`gpol build "
      "--mig-config FILE` does that)";
  constexpr const char* kMerged = "this one must hold those of that one, and does if it was given to `--mig-config`";
  std::string text = fmt::format(
      "## Slices (MIG)\n\n"
      "1. MIG Manager reads one ConfigMap, `migManager.config.name` of the ClusterPolicy; `kubectl get clusterpolicy "
      "-o jsonpath='{{.items[*].spec.migManager.config.name}}'` shows which. Nodes that carry `nvidia.com/mig.config` "
      "take their configuration from it. `mig-parted.yaml` is the ConfigMap `{0}`: {1}.\n"
      "2. Apply the configurations:\n\n"
      "       kubectl apply -f mig-parted.yaml\n\n"
      "3. Point the operator at them (above). Each profile is then a resource of its own (`nvidia.com/mig-PROFILE`), "
      "which the quotas count. On nodes that are cut already the slices get other names than before where "
      "`mig.strategy` was `single`: look for such nodes first (`kubectl get nodes -l "
      "nvidia.com/mig.strategy=single`). `migManager.config.default`, which nodes without the label "
      "take, stays as it is.\n"
      "4. Drain each node that is to be cut otherwise than it is, of the pods that have GPUs or slices: MIG Manager "
      "evicts "
      "nobody, and GPUs in use are not cut anew. `kubectl drain NODE --ignore-daemonsets`.\n"
      "5. Give each node its configuration, by the script of the kind that it is:\n\n",
      map.name, map.merged ? kMerged : kTheirs);
  text += scripts(cluster, kMigConfigLabel, map.configs);
  text +=
      "\n6. Wait until the node says that it is done, then let pods in (`kubectl uncordon NODE`). `failed`, and no "
      "label "
      "at all, mean that it has no slices:\n\n"
      "       kubectl get nodes -L nvidia.com/mig.config -L nvidia.com/mig.config.state\n\n"
      "The configurations say how many slices a GPU has, not where on it they begin: that the driver chooses. "
      "Instances "
      "do not outlive a reboot; MIG Manager makes them again.\n";
  for (const CutNodes& nodes : cluster.cut_nodes)
    for (const MigConfig& config : map.configs)
      if (config.name == nodes.config && nodes.by == kMigConfigLabel)
        text += fmt::format("\n### {}\n\n{}", config.name, layouts_of(config));
  return text + "\n";
}

std::string sharing(const Cluster& cluster) {
  const PluginConfigMap& map = cluster.plugin_config_maps.front();
  std::string text = fmt::format(
      "## Shares (time-slicing, MPS)\n\n"
      "1. The device plugin reads one ConfigMap, `devicePlugin.config.name` of the ClusterPolicy, and of it the key "
      "that "
      "a node's label `nvidia.com/device-plugin.config` names, else the default. Where another one is in use, add its "
      "keys to `device-plugin.yaml` (`{0}`) before this takes its place.\n"
      "2. Drain the nodes whose GPUs are to be shared otherwise than they are, those too that carry such a key "
      "already: "
      "the next step changes them at once. `kubectl drain NODE --ignore-daemonsets`.\n"
      "3. `kubectl apply -f device-plugin.yaml`, and point the operator at it (above). The operator does not look at "
      "edits of the ConfigMap: restart the device plugin's DaemonSet after one. Nodes without the label, those too "
      "whose GPUs others share, take `gpol.default` from then on, which shares nothing.\n"
      "4. Give each node its configuration:\n\n",
      map.name);
  text += scripts(cluster, kPluginConfigLabel, {});
  text +=
      "\n5. Each GPU that is shared is then so many `nvidia.com/gpu.shared`, and a pod asks for one. Look at what "
      "nodes "
      "offer, then let pods in (`kubectl uncordon NODE`):\n\n"
      "       kubectl get nodes -o custom-columns='NODE:.metadata.name,SHARES:.status.allocatable.nvidia\\.com/gpu\\."
      "shared,GPUS:.status.allocatable.nvidia\\.com/gpu'\n\n";
  for (const PluginConfig& config : map.configs)
    for (const auto& [resource, replicas] : config.replicas)
      text += fmt::format("- `{}`: {} shares of each GPU, by {}\n", config.name, replicas,
                          config.sharing == PluginConfig::Sharing::Mps ? "MPS" : "time-slicing");
  for (const PluginConfig& config : map.configs) {
    if (!config.replicas.empty() || config.name == kPluginDefault) continue;
    text += fmt::format("- `{0}`: shares nothing any more (`kubectl get nodes -l {1}={0}`)\n", config.name,
                        kPluginConfigLabel);
  }
  return text;
}

}  // namespace

std::vector<RenderedFile> partition_setup(const Cluster& cluster) {
  std::vector<RenderedFile> files;
  if (cluster.operator_policies.empty()) return files;
  for (const CutNodes& nodes : cluster.cut_nodes)
    files.push_back({path_in(Folder::Partition, path_component(nodes.config) + ".sh"), commands(nodes)});
  std::string text =
      "# How the GPUs are cut and shared\n\n"
      "No kustomization names these files: they are for whoever runs NVIDIA's GPU Operator. The ConfigMaps are of the "
      "namespace in which NVIDIA's instructions put it, unless `--mig-config` said another: MIG Manager and the device "
      "plugin find none in another one than theirs. `cluster-policy.yaml` is what its ClusterPolicy must say, and "
      "changes "
      "nothing else of it (with Helm: the same fields among the values). Once the ConfigMaps below are there, and not "
      "before:\n\n"
      "    kubectl patch clusterpolicy cluster-policy --type merge --patch-file cluster-policy.yaml\n\n";
  if (!cluster.mig_config_maps.empty()) text += cutting(cluster);
  if (!cluster.plugin_config_maps.empty()) text += sharing(cluster);
  while (text.ends_with("\n\n")) text.pop_back();
  files.push_back({path_in(Folder::Partition, "README.md"), std::move(text)});
  return files;
}

}  // namespace gpol
