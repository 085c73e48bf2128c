// Sources: kubectl label and taint; `gcloud container node-pools create`, `az aks nodepool add`, eksctl's
// managedNodeGroups, karpenter.sh/v1 NodePool; the tolerations of NVIDIA's GPU Operator,
// deployments/gpu-operator/values.yaml.
#include "emit/node_setup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "emit/layout.h"

namespace gpol {

namespace {

std::string written(const Taint& taint) {
  return taint.key + (taint.value.empty() ? "" : "=" + taint.value) + ":" + taint.effect;
}

std::vector<std::string> labels_of(const NodePool& pool) {
  std::vector<std::string> all;
  for (const auto& [key, value] : pool.labels) all.push_back(key + "=" + value);
  return all;
}

std::vector<std::string> taints_of(const NodePool& pool) {
  std::vector<std::string> all;
  for (const Taint& taint : pool.taints) all.push_back(written(taint));
  return all;
}

std::string commands(const NodePool& pool) {
  const std::string file = path_component(pool.name) + ".sh";
  std::string text = fmt::format(
      "#!/bin/sh\n"
      "# Gives nodes the labels and taints of pool {}; those that they have besides stay: sh {} NODE...\n"
      "set -eu\n"
      "[ \"$#\" -gt 0 ] || {{ echo 'usage: sh {} NODE...' >&2; exit 2; }}\n",
      pool.name, file, file);
  if (!pool.labels.empty())
    text += fmt::format("kubectl label nodes \"$@\" --overwrite {}\n", fmt::join(labels_of(pool), " "));
  if (!pool.taints.empty())
    text += fmt::format("kubectl taint nodes \"$@\" --overwrite {}\n", fmt::join(taints_of(pool), " "));
  return text;
}

yaml::Value label_map(const NodePool& pool) {
  yaml::Map map;
  for (const auto& [key, value] : pool.labels) map.emplace_back(key, value);
  return map;
}

yaml::Value taint_list(const NodePool& pool) {
  yaml::List list;
  for (const Taint& taint : pool.taints) {
    yaml::Map entry{{"key", taint.key}};
    if (!taint.value.empty()) entry.emplace_back("value", taint.value);
    entry.emplace_back("effect", taint.effect);
    list.emplace_back(std::move(entry));
  }
  return list;
}

std::string block(const yaml::Value& document) { return fmt::format("```yaml\n{}```\n\n", yaml::print(document)); }

std::string settings(const NodePool& pool) {
  std::string text =
      fmt::format("## Pool {}\n\nNodes that are there: `sh {}.sh NODE...`. New ones, by whoever makes them:\n\n",
                  pool.name, path_component(pool.name));
  const auto flags = [&](const char* command, const char* label_flag, const char* taint_flag) {
    text += fmt::format("    {}", command);
    if (!pool.labels.empty()) text += fmt::format(" {} {}", label_flag, fmt::join(labels_of(pool), ","));
    if (!pool.taints.empty()) text += fmt::format(" {} {}", taint_flag, fmt::join(taints_of(pool), ","));
    text += "\n";
  };
  flags("gcloud container node-pools create NAME --cluster CLUSTER", "--node-labels", "--node-taints");
  flags("az aks nodepool add --name NAME --cluster-name CLUSTER --resource-group GROUP", "--labels", "--node-taints");
  yaml::Map group{{"name", pool.name}, {"labels", label_map(pool)}};
  yaml::Map node;
  if (!pool.taints.empty()) {
    group.emplace_back("taints", taint_list(pool));
    node.emplace_back("taints", taint_list(pool));
  }
  text += "\nEKS, with eksctl:\n\n" + block(yaml::Map{{"managedNodeGroups", yaml::List{std::move(group)}}});
  yaml::Map made{{"metadata", yaml::Map{{"labels", label_map(pool)}}}};
  if (!node.empty()) made.emplace_back("spec", std::move(node));
  return text + "Karpenter, in a NodePool of karpenter.sh/v1:\n\n" +
         block(yaml::Map{{"spec", yaml::Map{{"template", std::move(made)}}}});
}

yaml::Value toleration(const std::string& key, const char* how, const char* effect) {
  yaml::Map entry{{"key", key}, {"operator", how}};
  if (std::string_view(how) == "Equal") entry.emplace_back("value", "");
  if (effect != nullptr) entry.emplace_back("effect", effect);
  return entry;
}

std::string tolerations(const std::vector<NodePool>& pools) {
  std::set<std::string> keys;
  for (const NodePool& pool : pools)
    for (const Taint& taint : pool.taints) keys.insert(taint.key);
  if (keys.empty()) return {};
  yaml::List operands{toleration("nvidia.com/gpu", "Exists", "NoSchedule")};
  yaml::List worker{toleration("node-role.kubernetes.io/control-plane", "Equal", "NoSchedule"),
                    toleration("nvidia.com/gpu", "Exists", "NoSchedule")};
  for (const std::string& key : keys) {
    operands.push_back(toleration(key, "Exists", nullptr));
    worker.push_back(toleration(key, "Exists", nullptr));
  }
  return "## Who else must stand on these nodes\n\n"
         "A DaemonSet that does not tolerate the taints is not started again on these nodes: the device plugin first "
         "of all, without which "
         "a node has no GPUs. Give the tolerations *before* the taints. Values of NVIDIA's GPU Operator; a chart takes "
         "a list as a whole, so "
         "these hold its defaults, too, and whatever you have added there stays to be added:\n\n" +
         block(yaml::Map{
             {"daemonsets", yaml::Map{{"tolerations", std::move(operands)}}},
             {"node-feature-discovery", yaml::Map{{"worker", yaml::Map{{"tolerations", std::move(worker)}}}}}}) +
         fmt::format(
             "Log and metrics collectors, CNI and CSI drivers mostly tolerate everything; `kubectl get daemonsets -A` "
             "shows who is "
             "there. The keys: {}.\n",
             fmt::join(keys, ", "));
}

}  // namespace

std::vector<RenderedFile> node_setup(const std::vector<NodePool>& pools) {
  std::vector<RenderedFile> files;
  std::string readme =
      "# Labels and taints of the nodes\n\n"
      "The scripts add to what a node carries; the YAML files beside them say the same for those who read it, and are "
      "not for `kubectl "
      "patch`, which would take all other taints away.\n\n";
  for (const NodePool& pool : pools) {
    files.push_back({path_in(Folder::Nodes, path_component(pool.name) + ".sh"), commands(pool)});
    readme += settings(pool);
  }
  if (!pools.empty()) files.push_back({path_in(Folder::Nodes, "README.md"), readme + tolerations(pools)});
  return files;
}

}  // namespace gpol
