#include <algorithm>

#include "checker/observe/json.h"
#include "checker/observe/kustomize/generator_sources.h"
#include "checker/observe/kustomize/patches.h"
#include "checker/observe/kustomize/read.h"

namespace gpol::manifest::kustomize {
namespace {

using NodeKind = Node::Kind;

class Loader {
 public:
  Loader(Context& context, const Plan& plan) : context_(context), plan_(plan) {}

  // `patch` may be either; `wanted` says what it must be, Null: either.
  void read(LoadedPatch& patch, const Node* path, const Node* text, NodeKind wanted) {
    Source source{plan_.file, text, false};
    if (text == nullptr) {
      auto found = load_beside(context_, plan_, *path, path->text);
      if (!found) return;
      source.file = *found;
    }
    const std::string_view given = text == nullptr ? source.file.bytes : std::string_view(text->text);
    const auto begin = text == nullptr ? 0 : std::min(given.find_first_not_of(" \t\r\n"), given.size());
    if (given.substr(begin).starts_with('[') && wanted != NodeKind::Map && !read_json(given.substr(begin)))
      return context_.error(path == nullptr ? *text : *path, "begins as JSON with `[`, and is no JSON",
                            "write the operations as a YAML list in block style, or as JSON");
    auto documents = read_documents(context_, source);
    if (!documents) return;
    std::erase_if(*documents, [](const Node& node) { return node.kind == NodeKind::Null; });
    const Node& at = path == nullptr ? *text : *path;
    if (documents->empty()) {
      if (wanted != NodeKind::Null) context_.error(at, "is an empty patch");
      return;
    }
    if (documents->front().kind == NodeKind::List && wanted != NodeKind::Map) {
      source.as_kubectl = true;
      patch.list = std::move(read_documents(context_, source)->front());
      read_operations(context_, patch.list, patch.operations);
      if (!patch.target) context_.error(at, "is a JSON patch without a `target`");
      return;
    }
    if (wanted == NodeKind::List) return context_.error(documents->front(), "must be a list of operations");
    auto objects = read_objects(context_, std::move(*documents));
    if (!objects) return;
    patch.merges = std::move(*objects);
    if (patch.target && patch.merges.size() > 1 && wanted == NodeKind::Null)
      context_.error(at, "holds several patches, and its `target` can be for one only");
  }

  bool target(LoadedPatch& patch, const Node& entry) {
    const Node* found = map_at(context_, entry, "target");
    if (found == nullptr) return true;
    patch.target = Selector::read(context_, *found);
    return patch.target.has_value();
  }

 private:
  Context& context_;
  const Plan& plan_;
};

}  // namespace

Patches load_patches(Context& context, const Plan& plan) {
  Patches result;
  Loader loader(context, plan);
  for (const Node* item : words_at(context, plan.root, "patchesStrategicMerge")) {
    if (!context.spend_patch()) return result;
    LoadedPatch& patch = result.merges.emplace_back();
    patch.at = item;
    patch.must_match = true;
    const bool inline_text = item->text.find('\n') != std::string::npos || item->text.find(": ") != std::string::npos ||
                             item->text.starts_with('{');
    loader.read(patch, inline_text ? nullptr : item, inline_text ? item : nullptr, NodeKind::Map);
  }
  // Of `patches` and `patchesJson6902`.
  const auto read = [&](LoadedPatch& patch, const Node& item, bool needs_name, NodeKind kind) {
    only_keys(context, item, " path patch target options");
    patch.at = &item;
    const Node *path = word_at(context, item, "path"), *text = word_at(context, item, "patch");
    if (const Node* options = needs_name ? nullptr : map_at(context, item, "options"); options != nullptr) {
      only_keys(context, *options, " allowNameChange allowKindChange");
      patch.allow_name = flag_at(context, *options, "allowNameChange");
      patch.allow_kind = flag_at(context, *options, "allowKindChange");
    }
    const Node* target = needs_name ? map_at(context, item, "target") : nullptr;
    if (needs_name && (target == nullptr || is_null(find(*target, "name"))))
      context.error(item, "must have a `target` with a `name`");
    else if ((path == nullptr) == (text == nullptr))
      context.error(item, "must have one of `path` and `patch`");
    else if (loader.target(patch, item))
      loader.read(patch, path, text, kind);
  };
  for (const Node* item : maps_at(context, plan.root, "patches")) {
    if (!context.spend_patch()) return result;
    LoadedPatch& patch = result.patches.emplace_back();
    patch.remembers = true;
    read(patch, *item, false, NodeKind::Null);
  }
  for (const Node* item : maps_at(context, plan.root, "patchesJson6902")) {
    if (!context.spend_patch()) return result;
    read(result.operations.emplace_back(), *item, true, NodeKind::List);
  }
  return result;
}

}  // namespace gpol::manifest::kustomize
