#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {
namespace {

// kustomize takes every word of a target as a pattern and an absent one as "any", so all of them must be written, and
// a name must be one that matches only itself.
std::string read_target(const View& patch) {
  const auto target = patch.required_map("target");
  if (!target) return {};
  const auto demand = [&](std::string_view key, std::string_view wanted) {
    if (const auto word = target->required_text(key); !word.empty() && word != wanted)
      target->problem(key, shown(word) + " must be " + shown(wanted) + ": only ClusterQueues may be patched");
  };
  demand("group", "kueue.x-k8s.io");
  demand("version", "v1beta2");
  demand("kind", "ClusterQueue");
  auto name = target->required_text("name");
  target->finish();
  if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos) {
    target->problem("name", shown(name) + " is a pattern to kustomize; only plain names are understood");
    return {};
  }
  return name;
}

}  // namespace

Kustomization read_kustomization(const View& object) {
  Kustomization result;
  if (!object.expect(Node::Kind::Map)) return result;
  const auto api = object.required_text("apiVersion");
  if (!api.empty() && api != kKustomizeApi) object.problem("apiVersion", shown(api) + " is not known");
  const auto kind = object.required_text("kind");
  if (!kind.empty() && kind != "Kustomization") object.problem("kind", shown(kind) + " is not Kustomization");
  if (const auto sort = object.map("sortOptions")) {
    if (const auto order = sort->required_text("order"); !order.empty() && order != "fifo")
      sort->problem("order", shown(order) + " applies objects in another order than the files are listed in");
    sort->finish();
  }
  object.ignore("metadata", Node::Kind::Map);  // it reaches no object
  if (!object.has("resources")) object.problem("resources", "is required");
  result.resources = object.texts("resources");
  object.each_map("patches", [&](const View& patch) {
    auto queue = read_target(patch);
    auto text = patch.required_text("patch");
    patch.finish();
    if (queue.empty() || text.empty()) return;
    result.patches.push_back({std::move(queue), std::move(text), patch.field(), patch.line_of("patch") + 1});
  });
  object.finish();
  return result;
}

}  // namespace gpol::manifest
