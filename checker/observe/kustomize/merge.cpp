#include "checker/observe/kustomize/merge.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "checker/observe/kustomize/merge_lists.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest::kustomize {
namespace {

// Which lists a strategic merge patch merges, by which keys: what Kubernetes 1.21, whose types kustomize knows, says of
// its own kinds. A list that is not here, and every list of a custom resource, is replaced. In: kinds and field names.
struct MergeType;
struct MergeField {
  std::string_view name;
  const MergeType* of = nullptr;  // of the value, or of a merged list's items; null: nothing in it is merged
  bool merges = false;            // a list that is merged
  std::array<std::string_view, 2> keys = {};  // none: by the values themselves
};
struct MergeType {
  std::array<MergeField, 7> fields = {};  // behind the last: without a name
  constexpr MergeType(std::initializer_list<MergeField> list) { std::ranges::copy(list, fields.begin()); }
  const MergeField* field(std::string_view name) const {
    return name.empty() ? nullptr : find_by(fields, name, &MergeField::name);
  }
};

using F = MergeField;

constexpr F merged(std::string_view name, std::string_view key, const MergeType* of = nullptr) {
  return {name, of, true, {key, {}}};
}

constexpr MergeType kMetadata{merged("finalizers", ""), merged("ownerReferences", "uid")};
constexpr MergeType kOnlyMetadata{{"metadata", &kMetadata}};
constexpr MergeType kConditions{merged("conditions", "type")};
constexpr MergeType kWithConditions{{"metadata", &kMetadata}, {"status", &kConditions}};

constexpr MergeType kClaimTemplate{{"volumeClaimTemplate", &kOnlyMetadata}};
constexpr MergeType kVolume{{"ephemeral", &kClaimTemplate}};
constexpr MergeType kContainer{merged("env", "name"),
                               {"ports", nullptr, true, {"containerPort", "protocol"}},
                               merged("volumeDevices", "devicePath"),
                               merged("volumeMounts", "mountPath")};
constexpr MergeType kEphemeralContainer{merged("env", "name"), merged("volumeDevices", "devicePath"),
                                        merged("volumeMounts", "mountPath")};
constexpr MergeType kPodSpec{merged("containers", "name", &kContainer),
                             merged("ephemeralContainers", "name", &kEphemeralContainer),
                             merged("hostAliases", "ip"),
                             merged("imagePullSecrets", "name"),
                             merged("initContainers", "name", &kContainer),
                             {"topologySpreadConstraints", nullptr, true, {"topologyKey", "whenUnsatisfiable"}},
                             merged("volumes", "name", &kVolume)};
constexpr MergeType kTemplate{{"metadata", &kMetadata}, {"spec", &kPodSpec}};
constexpr MergeType kHasTemplate{{"template", &kTemplate}};
constexpr MergeType kWorkload{{"metadata", &kMetadata}, {"spec", &kHasTemplate}, {"status", &kConditions}};
constexpr MergeType kJobTemplate{{"metadata", &kMetadata}, {"spec", &kHasTemplate}};
constexpr MergeType kHasJobTemplate{{"jobTemplate", &kJobTemplate}};
constexpr MergeType kCronJob{{"metadata", &kMetadata}, {"spec", &kHasJobTemplate}};

constexpr MergeType kPodStatus{merged("conditions", "type"), merged("podIPs", "ip")};
constexpr MergeType kPod{{"metadata", &kMetadata}, {"spec", &kPodSpec}, {"status", &kPodStatus}};
constexpr MergeType kPodTemplate{{"metadata", &kMetadata}, {"template", &kTemplate}};
constexpr MergeType kServiceSpec{{"ports", nullptr, true, {"port", "protocol"}}};
constexpr MergeType kService{{"metadata", &kMetadata}, {"spec", &kServiceSpec}, {"status", &kConditions}};
constexpr MergeType kServiceAccount{{"metadata", &kMetadata}, merged("secrets", "name")};
constexpr MergeType kNodeSpec{merged("podCIDRs", "")};
constexpr MergeType kNodeStatus{merged("addresses", "type"), merged("conditions", "type")};
constexpr MergeType kNode{{"metadata", &kMetadata}, {"spec", &kNodeSpec}, {"status", &kNodeStatus}};
constexpr MergeType kComponentStatus{{"metadata", &kMetadata}, merged("conditions", "type")};
constexpr MergeType kWebhooks{{"metadata", &kMetadata}, merged("webhooks", "name")};
constexpr MergeType kDrivers{merged("drivers", "name")};
constexpr MergeType kCsiNode{{"metadata", &kMetadata}, {"spec", &kDrivers}};

struct Row {
  std::string_view group, versions, kinds;  // words behind blanks
  const MergeType* type;
};
constexpr Row kRows[] = {
    {"apps", " v1", " DaemonSet Deployment ReplicaSet StatefulSet", &kWorkload},
    {"batch", " v1", " Job", &kWorkload},
    {"batch", " v1 v1beta1", " CronJob", &kCronJob},
    {"", " v1", " ReplicationController", &kWorkload},
    {"", " v1", " Pod", &kPod},
    {"", " v1", " PodTemplate", &kPodTemplate},
    {"", " v1", " Service", &kService},
    {"", " v1", " ServiceAccount", &kServiceAccount},
    {"", " v1", " Node", &kNode},
    {"", " v1", " PersistentVolumeClaim", &kWithConditions},
    {"", " v1", " Namespace", &kWithConditions},
    {"", " v1", " ComponentStatus", &kComponentStatus},
    {"", " v1", " Binding ConfigMap Endpoints Event LimitRange PersistentVolume ResourceQuota Secret", &kOnlyMetadata},
    {"admissionregistration.k8s.io", " v1 v1beta1", " MutatingWebhookConfiguration ValidatingWebhookConfiguration",
     &kWebhooks},
    {"policy", " v1 v1beta1", " PodDisruptionBudget", &kWithConditions},
    {"apiregistration.k8s.io", " v1 v1beta1", " APIService", &kWithConditions},
    {"storage.k8s.io", " v1 v1beta1", " CSINode", &kCsiNode},
    {"apiextensions.k8s.io", " v1 v1beta1", " CustomResourceDefinition", &kOnlyMetadata},
    {"apps", " v1", " ControllerRevision", &kOnlyMetadata},
    {"autoscaling", " v1 v2beta1 v2beta2", " HorizontalPodAutoscaler", &kOnlyMetadata},
    {"autoscaling", " v1", " Scale", &kOnlyMetadata},
    {"certificates.k8s.io", " v1 v1beta1", " CertificateSigningRequest", &kOnlyMetadata},
    {"coordination.k8s.io", " v1 v1beta1", " Lease", &kOnlyMetadata},
    {"discovery.k8s.io", " v1 v1beta1", " EndpointSlice", &kOnlyMetadata},
    {"events.k8s.io", " v1 v1beta1", " Event", &kOnlyMetadata},
    {"extensions", " v1beta1", " Ingress", &kOnlyMetadata},
    {"flowcontrol.apiserver.k8s.io", " v1beta1", " FlowSchema PriorityLevelConfiguration", &kOnlyMetadata},
    {"networking.k8s.io", " v1", " NetworkPolicy", &kOnlyMetadata},
    {"networking.k8s.io", " v1 v1beta1", " Ingress IngressClass", &kOnlyMetadata},
    {"node.k8s.io", " v1 v1beta1", " RuntimeClass", &kOnlyMetadata},
    {"policy", " v1beta1", " PodSecurityPolicy", &kOnlyMetadata},
    {"rbac.authorization.k8s.io", " v1 v1beta1", " ClusterRole ClusterRoleBinding Role RoleBinding", &kOnlyMetadata},
    {"scheduling.k8s.io", " v1 v1beta1", " PriorityClass", &kOnlyMetadata},
    {"storage.k8s.io", " v1 v1beta1", " CSIDriver StorageClass VolumeAttachment", &kOnlyMetadata},
    {"storage.k8s.io", " v1beta1", " CSIStorageCapacity", &kOnlyMetadata},
};

// Null: a kind without a schema.
const MergeType* merge_type_of(const Kind& kind) {
  for (const Row& row : kRows)
    if (row.group == kind.group && has_word(row.versions, kind.version) && has_word(row.kinds, kind.kind))
      return row.type;
  return nullptr;
}

using NodeKind = Node::Kind;
enum class Shape : std::uint8_t { None, Scalar, List, Map };
enum class Directive : std::uint8_t { Merge, Replace, Delete };

Shape shape(const Node* node) {
  if (is_null(node)) return Shape::None;
  return node->kind == NodeKind::Map ? Shape::Map : node->kind == NodeKind::List ? Shape::List : Shape::Scalar;
}

struct Failed {};

// Both sides are taken apart. `same`: the patch alone counts, of which the object has nothing at that place, or nothing
// that stays; its directives and nulls are obeyed all the same. An empty result is a field that goes.
class Merger {
 public:
  Merger(Context& context, const Resource& resource) : context_(context), resource_(resource) {}

  // What was changed where several places share it, in kustomize's order.
  const std::vector<std::pair<Shared, Node>>& spreads() const { return spreads_; }

  using Side = std::optional<Node>;

  Side walk(Side ours, Side theirs, const MergeType* type, const MergeField* list, bool same) {
    if (type == nullptr && list == nullptr) type = type_of(ours, theirs);
    Shape kind = ours ? shape(&*ours) : Shape::None;
    const Shape other = theirs ? shape(&*theirs) : Shape::None;
    if (kind == Shape::None) kind = other;
    if (other != Shape::None && other != kind) {
      context_.error(*theirs, "is not of the shape that the patched field has");
      throw Failed{};
    }
    if (kind == Shape::Scalar) {
      if (theirs && !same && ours && is_scalar(*ours) && is_scalar(*theirs))
        return as_written(*ours, std::move(*theirs));
      return theirs || same ? drop_null(std::move(theirs)) : std::move(ours);
    }
    if (kind == Shape::List && list != nullptr) return merge_list(std::move(ours), std::move(theirs), *list, same);
    if (kind == Shape::List) return theirs ? drop_null(std::move(theirs)) : std::move(ours);
    return merge_map(std::move(ours), std::move(theirs), type, same);
  }

 private:
  static Side drop_null(Side side) {
    if (side && side->kind == NodeKind::Null) return std::nullopt;
    return side;
  }

  // The quotes of the old value stay, and a number in quotes is a text.
  Node as_written(const Node& ours, Node theirs) const {
    if (ours.quoted && theirs.kind != NodeKind::Text) {
      if (const auto text = context_.bytes_of(theirs.file); theirs.begin < theirs.end && theirs.end <= text.size())
        theirs.text = text.substr(theirs.begin, theirs.end - theirs.begin);
      theirs.kind = NodeKind::Text;
    }
    theirs.quoted = ours.quoted;
    return theirs;
  }

  static const MergeType* type_of(const Side& ours, const Side& theirs) {
    for (const Side* side : {&ours, &theirs}) {
      if (!*side || (*side)->kind != NodeKind::Map) continue;
      const Kind kind = kind_of(**side);
      if (kind.kind.empty() || kind.version.empty()) continue;
      if (const MergeType* type = merge_type_of(kind)) return type;
    }
    return nullptr;
  }

  Directive read_directive(const Node& at) const {
    const std::string word = text_of(&at);
    if (word == "delete") return Directive::Delete;
    if (word == "replace") return Directive::Replace;
    if (word == "merge") return Directive::Merge;
    context_.error(at, "`$patch` must be delete, merge or replace");
    throw Failed{};
  }

  // And takes it out.
  Directive directive_of(Node& patch) const {
    if (patch.kind == NodeKind::Map) {
      const Node* found = find(patch, "$patch");
      if (is_null(found)) return Directive::Merge;
      const Directive directive = read_directive(*found);
      erase(patch, "$patch");
      return directive;
    }
    const auto found = std::ranges::find_if(
        patch.items, [](const Node& item) { return item.kind == NodeKind::Map && find(item, "$patch") != nullptr; });
    if (found == patch.items.end() || found->entries.size() > 1) return Directive::Merge;
    const std::string word = text_at(*found, "$patch");
    const Directive directive = read_directive(*find(*found, "$patch"));
    std::erase_if(patch.items, [&](const Node& item) { return text_at(item, "$patch") == word; });
    return directive;
  }

  Side merge_map(Side ours, Side theirs, const MergeType* type, bool same) {
    if (!same && (!ours || ours->kind == NodeKind::Null)) {
      if (!theirs) {  // a null that was written out stays one
        return ours && ours->quoted ? std::move(ours) : std::nullopt;
      }
      same = true;
    }
    if (same) {
      if (!theirs || theirs->kind == NodeKind::Null) return std::nullopt;
      if (directive_of(*theirs) == Directive::Delete) return std::nullopt;
      return merge_fields(Node{}, std::move(*theirs), type, true);
    }
    if (theirs && theirs->kind == NodeKind::Null) return std::nullopt;
    const Directive directive = theirs ? directive_of(*theirs) : Directive::Merge;
    if (directive == Directive::Delete) return std::nullopt;
    if (directive == Directive::Replace) return merge_fields(Node{}, std::move(*theirs), type, true);
    return merge_fields(std::move(*ours), std::move(theirs), type, false);
  }

  // In place: ours keeps its order, what is new comes behind, sorted by key.
  Node merge_fields(Node ours, Side theirs, const MergeType* type, bool same) {
    std::map<std::string, Entry> news;
    if (theirs && !same)
      for (Entry& entry : theirs->entries) news.insert_or_assign(entry.key, std::move(entry));
    Node result = same ? std::move(*theirs) : std::move(ours);
    std::vector<Entry*> sorted;
    for (Entry& entry : result.entries) sorted.push_back(&entry);
    std::ranges::sort(sorted, [](const Entry* a, const Entry* b) { return a->key < b->key; });
    std::set<const Entry*> gone;
    for (Entry* entry : sorted) {
      const auto found = news.find(entry->key);
      Side patch;
      if (found != news.end()) patch = std::move(found->second.value);
      if (found != news.end()) news.erase(found);
      const bool changes = !same && patch && is_scalar(*patch) && resource_.is_shared(*entry);
      Side value = same ? step(std::nullopt, std::move(entry->value), entry->key, type, true)
                        : step(std::move(entry->value), std::move(patch), entry->key, type, false);
      if (changes && value) spreads_.push_back({{entry->file, entry->begin, entry->key}, *value});
      if (value)
        entry->value = std::move(*value);
      else
        gone.insert(entry);
    }
    std::vector<Entry> kept;
    for (Entry& entry : result.entries)
      if (!gone.contains(&entry)) kept.push_back(std::move(entry));
    for (auto& [key, entry] : news) {
      Side value = step(std::nullopt, std::move(entry.value), key, type, false);
      if (!value) continue;
      entry.value = std::move(*value);
      kept.push_back(std::move(entry));
    }
    result.entries = std::move(kept);
    return result;
  }

  Side step(Side ours, Side theirs, const std::string& key, const MergeType* type, bool same) {
    const MergeField* field = type == nullptr ? nullptr : type->field(key);
    const bool list = field != nullptr && field->merges;
    return walk(std::move(ours), std::move(theirs), field == nullptr || list ? nullptr : field->of,
                list ? field : nullptr, same);
  }

  Side merge_list(Side ours, Side theirs, const MergeField& field, bool same) {
    if (!same && (!ours || ours->kind == NodeKind::Null)) {
      if (!theirs) return std::nullopt;
      same = true;  // a directive for the list is no directive here
    } else if (theirs && theirs->kind == NodeKind::Null) {
      return std::nullopt;
    } else if (theirs) {
      const Directive directive = directive_of(*theirs);
      if (directive == Directive::Delete) return std::nullopt;
      same = same || directive == Directive::Replace;
    }
    const Node* empty = nullptr;
    const Node* ours_list = same ? &*theirs : ours ? &*ours : empty;
    const Node* theirs_list = theirs ? &*theirs : empty;
    const std::size_t count = (ours ? ours->items.size() : 0) + (theirs ? theirs->items.size() : 0);
    if (!context_.spend_steps(count * count)) throw Failed{};  // each is compared with each
    Node result = ours_list != nullptr ? *ours_list : *theirs_list;
    auto merged = merge_items(ours_list, theirs_list, field.keys, [&](const Node* our, const Node* their) {
      const bool replaced = !same && our != nullptr && their != nullptr && text_at(*their, "$patch") == "replace";
      return MergedItem{walk(our != nullptr && !same ? Side(*our) : Side(), their != nullptr ? Side(*their) : Side(),
                             field.of, nullptr, same),
                        !replaced};
    });
    if (!merged) {
      context_.not_built(theirs ? *theirs : *ours, "an item of `" + std::string(field.name) + "` has no `" +
                                                       std::string(field.keys[0]) + "`, by which a patch merges it");
      throw Failed{};
    }
    result.items = std::move(*merged);
    return result;
  }

  Context& context_;
  const Resource& resource_;
  std::vector<std::pair<Shared, Node>> spreads_;
};

}  // namespace

bool merge_patch(Context& context, Resource& resource, const Node& patch) {
  if (text_at(patch, "$patch") == "replace") return true;  // it means to, and it changes nothing of a whole object
  try {
    Merger merger(context, resource);
    auto merged = merger.walk(std::move(resource.node), patch, nullptr, nullptr, false);
    resource.node = merged ? std::move(*merged) : Node{};
    for (const auto& [shared, value] : merger.spreads()) resource.spread(shared, value);
    return true;
  } catch (const Failed&) {
    return false;
  }
}

}  // namespace gpol::manifest::kustomize
