#include "checker/observe/kustomize/resource.h"

#include <algorithm>
#include <array>

#include "checker/observe/kustomize/nodes.h"

namespace gpol::manifest::kustomize {
namespace {

struct Scoped {
  std::string_view group;
  std::string_view versions;  // each behind a blank
  std::string_view kinds;     // the same
};
// Those that belong to no namespace.
constexpr auto kClusterScoped = std::to_array<Scoped>({
    {"", " v1", " ComponentStatus Namespace Node NodeProxyOptions PersistentVolume"},
    {"admissionregistration.k8s.io", " v1 v1beta1", " MutatingWebhookConfiguration ValidatingWebhookConfiguration"},
    {"apiextensions.k8s.io", " v1 v1beta1", " CustomResourceDefinition"},
    {"apiregistration.k8s.io", " v1 v1beta1", " APIService"},
    {"certificates.k8s.io", " v1 v1beta1", " CertificateSigningRequest"},
    {"flowcontrol.apiserver.k8s.io", " v1beta1", " FlowSchema PriorityLevelConfiguration"},
    {"networking.k8s.io", " v1 v1beta1", " IngressClass"},
    {"node.k8s.io", " v1 v1beta1", " RuntimeClass"},
    {"policy", " v1beta1", " PodSecurityPolicy"},
    {"rbac.authorization.k8s.io", " v1 v1beta1", " ClusterRole ClusterRoleBinding"},
    {"scheduling.k8s.io", " v1 v1beta1", " PriorityClass"},
    {"storage.k8s.io", " v1", " CSIDriver CSINode StorageClass VolumeAttachment"},
    {"storage.k8s.io", " v1beta1", " CSIDriver StorageClass VolumeAttachment"},
});

void spread_in(Node& node, const Shared& shared, const Node& value) {
  for (Node& item : node.items) spread_in(item, shared, value);
  for (Entry& entry : node.entries) {
    if (entry.key == shared.key && entry.file == shared.file && entry.begin == shared.begin)
      entry.value = value;
    else
      spread_in(entry.value, shared, value);
  }
}

std::string metadata_text(const Node& object, std::string_view key) {
  const Node* metadata = find(object, "metadata");
  return metadata == nullptr ? "" : text_at(*metadata, key);
}

}  // namespace

bool has_word(std::string_view words, std::string_view word) {
  for (std::size_t at = 0; !word.empty() && (at = words.find(word, at)) != std::string_view::npos; ++at) {
    const auto end = at + word.size();
    if (words[at - 1] == ' ' && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

Kind kind_of(const Node& object) {
  const std::string api = text_at(object, "apiVersion");
  const auto slash = api.find('/');
  std::string kind = text_at(object, "kind");
  if (slash == std::string::npos) return {"", api, std::move(kind)};
  return {api.substr(0, slash), api.substr(slash + 1), std::move(kind)};
}

bool selected_by(const Kind& kind, const Kind& selector) {
  return (selector.group.empty() || selector.group == kind.group) &&
         (selector.version.empty() || selector.version == kind.version) &&
         (selector.kind.empty() || selector.kind == kind.kind);
}

bool cluster_scoped(const Kind& kind) {
  return std::ranges::any_of(kClusterScoped, [&](const Scoped& row) {
    return row.group == kind.group && has_word(row.versions, kind.version) && has_word(row.kinds, kind.kind);
  });
}

std::string Id::key() const {
  std::string result;
  for (const auto* part : {&kind.group, &kind.version, &kind.kind, &ns, &name}) (result += *part) += '\n';
  return result;
}

std::string shown_id(const Id& id) {
  std::string name = id.ns == kNoNamespace || id.ns == "default" ? id.name : id.ns + "/" + id.name;
  return id.kind.kind + " `" + name.substr(0, 80) + "`";
}

std::string Resource::name() const { return metadata_text(node, "name"); }
std::string Resource::ns() const { return metadata_text(node, "namespace"); }

Id Resource::id() const {
  Id id{kind(), name(), ns()};
  if (cluster_scoped(id.kind))
    id.ns = kNoNamespace;
  else if (id.ns.empty())
    id.ns = "default";
  return id;
}

std::vector<Id> Resource::previous_ids() const {
  const Kind now = kind();
  auto ids = previous;
  for (Id& id : ids) id.kind = {now.group, now.version, id.kind.kind};
  return ids;
}

Id Resource::first_id() const { return previous.empty() ? id() : previous_ids().front(); }

bool Resource::is_shared(const Entry& entry) const {
  return std::ranges::any_of(shared, [&](const Shared& one) {
    return one.key == entry.key && one.file == entry.file && one.begin == entry.begin;
  });
}

void Resource::spread(const Shared& one, const Node& value) { spread_in(node, one, value); }

void Resource::remember() { previous.push_back(id()); }

}  // namespace gpol::manifest::kustomize
