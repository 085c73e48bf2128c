#include "checker/observe/kinds/kinds.h"

#include "compiler/source/text.h"

namespace gpol::manifest {
namespace {

// RFC 1123: lower-case letters, digits, '-', and '.' where `dots`; begins and ends with a letter or digit.
bool legal_name(std::string_view name, std::size_t limit, bool dots) {
  if (name.empty() || name.size() > limit) return false;
  const auto alphanumeric = [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c); };
  char before = '.';
  for (const char c : name) {
    if (!alphanumeric(c) && (c != '-' || before == '.') && !(dots && c == '.' && alphanumeric(before))) return false;
    before = c;
  }
  return alphanumeric(before);
}

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
  if (legal && !(segment ? legal_segment(result.name) : legal_name(result.name, label_name ? 63 : 253, !label_name))) {
    metadata->problem("name", shown(result.name) + " is not a legal name");
    legal = false;
  }
  if (scope == Scope::Namespaced) {
    // Who applies a file may name the namespace beside it; kubectl's own is "default".
    result.ns =
        draft.scale == Scale::Part && !metadata->has("namespace") ? "default" : metadata->required_text("namespace");
    if (!result.ns.empty() && !legal_name(result.ns, 63, false))
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
