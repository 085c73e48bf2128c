#include "checker/observe/kinds/kinds.h"

#include "checker/observe/schema/syntax.h"

namespace gpol::manifest {
namespace {

bool legal_segment(std::string_view name) {
  return name != "." && name != ".." && name.find_first_of("/%") == std::string_view::npos;
}

}  // namespace

std::optional<Metadata> read_metadata(const View& object, Draft& draft, const std::string& kind, Scope scope,
                                      std::map<std::string, std::string>* other_labels) {
  const auto metadata = object.required_map("metadata");
  if (!metadata) return std::nullopt;
  Metadata result;
  result.name = metadata->required_text("name");
  result.name_span = metadata->span_of("name");
  const bool label_name = kind == "Namespace";
  // RBAC's names are path segments: "system:basic-user" (pkg/apis/rbac/validation).
  const bool segment = kind.ends_with("Role") || kind.ends_with("RoleBinding");
  bool legal = !result.name.empty();
  if (legal && !(segment      ? legal_segment(result.name)
                 : label_name ? schema::is_label(result.name)
                              : schema::is_subdomain(result.name))) {
    metadata->problem("name", shown(result.name) + " is not a legal name");
    legal = false;
  }
  if (scope == Scope::Namespaced) {
    // Who applies a file may name the namespace beside it; kubectl's own is "default".
    result.ns =
        draft.scale == Scale::Part && !metadata->has("namespace") ? "default" : metadata->required_text("namespace");
    if (!result.ns.empty() && !schema::is_label(result.ns))
      metadata->problem("namespace", shown(result.ns) + " is not a legal name");
    legal = legal && !result.ns.empty();
  } else if (draft.scale == Scale::Part) {
    metadata->ignore("namespace");  // the API server takes it out
  }
  for (auto& [key, value] : metadata->text_map("labels")) {
    if (key.starts_with("gpol.dev/"))
      result.labels.emplace(key, value);
    else if (other_labels != nullptr && key != "app.kubernetes.io/managed-by")
      other_labels->emplace(key, value);
  }
  for (auto& [key, value] : metadata->text_map("annotations"))  // must be text; of others it means nothing
    if (key.starts_with("gpol.dev/")) result.annotations.emplace(key, value);
  // Set by the API server in exported objects; read-only or of no consequence.
  for (const auto* key : {"creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "finalizers",
                          "generation", "managedFields", "ownerReferences", "resourceVersion", "selfLink", "uid"})
    metadata->ignore(key);
  metadata->finish();
  object.ignore("status");  // a subresource: an apply does not touch it
  if (!legal || !draft.define_object(*metadata, kind, result.ns, result.name)) return std::nullopt;
  return result;
}

}  // namespace gpol::manifest
