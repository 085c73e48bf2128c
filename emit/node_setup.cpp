// Sources: kubectl label and taint; `gcloud container node-pools create`, `az aks nodepool add`, eksctl's
// managedNodeGroups, karpenter.sh/v1 NodePool; the tolerations of NVIDIA's GPU Operator,
// deployments/gpu-operator/values.yaml.
#include "emit/node_setup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "emit/kinds/object.h"
#include "emit/layout.h"

namespace gpol {

namespace {

std::string written(const Taint& taint) {
  return taint.key + (taint.value.empty() ? "" : "=" + taint.value) + ":" + taint.effect;
}

// What gpol gives nodes is under its own domain; the rest they carry already, from whoever made them.
bool is_own(std::string_view key) { return key.starts_with("gpol.dev/"); }
constexpr auto kAny = [](std::string_view) { return true; };

std::vector<std::string> labels_of(const NodePool& pool, bool (*which)(std::string_view) = kAny) {
  std::vector<std::string> all;
  for (const auto& [key, value] : pool.labels)
    if (which(key)) all.push_back(key + "=" + value);
  return all;
}

std::vector<std::string> taints_of(const NodePool& pool, bool (*which)(std::string_view) = kAny) {
  std::vector<std::string> all;
  for (const Taint& taint : pool.taints)
    if (which(taint.key)) all.push_back(written(taint));
  return all;
}

// A node that lacks something is named, and nothing is written then.
std::string checks(const NodePool& pool) {
  std::string text;
  const auto check = [&](std::string_view found, std::string_view word, std::string_view what) {
    text += fmt::format("  {} || {{ echo \"$node has no {} {}\" >&2; missing=1; }}\n", found, what, word);
  };
  for (const auto& [key, value] : pool.labels) {
    const std::string word = key + "=" + value;
    if (!is_own(key))
      check(fmt::format("kubectl get nodes -l {} -o name | grep -qxF \"node/$node\"", word), word, "label");
  }
  for (const Taint& taint : pool.taints) {
    const std::string word = fmt::format("{}={}:{}", taint.key, taint.value, taint.effect);
    if (!is_own(taint.key))
      check(
          fmt::format("kubectl get node \"$node\" -o jsonpath='{{range .spec.taints[*]}}{{.key}}={{.value}}:{{.effect}}"
                      "{{\"\\n\"}}{{end}}' | grep -qxF {}",
                      word),
          word, "taint");
  }
  if (text.empty()) return {};
  return "missing=0\nfor node in \"$@\"; do\n" + text + "done\n[ \"$missing\" -eq 0 ]\n";
}

std::string commands(const NodePool& pool) {
  const std::string file = path_component(pool.name) + ".sh";
  const std::string checked = checks(pool);
  const auto labels = labels_of(pool, is_own), taints = taints_of(pool, is_own);
  std::string does = "Gives nodes the labels and taints of pool {}; those that they have besides stay: sh {} NODE...";
  if (!checked.empty())
    does = labels.empty() && taints.empty()
               ? "Checks that nodes carry the label and taint of pool {}, and changes nothing: sh {} NODE..."
               : "Checks that nodes carry what pool {} says of them, then gives them what is gpol's own: sh {} NODE...";
  std::string text =
      fmt::format("#!/bin/sh\n# {}\nset -eu\n[ \"$#\" -gt 0 ] || {{ echo 'usage: sh {} NODE...' >&2; exit 2; }}\n",
                  fmt::format(fmt::runtime(does), pool.name, file), file);
  text += checked;
  if (!labels.empty()) text += fmt::format("kubectl label nodes \"$@\" --overwrite {}\n", fmt::join(labels, " "));
  if (!taints.empty()) text += fmt::format("kubectl taint nodes \"$@\" --overwrite {}\n", fmt::join(taints, " "));
  return text;
}

std::string block(const yaml::Value& document) { return fmt::format("```yaml\n{}```\n\n", yaml::print(document)); }

std::string settings(const NodePool& pool) {
  std::string text =
      fmt::format("## Pool {}\n\nNodes that are there: `sh {}.sh NODE...`. New ones, by whoever makes them:\n\n",
                  pool.name, path_component(pool.name));
  const auto others = [](std::string_view key) { return !is_own(key); };
  std::vector<std::string> carried = labels_of(pool, others);
  for (const std::string& taint : taints_of(pool, others)) carried.push_back(taint);
  if (!carried.empty())
    text = fmt::format(
        "## Pool {0}\n\nThe policy says that the nodes carry `{1}` already: gpol does not write it, and `sh {2}.sh "
        "NODE...` names the nodes that lack it. New ones, by whoever makes them (leave out the labels that a cloud "
        "gives by itself):\n\n",
        pool.name, fmt::join(carried, "` and `"), path_component(pool.name));
  const auto flags = [&](const char* command, const char* label_flag, const char* taint_flag) {
    text += fmt::format("    {}", command);
    if (!pool.labels.empty()) text += fmt::format(" {} {}", label_flag, fmt::join(labels_of(pool), ","));
    if (!pool.taints.empty()) text += fmt::format(" {} {}", taint_flag, fmt::join(taints_of(pool), ","));
    text += "\n";
  };
  flags("gcloud container node-pools create NAME --cluster CLUSTER", "--node-labels", "--node-taints");
  flags("az aks nodepool add --name NAME --cluster-name CLUSTER --resource-group GROUP", "--labels", "--node-taints");
  yaml::Map group{{"name", pool.name}, {"labels", kinds::string_map(pool.labels)}};
  yaml::Map node;
  if (!pool.taints.empty()) {
    group.emplace_back("taints", kinds::taint_list(pool.taints));
    node.emplace_back("taints", kinds::taint_list(pool.taints));
  }
  text += "\nEKS, with eksctl:\n\n" + block(yaml::Map{{"managedNodeGroups", yaml::List{std::move(group)}}});
  yaml::Map made{{"metadata", yaml::Map{{"labels", kinds::string_map(pool.labels)}}}};
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
