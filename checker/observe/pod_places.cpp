#include "checker/observe/pod_places.h"

#include <algorithm>

#include "checker/observe/fields.h"

namespace gpol::manifest {
namespace {

void add_requirements(const Node* list, bool of_name, std::vector<PodFacts::NodeRequirement>& term) {
  if (list == nullptr) return;
  for (const Node& item : list->items) {
    PodFacts::NodeRequirement wanted{text_at(&item, "key"), text_at(&item, "operator"), {}, of_name};
    if (const Node* values = field(item, "values"))
      for (const Node& value : values->items) wanted.values.push_back(value.text);
    term.push_back(std::move(wanted));
  }
}

// Of its own namespace alone where a term says neither.
bool repels_others(const Node& pod, const std::string& ns) {
  const Node* terms =
      at(at(field(pod, "affinity"), "podAntiAffinity"), "requiredDuringSchedulingIgnoredDuringExecution");
  if (terms == nullptr) return false;
  return std::ranges::any_of(terms->items, [&](const Node& term) {
    const Node* names = field(term, "namespaces");
    return field(term, "namespaceSelector") != nullptr ||
           (names != nullptr && std::ranges::any_of(names->items, [&](const Node& name) { return name.text != ns; }));
  });
}

std::string constraint_of(const Node& pod, bool is_pod) {
  constexpr std::string_view required = "requiredDuringSchedulingIgnoredDuringExecution";
  const Node* affinity = field(pod, "affinity");
  for (const char* key : {"podAffinity", "podAntiAffinity"})
    if (const Node* terms = at(at(affinity, key), required); terms != nullptr && !terms->items.empty())
      return "their affinity to other pods is not modelled";
  if (!is_pod && !text_at(&pod, "nodeName").empty()) return "they name their node";
  if (text_at(&pod, "hostNetwork") == "true") return "they take ports of their node";
  if (const std::string by = text_at(&pod, "schedulerName"); !by.empty() && by != "default-scheduler")
    return "another scheduler chooses their nodes";
  if (const Node* spread = field(pod, "topologySpreadConstraints"))
    for (const Node& item : spread->items)
      if (text_at(&item, "whenUnsatisfiable") != "ScheduleAnyway") return "how they are spread is not modelled";
  for (const char* list : {"containers", "initContainers"})
    if (const Node* containers = field(pod, list))
      for (const Node& container : containers->items)
        if (const Node* ports = field(container, "ports"))
          for (const Node& port : ports->items)
            if (const std::string host = text_at(&port, "hostPort"); !host.empty() && host != "0")
              return "they take ports of their node";
  return {};
}

}  // namespace

void add_tolerations(const Node& list, std::vector<Toleration>& tolerations) {
  for (const Node& item : list.items) {
    const std::string op = text_at(&item, "operator");
    tolerations.push_back(
        {text_at(&item, "key"), op.empty() ? "Equal" : op, text_at(&item, "value"), text_at(&item, "effect"), {}});
    // How long is of no consequence: for a while is not for good.
    if (const std::string seconds = text_at(&item, "tolerationSeconds"); !seconds.empty())
      tolerations.back().seconds = 0;
  }
}

void read_places(const Node& pod, PodFacts& facts) {
  facts.node = text_at(&pod, "nodeName");
  if (field(pod, "overhead") == nullptr) facts.runtime_class = text_at(&pod, "runtimeClassName");
  facts.repels = repels_others(pod, facts.ns);
  facts.constrained = constraint_of(pod, facts.kind == "Pod");
  if (const Node* selector = field(pod, "nodeSelector"))
    for (const Entry& entry : selector->entries) facts.node_selector.emplace(entry.key, entry.value.text);
  if (const Node* tolerations = field(pod, "tolerations")) add_tolerations(*tolerations, facts.tolerations);
  const Node* required =
      at(at(field(pod, "affinity"), "nodeAffinity"), "requiredDuringSchedulingIgnoredDuringExecution");
  const Node* terms = at(required, "nodeSelectorTerms");
  if (terms == nullptr) return;
  facts.node_terms.emplace();
  for (const Node& item : terms->items) {
    auto& term = facts.node_terms->emplace_back();
    add_requirements(field(item, "matchExpressions"), false, term);
    add_requirements(field(item, "matchFields"), true, term);
  }
}

}  // namespace gpol::manifest
