#include "checker/observe/of_kueue.h"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>

#include "checker/observe/fields.h"
#include "checker/observe/rests.h"

namespace gpol::manifest {
namespace {

bool holds(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

bool changes_queues(std::string_view text) {
  std::string low(text);
  std::ranges::transform(low, low.begin(), [](unsigned char c) { return std::tolower(c); });
  if (!holds(low, "clusterqueue") && !holds(low, "cohorts.kueue") && !holds(low, "cohort.kueue")) return false;
  constexpr std::string_view kVerbs[] = {"patch",  "apply", "edit",     "replace", "delete",
                                         "create", "scale", "annotate", "label"};
  return std::ranges::any_of(kVerbs, [&](std::string_view verb) { return holds(low, verb); });
}

bool changes_volcano(const std::string& text) {
  static const re2::RE2 pattern(
      "(kubectl|vcctl).*(patch|apply|edit|replace|delete|create|operate).*\\bqueues?\\b|"
      "(kubectl|vcctl).*\\bqueues?\\b.*(patch|apply|edit|replace|delete|create|operate)");
  return re2::RE2::PartialMatch(text, pattern);
}

void first(const Node*& slot, const Node& node) {
  if (slot == nullptr) slot = &node;
}

void look(const Node& node, bool inside, bool job, OfKueue& found) {
  if (node.kind == Node::Kind::Text) {
    const std::string_view text = node.text;
    if (holds(text, "config.kueue.x-k8s.io/")) {
      // Its fields begin the lines: it is one, and not a text that holds one among other things.
      if (text.starts_with("apiVersion: config.kueue") || holds(text, "\napiVersion: config.kueue"))
        found.configurations.push_back(&node);
      else
        first(found.configuration, node);
    }
    if (names_api(text, "kueue.x-k8s.io/")) first(found.object, node);
    if (job && changes_queues(text)) first(found.command, node);
    if ((names_api(text, "scheduling.volcano.sh/") && holds(text, "Queue")) || (job && changes_volcano(node.text)))
      first(found.volcano, node);
  }
  if (inside && node.kind == Node::Kind::Map) {
    const std::string api = text_at(node, "apiVersion");
    if (api.starts_with("kueue.x-k8s.io/")) first(found.object, node);
    if (api.starts_with("config.kueue.x-k8s.io/")) first(found.configuration, node);
    if (api.starts_with("scheduling.volcano.sh/") && text_at(node, "kind") == "Queue") first(found.volcano, node);
  }
  // Values of Kueue's chart (charts/kueue/values.yaml): gates beside the Configuration.
  const Node* manager = node.kind == Node::Kind::Map ? field(node, "controllerManager") : nullptr;
  if (const Node* gates = manager == nullptr ? nullptr : field(*manager, "featureGates"))
    for (const Node& gate : gates->items)
      if (field(gate, "name") != nullptr && field(gate, "enabled") != nullptr) first(found.gates, gate);
  // The same by its path, as Argo's `helm.parameters` and `helm --set` have it.
  if (const Node* name = node.kind == Node::Kind::Map ? field(node, "name") : nullptr;
      name != nullptr && name->text.starts_with("controllerManager.featureGates"))
    first(found.gates, *name);
  for (const Node& item : node.items) look(item, true, job, found);
  for (const Entry& entry : node.entries)
    // What kubectl applied last says nothing beyond the object itself.
    if (entry.key != "kubectl.kubernetes.io/last-applied-configuration" && entry.key != "managedFields")
      look(entry.value, true, job, found);
}

}  // namespace

OfKueue find_of_kueue(const Node& root, std::string_view kind) {
  OfKueue found;
  look(root, false, kind == "CronJob" || kind == "Job", found);
  return found;
}

}  // namespace gpol::manifest
