#include "checker/observe/convert.h"

#include <algorithm>

namespace gpol::manifest {
namespace {

Node* field(Node& map, std::string_view key) {
  for (Entry& entry : map.entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

void rename(Node& map, std::string_view from, std::string_view to) {
  for (Entry& entry : map.entries)
    if (entry.key == from) entry.key = to;
}

void drop(Node& map, std::string_view key) {
  std::erase_if(map.entries, [&](const Entry& entry) { return entry.key == key; });
}

std::string text_of(const Node* node) { return node == nullptr ? std::string() : node->text; }

// admissionChecks: [a, b] is admissionChecksStrategy: {admissionChecks: [{name: a}, {name: b}]}; where both are given,
// the list counts, unless it is empty.
void convert_checks(Node& spec) {
  const Node* listed = field(spec, "admissionChecks");
  if (listed == nullptr || listed->kind != Node::Kind::List) return;
  if (listed->items.empty()) return drop(spec, "admissionChecks");
  drop(spec, "admissionChecksStrategy");
  Node* checks = field(spec, "admissionChecks");
  for (Node& item : checks->items) {
    Node map = item;
    map.kind = Node::Kind::Map;
    map.text.clear();
    map.entries.push_back({"name", std::move(item)});
    item = std::move(map);
  }
  Node strategy = *checks;
  strategy.kind = Node::Kind::Map;
  strategy.items.clear();
  strategy.entries.push_back({"admissionChecks", std::move(*checks)});
  for (Entry& entry : spec.entries)
    if (entry.key == "admissionChecks") entry = {"admissionChecksStrategy", std::move(strategy)};
}

void convert_cluster_queue(Node& spec) {
  rename(spec, "cohort", "cohortName");
  convert_checks(spec);
  if (Node* fungibility = field(spec, "flavorFungibility"))
    for (const auto& [key, old] : {std::pair{"whenCanBorrow", "Borrow"}, std::pair{"whenCanPreempt", "Preempt"}})
      if (Node* value = field(*fungibility, key); value != nullptr && value->text == old) value->text = "MayStopSearch";
}

void convert_workload(Node& spec) {
  const Node* name = field(spec, "priorityClassName");
  const std::string source = text_of(field(spec, "priorityClassSource"));
  if (name != nullptr && !name->text.empty()) {
    const bool kueue = source == "kueue.x-k8s.io/workloadpriorityclass";
    const auto word = [&](std::string text) {
      Node node = *name;
      node.text = std::move(text);
      return node;
    };
    Node ref = *name;
    ref.kind = Node::Kind::Map;
    ref.text.clear();
    ref.entries.push_back({"group", word(kueue ? "kueue.x-k8s.io" : "scheduling.k8s.io")});
    ref.entries.push_back({"kind", word(kueue ? "WorkloadPriorityClass" : "PriorityClass")});
    ref.entries.push_back({"name", *name});
    spec.entries.push_back({"priorityClassRef", std::move(ref)});
  }
  drop(spec, "priorityClassName");
  drop(spec, "priorityClassSource");
}

// In v1beta1 a switch says whether a block counts; in v1beta2 its presence does.
void convert_switch(Node& object, std::string_view key) {
  Node* block = field(object, key);
  if (block == nullptr) return;
  const bool on = text_of(field(*block, "enable")) == "true";
  drop(*block, "enable");
  if (!on) drop(object, key);
}

void convert_configuration(Node& object) {
  convert_switch(object, "fairSharing");
  // Off is its default there, and on is the newest version's: what is off must be said, and no field says it.
  convert_switch(object, "waitForPodsReady");
  // Absent it is on there, and off in the newest (apis/config/v1beta1/configuration_conversion.go).
  if (Node* wait = field(object, "waitForPodsReady"); wait != nullptr && field(*wait, "blockAdmission") == nullptr) {
    Node on = *wait;
    on.kind = Node::Kind::Bool;
    on.entries.clear();
    on.text = "true";
    wait->entries.push_back({"blockAdmission", std::move(on)});
  }
  if (Node* fair = field(object, "fairSharing"); fair != nullptr && field(*fair, "preemptionStrategies") == nullptr) {
    Node list = *fair;
    list.kind = Node::Kind::List;
    list.entries.clear();
    for (const char* strategy : {"LessThanOrEqualToFinalShare", "LessThanInitialShare"}) {
      Node item = *fair;
      item.kind = Node::Kind::Text;
      item.entries.clear();
      item.text = strategy;
      list.items.push_back(std::move(item));
    }
    fair->entries.push_back({"preemptionStrategies", std::move(list)});
  }
  if (Node* integrations = field(object, "integrations")) drop(*integrations, "podOptions");
}

void fill_nulls(Node* map, Node::Kind kind, const char* text) {
  if (map == nullptr) return;
  for (Entry& entry : map->entries)
    if (entry.value.kind == Node::Kind::Null) entry.value.kind = kind, entry.value.text = text;
}

}  // namespace

void decode_nulls(Node& configuration) {
  fill_nulls(field(configuration, "featureGates"), Node::Kind::Bool, "false");
  if (Node* selector = field(configuration, "managedJobsNamespaceSelector"))
    fill_nulls(field(*selector, "matchLabels"), Node::Kind::Text, "");
}

void drop_nulls(Node& node) {
  std::erase_if(node.entries, [](const Entry& entry) { return entry.value.kind == Node::Kind::Null; });
  for (Entry& entry : node.entries)
    if (entry.key != "labels" && entry.key != "annotations") drop_nulls(entry.value);
  for (Node& item : node.items) drop_nulls(item);
}

void to_newest(Node& object) {
  Node* version = field(object, "apiVersion");
  if (version == nullptr) return;
  const std::string kind = text_of(field(object, "kind"));
  if (version->text == "config.kueue.x-k8s.io/v1beta1" && kind == "Configuration") {
    version->text = "config.kueue.x-k8s.io/v1beta2";
    return convert_configuration(object);
  }
  if (version->text != "kueue.x-k8s.io/v1beta1") return;
  version->text = "kueue.x-k8s.io/v1beta2";
  Node* spec = field(object, "spec");
  if (spec == nullptr || spec->kind != Node::Kind::Map) return;
  if (kind == "ClusterQueue") convert_cluster_queue(*spec);
  if (kind == "Workload") convert_workload(*spec);
  if (kind == "AdmissionCheck") drop(*spec, "retryDelayMinutes");
}

std::string as_written(std::string field, bool converted) {
  constexpr std::string_view kNew = "spec.cohortName";
  const auto at = converted ? field.find(kNew) : std::string::npos;
  if (at != std::string::npos) field.replace(at, kNew.size(), "spec.cohort");
  return field;
}

}  // namespace gpol::manifest
