#include "checker/observe/pod_places.h"

#include "checker/observe/fields.h"

namespace gpol::manifest {
namespace {

const Node* at(const Node* map, std::string_view key) { return map == nullptr ? nullptr : field(*map, key); }

std::string text_at(const Node* map, std::string_view key) {
  const Node* found = at(map, key);
  return found == nullptr ? std::string() : found->text;
}

void add_requirements(const Node* list, bool of_name, std::vector<PodFacts::NodeRequirement>& term) {
  if (list == nullptr) return;
  for (const Node& item : list->items) {
    PodFacts::NodeRequirement wanted{text_at(&item, "key"), text_at(&item, "operator"), {}, of_name};
    if (const Node* values = field(item, "values"))
      for (const Node& value : values->items) wanted.values.push_back(value.text);
    term.push_back(std::move(wanted));
  }
}

}  // namespace

void add_tolerations(const Node& list, std::vector<Toleration>& tolerations) {
  for (const Node& item : list.items) {
    const std::string op = text_at(&item, "operator");
    tolerations.push_back(
        {text_at(&item, "key"), op.empty() ? "Equal" : op, text_at(&item, "value"), text_at(&item, "effect"), {}});
  }
}

void read_places(const Node& pod, PodFacts& facts) {
  facts.node = text_at(&pod, "nodeName");
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
