// Sources: "GPU Operator with MIG" of NVIDIA's cloud-native-docs (gpu-operator-mig.rst: nothing may use the GPUs of a
// node that is cut anew; nvidia.com/mig.config.state), cmd/nvidia-mig-manager of NVIDIA/mig-parted (its states),
// kubectl label and drain.
#include "emit/partition_setup.h"

#include <fmt/format.h>

#include "emit/layout.h"

namespace gpol {

namespace {

std::string commands(const CutNodes& nodes) {
  const std::string file = path_component(nodes.config) + ".sh";
  std::string text = fmt::format(
      "#!/bin/sh\n"
      "# Has MIG Manager cut the GPUs of nodes as configuration {0} says: sh {1} NODE...\n"
      "# MIG Manager evicts nobody, and does not cut a GPU anew that is in use: first drain each node of the pods that "
      "have GPUs or slices (kubectl drain NODE --ignore-daemonsets), afterwards wait for the label "
      "nvidia.com/mig.config.state=success, then kubectl uncordon NODE.\n"
      "set -eu\n"
      "[ \"$#\" -gt 0 ] || {{ echo 'usage: sh {1} NODE...' >&2; exit 2; }}\n",
      nodes.config, file);
  std::string checks;
  for (const auto& [key, value] : nodes.labels) {
    const std::string word = key + "=" + value;
    checks += fmt::format(
        "  kubectl get nodes -l {0} -o name | grep -qxF \"node/$node\" || {{ echo \"$node has no label {0}\" >&2; "
        "missing=1; }}\n",
        word);
  }
  text += "missing=0\nfor node in \"$@\"; do\n" + checks + "done\n[ \"$missing\" -eq 0 ]\n";
  return text + fmt::format("kubectl label nodes \"$@\" --overwrite {}={}\n", kMigConfigLabel, nodes.config);
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

}  // namespace

std::vector<RenderedFile> partition_setup(const Cluster& cluster) {
  std::vector<RenderedFile> files;
  if (cluster.mig_config_maps.empty()) return files;
  const MigConfigMap& map = cluster.mig_config_maps.front();
  std::string text = fmt::format(
      "# How the GPUs are cut\n\n"
      "`mig-parted.yaml` holds the configurations, `cluster-policy.yaml` what NVIDIA's GPU Operator must say beside "
      "them. No kustomization names either: an administrator applies them.\n\n"
      "1. MIG Manager reads one ConfigMap, `migManager.config.name` of the ClusterPolicy. `kubectl get clusterpolicy "
      "-o "
      "jsonpath='{{.items[*].spec.migManager.config.name}}'` shows which. Where other nodes of the cluster take "
      "configurations from it, build with `--mig-config FILE`: then `mig-parted.yaml` is that one, and these are in it "
      "beside the others.\n"
      "2. Apply the configurations and point the operator at them (with Helm: the same fields in its values):\n\n"
      "       kubectl apply -f mig-parted.yaml\n"
      "       kubectl patch clusterpolicy cluster-policy --type merge --patch-file cluster-policy.yaml\n\n"
      "   `mig.strategy: mixed` gives each profile a resource of its own (`nvidia.com/mig-PROFILE`), which the quotas "
      "count. On nodes whose GPUs are cut already it renames their slices from `nvidia.com/gpu`: look for such nodes "
      "first (`kubectl get nodes -l nvidia.com/mig.strategy=single`).\n"
      "3. Drain the nodes of the pods that have GPUs or slices: MIG Manager evicts nobody, and GPUs in use are not cut "
      "anew. `kubectl drain NODE --ignore-daemonsets`.\n"
      "4. Give each node its configuration, by the script of the kind that it is:\n\n",
      map.name);
  for (const CutNodes& nodes : cluster.cut_nodes) {
    const std::string file = path_component(nodes.config) + ".sh";
    text += fmt::format("       sh {} NODE...\n", file);
    files.push_back({path_in(Folder::Partition, file), commands(nodes)});
  }
  text +=
      "\n5. Wait until the node says that it is done, then let pods in (`kubectl uncordon NODE`). `failed`, and no "
      "label "
      "at all, mean that it has no slices:\n\n"
      "       kubectl get nodes -L nvidia.com/mig.config -L nvidia.com/mig.config.state\n\n"
      "The configurations say how many slices a GPU has, not where on it they begin: that the driver chooses. "
      "Instances "
      "do not outlive a reboot; MIG Manager makes them again.\n";
  for (const CutNodes& nodes : cluster.cut_nodes)
    for (const MigConfig& config : map.configs)
      if (config.name == nodes.config) text += fmt::format("\n## {}\n\n{}", config.name, layouts_of(config));
  files.push_back({path_in(Folder::Partition, "README.md"), std::move(text)});
  return files;
}

}  // namespace gpol
