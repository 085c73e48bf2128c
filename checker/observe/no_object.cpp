#include "checker/observe/no_object.h"

#include <algorithm>
#include <utility>

#include "checker/observe/fields.h"

namespace gpol::manifest {
namespace {

// It lists files and does nothing to them: then the files say all there is.
bool only_resources(const Node& kustomization) {
  return std::ranges::all_of(kustomization.entries, [](const Entry& entry) {
    return entry.key == "apiVersion" || entry.key == "kind" || entry.key == "metadata" || entry.key == "resources";
  });
}

// Flux's object of that name applies the directory at its path; of its fields these change what lies there
// (kustomize.toolkit.fluxcd.io/v1, KustomizationSpec).
bool flux_changes(const Node& object) {
  constexpr std::string_view kChange[] = {
      "patches",   "patchesStrategicMerge", "patchesJson6902", "images",     "components",
      "postBuild", "targetNamespace",       "namePrefix",      "nameSuffix", "commonMetadata"};
  const Node* spec = field(object, "spec");
  return spec != nullptr &&
         std::ranges::any_of(kChange, [&](std::string_view key) { return field(*spec, key) != nullptr; });
}

bool names_a_kind_of_kueue(const Node& node) {
  constexpr std::string_view kKinds[] = {"Queue", "Cohort", "ResourceFlavor", "kueue.x-k8s.io"};
  return std::any_of(std::begin(kKinds), std::end(kKinds),
                     [&](std::string_view kind) { return node.text.find(kind) != std::string::npos; }) ||
         std::ranges::any_of(node.items, names_a_kind_of_kueue) ||
         std::ranges::any_of(node.entries, [](const Entry& entry) { return names_a_kind_of_kueue(entry.value); });
}

// An Application of Argo CD applies the directory at its path, changed so (ApplicationSourceKustomize). Patches of
// other kinds are many and change no object of Kueue's; a component may.
bool argo_changes(const Node& node) {
  const Node *kustomize = field(node, "kustomize"), *patches = at(kustomize, "patches"),
             *components = at(kustomize, "components");
  return (patches != nullptr && names_a_kind_of_kueue(*patches)) ||
         (components != nullptr && !components->items.empty()) || std::ranges::any_of(node.items, argo_changes) ||
         std::ranges::any_of(node.entries, [](const Entry& entry) { return argo_changes(entry.value); });
}

// What names objects of Kueue changes some, wherever these are.
std::string directory_of(const Node& object, const Node* source) {
  return names_a_kind_of_kueue(object) ? "" : text_at(source, "path");
}

std::string what_it_is(std::string_view path) {
  const auto name = path.substr(path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1);
  if (name.starts_with("Chart.") || name.starts_with("values"))
    return "it is a part of a Helm chart: give what `helm template` prints";
  return name.starts_with("kustomization.") ? "give what `kustomize build` prints" : "";
}

}  // namespace

std::optional<NoObject> no_object(const Node& object, std::string_view path) {
  if (object.kind != Node::Kind::Map) return NoObject{&object, "is no Kubernetes object", what_it_is(path)};
  const Node *api = field(object, "apiVersion"), *kind = field(object, "kind");
  const bool component = kind != nullptr && kind->text == "Component" && api != nullptr &&
                         api->text.starts_with("kustomize.config.k8s.io/");
  const auto changes = [&](std::string what, std::string hint, std::string directory = {}) {
    return NoObject{&object, std::move(what), std::move(hint), {}, true, std::move(directory)};
  };
  if (kind != nullptr && api != nullptr && kind->text == "Kustomization" &&
      api->text.starts_with("kustomize.toolkit.fluxcd.io/")) {
    if (!flux_changes(object)) return std::nullopt;
    return changes("is a Kustomization of Flux that changes what lies at its path, and is not built",
                   "give what `flux build kustomization` prints", directory_of(object, field(object, "spec")));
  }
  if (kind != nullptr && api != nullptr && kind->text.starts_with("Application") &&
      api->text.starts_with("argoproj.io/") && argo_changes(object))
    return changes("is an Application of Argo CD that changes what lies at its path, and is not built",
                   "give what `argocd app manifests` prints",
                   directory_of(object, at(field(object, "spec"), "source")));
  if (kind != nullptr && (kind->text == "Kustomization" || component) && !only_resources(object))
    return changes("is a kustomization that changes what it names, and is not built yet",
                   "give what `kustomize build` prints");
  if (api == nullptr && kind == nullptr)
    return NoObject{&object, "is no Kubernetes object: it has neither apiVersion nor kind", what_it_is(path)};
  const std::pair<const char*, const Node*> both[] = {{"apiVersion", api}, {"kind", kind}};
  for (const auto& [key, word] : both) {
    if (word == nullptr || word->kind == Node::Kind::Null || (word->kind == Node::Kind::Text && word->text.empty()))
      return NoObject{&object, std::string(key) + " is missing", what_it_is(path)};
    if (word->kind != Node::Kind::Text)
      return NoObject{word, "is no text", word->text.empty() ? "" : "write it in quotes: \"" + word->text + "\"", key};
  }
  if (kind->text == "List" && api->text == "v1")
    return NoObject{&object,
                    "is a List whose objects are not read: it stands in another one, or has no list of `items`",
                    "give its objects as documents of their own, or in one List"};
  return std::nullopt;
}

}  // namespace gpol::manifest
