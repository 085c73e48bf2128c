#include "checker/observe/borrowed.h"

#include <algorithm>

#include "checker/observe/fields.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol::manifest {
namespace {

constexpr std::string_view kTrainer = "trainer.kubeflow.org", kServing = "serving.kserve.io", kArgo = "argoproj.io";

std::string key_of(std::string_view group, std::string_view kind, std::string_view ns, std::string_view name) {
  const std::string_view where = kind.starts_with("Cluster") ? std::string_view() : ns;
  std::string key;
  for (const std::string_view part : {group, kind, where, name}) add_to_list(key, part, "/");
  return key;
}

PodFacts::Unread named(std::string_view kind, const Node& name, std::string path, const Place& place) {
  const std::string whose = std::string(kind) + " `" + name.text + "`";
  return {.why = "takes pods from " + whose + ", which is not among the manifests",
          .remedy = "give " + whose + ", too",
          .at = {std::move(path), place.span(name)},
          .sayable = {}};
}

bool selects(const Node& node) {
  return std::ranges::any_of(node.items, selects) || std::ranges::any_of(node.entries, [](const Entry& entry) {
           return entry.key == "nodeSelector" || selects(entry.value);
         });
}

// pkg/runtime/core of the trainer: the runtime's JobSet, requests of `resourcesPerNode` merged into it by resource.
void of_train_job(const PodFacts& about, const Node& node, const Place& place, std::vector<PodFacts::Unread>& out) {
  const Node* ref = field(node, "runtimeRef");
  const Node* name = at(ref, "name");
  if (name == nullptr) return;
  std::string group = text_at(ref, "apiGroup"), kind = text_at(ref, "kind");
  if (group.empty()) group = kTrainer;
  if (kind.empty()) kind = "ClusterTrainingRuntime";
  out.push_back(named(kind, *name, "spec.runtimeRef.name", place));
  out.back().sayable.push_back(key_of(group, kind, about.ns, name->text));
  for (const char* key : {"runtimePatches", "podTemplateOverrides", "podSpecOverrides"})
    if (const Node* patches = field(node, key)) out.back().patched = out.back().patched || selects(*patches);
}

// pkg/controller/v1beta1/inferenceservice: GetServingRuntime, else one that supports the model's format. A runtime has
// no priorityClassName.
void of_predictor(const PodFacts& about, const Node& node, const Place& place, std::vector<PodFacts::Unread>& out) {
  const Node* model = field(node, "model");
  if (const Node* name = at(model, "runtime"); name != nullptr && !name->text.empty()) {
    out.push_back(named("ServingRuntime", *name, "spec.predictor.model.runtime", place));
    for (const char* kind : {"ServingRuntime", "ClusterServingRuntime"})
      out.back().sayable.push_back(key_of(kServing, kind, about.ns, name->text));
    out.back().ranks = false;
    return;
  }
  for (const char* key : {"model", "sklearn", "xgboost", "tensorflow", "pytorch", "triton", "onnx", "huggingface",
                          "pmml", "lightgbm", "paddle"})
    if (const Node* found = field(node, key); found != nullptr && found->kind == Node::Kind::Map) {
      return out.push_back({.why = "takes its pods from a serving runtime that KServe chooses",
                            .remedy = "name it in `spec.predictor.model.runtime`, and give it, too",
                            .at = {std::string("spec.predictor.") + key, place.span(*found)},
                            .ranks = false,
                            .sayable = {}});
    }
}

void of_base_refs(const PodFacts& about, const Node& node, const Place& place, std::vector<PodFacts::Unread>& out) {
  const Node* refs = field(node, "baseRefs");
  for (std::size_t i = 0; refs != nullptr && i < refs->items.size(); ++i)
    if (const Node* name = field(refs->items[i], "name")) {
      out.push_back(named("LLMInferenceServiceConfig", *name, "spec.baseRefs[" + std::to_string(i) + "].name", place));
      for (const std::string& ns : {about.ns, std::string("kserve")})
        out.back().sayable.push_back(key_of(kServing, "LLMInferenceServiceConfig", ns, name->text));
    }
}

void of_workflow(const PodFacts& about, const Node& node, const std::string& path, const Place& place,
                 std::vector<PodFacts::Unread>& out) {
  for (const char* key : {"workflowTemplateRef", "templateRef"}) {
    const Node* ref = field(node, key);
    const Node* name = at(ref, "name");
    if (name == nullptr) continue;
    const char* kind = text_at(ref, "clusterScope") == "true" ? "ClusterWorkflowTemplate" : "WorkflowTemplate";
    out.push_back(named(kind, *name, path + "." + key + ".name", place));
    out.back().sayable.push_back(key_of(kArgo, kind, about.ns, name->text));
  }
}

bool filled_in(const std::string& text) { return text.find("{{") != std::string::npos; }

// Somewhere a parameter stands that may say more than an amount, an image or a word of a command.
bool open_ended(const Node& node, std::string_view key, std::string_view above) {
  constexpr std::string_view harmless[] = {"name", "generateName", "image", "command", "args", "value"};
  const bool amount = above == "limits" || above == "requests";
  if (filled_in(node.text) && !amount && !contains(harmless, key)) return true;
  return std::ranges::any_of(node.items, [&](const Node& item) { return open_ended(item, key, above); }) ||
         std::ranges::any_of(node.entries, [&](const Entry& entry) {
           return filled_in(entry.key) || open_ended(entry.value, entry.key, key);
         });
}

void lie_at(const Node& text, Node& node) {
  node.begin = text.begin, node.end = text.end, node.line = text.line;
  for (Node& item : node.items) lie_at(text, item);
  for (Entry& entry : node.entries) entry.begin = text.begin, entry.end = text.end, lie_at(text, entry.value);
}

PodText read_text(const Node& text, std::string path, bool object) {
  PodText found{&text, std::move(path), {}, object};
  if (("\n" + text.text).find("\n---") != std::string::npos) return found;
  auto tree = parse_document(text.text, Reading::Kubernetes);
  if (!tree.root || tree.root->kind != Node::Kind::Map || open_ended(*tree.root, "", "")) return found;
  lie_at(text, *tree.root);
  found.says = std::move(tree.root);
  return found;
}

}  // namespace

std::string lent_name(const Node& object) {
  struct Lender {
    std::string_view group, kind;
  };
  constexpr Lender lenders[] = {
      {kTrainer, "TrainingRuntime"},          {kTrainer, "ClusterTrainingRuntime"}, {kServing, "ServingRuntime"},
      {kServing, "ClusterServingRuntime"},    {kArgo, "WorkflowTemplate"},          {kArgo, "ClusterWorkflowTemplate"},
      {kServing, "LLMInferenceServiceConfig"}};
  const std::string group = group_of(text_at(object, "apiVersion")), kind = text_at(object, "kind");
  if (std::ranges::none_of(lenders, [&](const Lender& one) { return one.group == group && one.kind == kind; }))
    return {};
  const Node* metadata = field(object, "metadata");
  const std::string ns = text_at(metadata, "namespace");
  return key_of(group, kind, ns.empty() ? "default" : ns, text_at(metadata, "name"));
}

std::vector<PodFacts::Unread> borrowed_at(const PodFacts& about, const Node& node, const std::string& path,
                                          const Place& place) {
  std::vector<PodFacts::Unread> out;
  if (about.group == kTrainer && about.kind == "TrainJob" && path == "spec") of_train_job(about, node, place, out);
  if (about.group == kServing && about.kind == "InferenceService" && path == "spec.predictor")
    of_predictor(about, node, place, out);
  if (about.group == kServing && about.kind == "LLMInferenceService" && path == "spec")
    of_base_refs(about, node, place, out);
  if (about.group == kArgo) of_workflow(about, node, path, place, out);
  return out;
}

std::vector<PodText> texts_at(const PodFacts& about, const Node& node, const std::string& path) {
  std::vector<PodText> out;
  if (about.group != kArgo) return out;
  if (const Node* patch = field(node, "podSpecPatch"); patch != nullptr && !patch->text.empty())
    out.push_back(read_text(*patch, path + ".podSpecPatch", false));
  const Node* resource = field(node, "resource");
  const std::string action = text_at(resource, "action");
  if (resource == nullptr || action == "get" || action == "delete") return out;
  const Node *manifest = at(resource, "manifest"), *from = at(resource, "manifestFrom");
  if (manifest != nullptr && action != "patch")
    out.push_back(read_text(*manifest, path + ".resource.manifest", true));
  else if (manifest != nullptr || from != nullptr)
    out.push_back({manifest != nullptr ? manifest : from,
                   path + (manifest != nullptr ? ".resource.manifest" : ".resource.manifestFrom"),
                   {},
                   true});
  return out;
}

PodFacts::Unread unread_text(const PodText& text, const Place& place) {
  return {.why = text.object ? "makes an object of a text that is not known in full"
                             : "patches its pods by a text that is not known in full",
          .remedy = "write in it what its pods ask for, with parameters for amounts, images and commands only",
          .at = {text.path, place.span(*text.at)},
          .sayable = {}};
}

}  // namespace gpol::manifest
