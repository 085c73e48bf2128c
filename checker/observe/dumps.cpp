#include "checker/observe/dumps.h"

#include <algorithm>
#include <functional>

#include "checker/observe/fields.h"

namespace gpol::manifest {

namespace {

void add_meaning(const Node& node, std::string& out) {
  out += static_cast<char>('0' + static_cast<int>(node.kind == Node::Kind::Integer ? Node::Kind::Text : node.kind));
  out += node.text;
  for (const Node& item : node.items) out += '\x01', add_meaning(item, out);
  std::vector<const Entry*> entries;
  for (const Entry& entry : node.entries) entries.push_back(&entry);
  std::ranges::sort(entries, [](const Entry* a, const Entry* b) { return a->key < b->key; });
  for (const Entry* entry : entries) out += '\x02' + entry->key + '\x03', add_meaning(entry->value, out);
}

}  // namespace

std::size_t meaning_of(const Node& object) {
  std::string text;
  for (const Entry& entry : object.entries) {
    if (entry.key == "status") continue;
    if (entry.key != "metadata") {
      text += entry.key;
      add_meaning(entry.value, text);
    } else if (const Node* labels = field(entry.value, "labels")) {
      add_meaning(*labels, text);
    }
  }
  return std::hash<std::string>()(text);
}

std::string name_of(const Node& object) { return text_at(field(object, "metadata"), "name"); }

bool says_active(const Node& object) {
  const Node* conditions = at(field(object, "status"), "conditions");
  if (conditions == nullptr) return true;
  return std::ranges::none_of(conditions->items, [](const Node& condition) {
    return text_at(&condition, "type") == "Active" && text_at(&condition, "status") != "True";
  });
}

std::vector<Doubt> against_activity(const Node& queue) {
  std::vector<Doubt> doubts;
  const Node *metadata = field(queue, "metadata"), *status = field(queue, "status");
  if (metadata != nullptr && field(*metadata, "deletionTimestamp") != nullptr)
    doubts.push_back(
        {metadata, "metadata.deletionTimestamp", "says that it is being deleted: nobody can evict from it"});
  const std::string stop = text_at(field(queue, "spec"), "stopPolicy");
  if (status != nullptr && !says_active(queue) && (stop.empty() || stop == "None"))
    doubts.push_back({status, "status.conditions", "say that it is not active: nobody can evict from it"});
  return doubts;
}

void find_quota_ways(const Node& object, const Place& place, std::vector<QuotaWayUse>& found) {
  constexpr std::string_view kConfig = "kueue.x-k8s.io/preemption-config-name";
  if (!text_at(&object, "apiVersion").starts_with("kueue.x-k8s.io/")) return;
  const std::string kind = text_at(&object, "kind");
  const Node* config = at(at(field(object, "metadata"), "annotations"), kConfig);
  if (kind == "ClusterQueue" && config != nullptr) {
    std::string where = "metadata.annotations";
    append_key(where, kConfig);
    found.push_back({"preemption-config", kind, name_of(object), {std::move(where), place.span(*config)}});
  }
  if (const Node* quotas = at(field(object, "status"), "effectiveQuotas"); quotas != nullptr)
    found.push_back({"effective-quotas", kind, name_of(object), {"status.effectiveQuotas", place.span(*quotas)}});
}

void note_v1beta1(const Node& object, const Place& place, std::vector<QuotaWayUse>& found) {
  const Node* version = field(object, "apiVersion");
  if (version != nullptr && version->text == "kueue.x-k8s.io/v1beta1")
    found.push_back({"", text_at(&object, "kind"), name_of(object), {"apiVersion", place.span(*version)}});
}

void take_worst(const NodeFacts& other, NodeFacts& node) {
  node.cordoned = node.cordoned || other.cordoned;
  for (auto& [resource, amount] : node.allocatable) {
    const auto found = other.allocatable.find(resource);
    amount = found == other.allocatable.end() ? 0 : std::min(amount, found->second);
  }
}

std::optional<Scaled::value_type> scaled_by(const Node& object) {
  const std::string kind = text_at(&object, "kind");
  const bool keda = kind == "ScaledObject";
  if (kind != "HorizontalPodAutoscaler" && !keda) return std::nullopt;
  const Node *metadata = field(object, "metadata"), *spec = field(object, "spec");
  const Node* target = spec == nullptr ? nullptr : field(*spec, "scaleTargetRef");
  if (target == nullptr) return std::nullopt;
  const std::string ns = text_at(metadata, "namespace");
  constexpr std::int64_t kMostOfKeda = 100;  // where it says none (apis/keda/v1alpha1/scaledobject_types.go)
  const std::int64_t most = whole_at(spec, keda ? "maxReplicaCount" : "maxReplicas").value_or(keda ? kMostOfKeda : 1);
  const std::string of = text_at(target, "kind");  // keda/v1alpha1 ScaleTarget: a Deployment where it says none
  return Scaled::value_type{
      (of.empty() ? "Deployment" : of) + "/" + (ns.empty() ? "default" : ns) + "/" + text_at(target, "name"), most};
}

void raise_to(const Scaled::value_type& target, Scaled& scaled) {
  std::int64_t& most = scaled[target.first];
  most = std::max(most, target.second);
}

void settle_outside(const Scaled& scaled, const std::set<std::string>& plain, std::vector<OutsideFacts>& outside) {
  constexpr std::string_view set = "apps/ReplicaSet/";
  std::set<std::string> owners;
  for (const OutsideFacts& facts : outside) owners.insert(facts.group + "/" + facts.kind + "/" + facts.name);
  std::erase_if(outside, [&](const OutsideFacts& facts) {
    const std::string& owner = facts.owner;
    // As Kubernetes makes them, and no circle of owners that are counted nowhere.
    if (facts.group == "apps" && facts.kind == "ReplicaSet")
      return owner.starts_with("apps/Deployment/") && owners.contains(owner);
    const bool pod = facts.group.empty() && facts.kind == "Pod";
    if (!pod || (!owner.starts_with(set) && !owner.starts_with("apps/StatefulSet/"))) return false;
    if (owners.contains(owner)) return true;
    // A ReplicaSet that is not there is known by its name: the Deployment's, and a hash.
    const auto hash = owner.rfind('-');
    return owner.starts_with(set) && hash != std::string::npos &&
           owners.contains("apps/Deployment/" + owner.substr(set.size(), hash - set.size()));
  });
  for (OutsideFacts& facts : outside)
    if (facts.unknown.empty() && !facts.runtime_class.empty() && !plain.contains(facts.runtime_class))
      facts.unknown = "its RuntimeClass is not modelled, or not among the manifests";
  for (OutsideFacts& facts : outside)
    if (facts.unknown.empty() && scaled.contains(facts.kind + "/" + facts.name))
      facts.unknown = "an autoscaler decides its replicas";
  std::set<std::string> names;  // a Deployment and a Pod of one name are two
  for (OutsideFacts& facts : outside)
    if (!names.insert(facts.name).second) facts.name += " (" + facts.kind + ")";
}

}  // namespace gpol::manifest
