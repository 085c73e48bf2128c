// What the API server asks of the metadata of every object on create (apimachinery pkg/api/validation/objectmeta.go).
// A namespace on a cluster-scoped kind is no mistake: the server drops it. That a namespaced object has none
// (metadata:namespace-required) is one only where nobody brings it along, as kubectl does.
#include "checker/observe/schema/shared_rules.h"
#include "checker/observe/schema/syntax.h"

namespace gpol::manifest::schema {
namespace {

constexpr std::string_view kEvery =
    "ClusterQueue Cohort LocalQueue ResourceFlavor Topology WorkloadPriorityClass AdmissionCheck Workload Queue";

// Of another type it has been reported.
bool is_absent_or(Json type, const Look& look) { return !look.present() || look.is(type); }

void object_name(const Look& object, const Report& report) {
  const Look metadata = object.get("metadata"), name = metadata.get("name"), prefix = metadata.get("generateName");
  if (!is_absent_or(Json::Map, metadata) || !is_absent_or(Json::Text, name)) return;
  if (name.text().empty() && prefix.text().empty()) return report(name, "is required, or generateName");
  if (!name.text().empty() && !is_subdomain(name.text()))
    report(name, shown(name.text()) + " is not " + std::string(described(Syntax::Subdomain)) + "; at most 253 of them");
}

void generated_name(const Look& object, const Report& report) {
  const Look metadata = object.get("metadata"), name = metadata.get("name"), prefix = metadata.get("generateName");
  const std::string text(prefix.text());
  if (text.empty()) return;
  // As the server does: a `-` at the end, and what stands before it, make room for a letter.
  const bool dash = text.size() > 1 && text.ends_with('-');
  const std::string masked = dash ? text.substr(0, text.size() - 2) + "a" : text;
  const bool generated = !name.text().empty() || is_subdomain(text.substr(0, 58) + "xxxxx");
  if (!is_subdomain(masked) || !generated) report(prefix, shown(text) + " is not the beginning of a DNS name");
}

void namespace_required(const Look& object, const Report& report) {
  const Look metadata = object.get("metadata"), ns = metadata.get("namespace");
  if (is_absent_or(Json::Map, metadata) && is_absent_or(Json::Text, ns) && ns.text().empty())
    report(ns, "is required for this kind");
}

void namespace_name(const Look& object, const Report& report) {
  const Look metadata = object.get("metadata"), ns = metadata.get("namespace");
  if (!ns.text().empty() && !is_label(ns.text()))
    report(ns, shown(ns.text()) + " is not " + std::string(described(Syntax::Label)) + ", at most 63 of them");
}

bool has_version(std::string_view api) {
  const auto slash = api.find('/');
  return !api.empty() && !api.ends_with('/') &&
         (slash == std::string_view::npos || api.find('/', slash + 1) == std::string_view::npos);
}

// The server drops an owner that is there twice before it looks at them.
bool are_same(const Look& left, const Look& right) {
  for (const auto key : {"apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"}) {
    const Look a = left.get(key), b = right.get(key);
    if (a.present() != b.present() || (a.present() && a.node()->text != b.node()->text)) return false;
  }
  return true;
}

void owners(const Look& list, const Report& report) {
  std::size_t first = list.size();  // that is the controller
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Look owner = list.at(i), api = owner.get("apiVersion"), controller = owner.get("controller");
    const Look kind = owner.get("kind");
    if (!has_version(api.text())) report(api, "must be an apiVersion, such as v1 or batch/v1");
    for (const auto key : {"kind", "name", "uid"})
      if (const Look field = owner.get(key); field.text().empty()) report(field, "must not be empty");
    if (api.text() == "v1" && kind.text() == "Event") report(owner, "an Event cannot own anything");
    if (!controller.is_true()) continue;
    if (first == list.size()) first = i;
    if (const Look other = list.at(first); first != i && !are_same(owner, other))
      report(controller, "can be true for one owner only");
  }
}

void finalizers(const Look& list, const Report& report) {
  bool orphan = false, foreground = false;
  for (const Look name : list.items()) {
    if (!name.is(Json::Text)) continue;
    if (!is_label_key(name.text()))
      report(name, shown(name.text()) + " is not a finalizer: it is spelt like a label key");
    orphan = orphan || name.text() == "orphan";
    foreground = foreground || name.text() == "foregroundDeletion";
    if (orphan && foreground) return report(list, "`orphan` and `foregroundDeletion` exclude one another");
  }
}

constexpr Rule kRules[] = {
    {"metadata:name", kEvery, "", object_name},
    {"metadata:generate-name", kEvery, "", generated_name},
    {"metadata:namespace-required", "LocalQueue Workload", "", namespace_required},
    {"metadata:namespace", "LocalQueue Workload", "", namespace_name},
    {"metadata:labels", kEvery, "metadata.labels", check_own_labels},
    {"metadata:annotations", kEvery, "metadata.annotations", check_own_annotations},
    {"metadata:owners", kEvery, "metadata.ownerReferences", owners},
    {"metadata:finalizers", kEvery, "metadata.finalizers", finalizers},
};

}  // namespace

std::span<const Rule> metadata_rules() { return kRules; }

}  // namespace gpol::manifest::schema
