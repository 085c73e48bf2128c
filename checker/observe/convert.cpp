#include "checker/observe/convert.h"

#include <algorithm>

#include "checker/observe/fields.h"
#include "checker/observe/kustomize/nodes.h"

namespace gpol::manifest {
namespace {

using namespace kustomize;

void rename(Node& map, std::string_view from, std::string_view to) {
  for (Entry& entry : map.entries)
    if (entry.key == from) entry.key = to;
}

// admissionChecks: [a, b] is admissionChecksStrategy: {admissionChecks: [{name: a}, {name: b}]}; where both are given,
// the list counts, unless it is empty.
void convert_checks(Node& spec) {
  const Node* listed = find(spec, "admissionChecks");
  if (listed == nullptr || listed->kind != Node::Kind::List) return;
  if (listed->items.empty()) return erase(spec, "admissionChecks");
  erase(spec, "admissionChecksStrategy");
  Node* checks = find(spec, "admissionChecks");
  for (Node& item : checks->items) {
    Node map = made(Node::Kind::Map, "", item);
    map.entries.push_back({"name", std::move(item)});
    item = std::move(map);
  }
  Node strategy = made(Node::Kind::Map, "", *checks);
  strategy.entries.push_back({"admissionChecks", std::move(*checks)});
  for (Entry& entry : spec.entries)
    if (entry.key == "admissionChecks") entry = {"admissionChecksStrategy", std::move(strategy)};
}

void convert_cluster_queue(Node& spec) {
  rename(spec, "cohort", "cohortName");
  convert_checks(spec);
  if (Node* fungibility = find(spec, "flavorFungibility"))
    for (const auto& [key, old] : {std::pair{"whenCanBorrow", "Borrow"}, std::pair{"whenCanPreempt", "Preempt"}})
      if (Node* value = find(*fungibility, key); value != nullptr && value->text == old) value->text = "MayStopSearch";
}

void convert_workload(Node& spec) {
  const Node* name = find(spec, "priorityClassName");
  const std::string source = text_of(find(spec, "priorityClassSource"));
  if (name != nullptr && !name->text.empty()) {
    const bool kueue = source == "kueue.x-k8s.io/workloadpriorityclass";
    Node ref = made(Node::Kind::Map, "", *name);
    ref.entries.push_back({"group", made_text(kueue ? "kueue.x-k8s.io" : "scheduling.k8s.io", *name)});
    ref.entries.push_back({"kind", made_text(kueue ? "WorkloadPriorityClass" : "PriorityClass", *name)});
    ref.entries.push_back({"name", *name});
    spec.entries.push_back({"priorityClassRef", std::move(ref)});
  }
  erase(spec, "priorityClassName");
  erase(spec, "priorityClassSource");
}

// In v1beta1 a switch says whether a block counts; in v1beta2 its presence does.
void convert_switch(Node& object, std::string_view key) {
  Node* block = find(object, key);
  if (block == nullptr) return;
  const bool on = text_of(find(*block, "enable")) == "true";
  erase(*block, "enable");
  if (!on) erase(object, key);
}

void convert_configuration(Node& object) {
  convert_switch(object, "fairSharing");
  // Off is its default there, and on is the newest version's: what is off must be said, and no field says it.
  convert_switch(object, "waitForPodsReady");
  // Absent it is on there, and off in the newest (apis/config/v1beta1/configuration_conversion.go).
  if (Node* wait = find(object, "waitForPodsReady"); wait != nullptr && find(*wait, "blockAdmission") == nullptr)
    wait->entries.push_back({"blockAdmission", made(Node::Kind::Bool, "true", *wait)});
  if (Node* fair = find(object, "fairSharing"); fair != nullptr && find(*fair, "preemptionStrategies") == nullptr) {
    Node list = made(Node::Kind::List, "", *fair);
    for (const char* strategy : {"LessThanOrEqualToFinalShare", "LessThanInitialShare"})
      list.items.push_back(made_text(strategy, *fair));
    fair->entries.push_back({"preemptionStrategies", std::move(list)});
  }
  if (Node* integrations = find(object, "integrations")) erase(*integrations, "podOptions");
}

void fill_nulls(Node* map, Node::Kind kind, const char* text) {
  if (map == nullptr) return;
  for (Entry& entry : map->entries)
    if (entry.value.kind == Node::Kind::Null) entry.value.kind = kind, entry.value.text = text;
}

}  // namespace

void decode_nulls(Node& configuration) {
  fill_nulls(find(configuration, "featureGates"), Node::Kind::Bool, "false");
  if (Node* selector = find(configuration, "managedJobsNamespaceSelector"))
    fill_nulls(find(*selector, "matchLabels"), Node::Kind::Text, "");
}

void drop_nulls(Node& node) {
  std::erase_if(node.entries, [](const Entry& entry) { return entry.value.kind == Node::Kind::Null; });
  for (Entry& entry : node.entries)
    if (entry.key != "labels" && entry.key != "annotations") drop_nulls(entry.value);
  for (Node& item : node.items) drop_nulls(item);
}

void to_newest(Node& object) {
  Node* version = find(object, "apiVersion");
  if (version == nullptr) return;
  const std::string kind = text_of(find(object, "kind"));
  if (version->text == "config.kueue.x-k8s.io/v1beta1" && kind == "Configuration") {
    version->text = "config.kueue.x-k8s.io/v1beta2";
    return convert_configuration(object);
  }
  if (version->text != "kueue.x-k8s.io/v1beta1") return;
  version->text = "kueue.x-k8s.io/v1beta2";
  Node* spec = find(object, "spec");
  if (spec == nullptr || spec->kind != Node::Kind::Map) return;
  if (kind == "ClusterQueue") convert_cluster_queue(*spec);
  if (kind == "Workload") convert_workload(*spec);
  if (kind == "AdmissionCheck") erase(*spec, "retryDelayMinutes");
}

void give_spec(Node& object) {
  if (field(object, "spec") != nullptr) return;
  Entry& spec = object.entries.emplace_back();
  spec.key = "spec";
  spec.value.kind = Node::Kind::Map;
  spec.value.begin = spec.value.end = spec.begin = spec.end = object.begin;
}

std::string as_written(std::string field, bool converted) {
  constexpr std::string_view kNew = "spec.cohortName";
  const auto at = converted ? field.find(kNew) : std::string::npos;
  if (at != std::string::npos) field.replace(at, kNew.size(), "spec.cohort");
  return field;
}

}  // namespace gpol::manifest
