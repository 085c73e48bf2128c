#include "checker/observe/kustomize/patches.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "checker/observe/kustomize/merge.h"
#include "checker/observe/kustomize/read.h"
#include "checker/observe/scalars.h"

namespace gpol::manifest::kustomize {
namespace {

using NodeKind = Node::Kind;

// Labels and annotations of a patch that has been given a target: kustomize copies them as texts, a null as its word.
void make_texts(const Context& context, Node& metadata, std::string_view key) {
  Node* map = find(metadata, key);
  if (map == nullptr) return;
  if (map->entries.empty()) return erase(metadata, key);
  for (Entry& entry : map->entries) entry.value = context.as_text(std::move(entry.value));
}

// As a text is written that was JSON before: without quotes, where nobody would read it otherwise.
void write_anew(Node& node) {
  if (node.kind == NodeKind::Text) {
    const std::string& text = node.text;
    node.quoted = text.empty() || kubernetes_scalar(text).kind != NodeKind::Text ||
                  text.find_first_of("\n\t") != std::string::npos || text.find(": ") != std::string::npos ||
                  text.find(" #") != std::string::npos || text.front() == ' ' || text.back() == ' ' ||
                  text.back() == ':' ||
                  std::string_view("!&*-?|>@%`'\"#,[]{}:").find(text.front()) != std::string_view::npos;
  }
  if (node.kind == NodeKind::Null) node.quoted = true;
  for (Node& item : node.items) write_anew(item);
  for (Entry& entry : node.entries) write_anew(entry.value);
}

class Applier {
 public:
  Applier(Context& context, std::vector<Resource>& resources) : context_(context), resources_(resources) {}

  bool merge_into(Resource& resource, const LoadedPatch& patch, const Node& given, bool copied) {
    Node text = given;
    if (copied) {
      if (Node* metadata = find(text, "metadata")) {
        make_texts(context_, *metadata, "labels");
        make_texts(context_, *metadata, "annotations");
      }
      if (const Node* api = find(resource.node, "apiVersion")) put(text, "apiVersion", *api);
    }
    const auto keep = [](const Node* node) { return node == nullptr ? std::optional<Node>() : *node; };
    Node* metadata = &mapping_at(resource.node, "metadata", *patch.at);
    const auto kind = keep(find(resource.node, "kind")), name = keep(find(*metadata, "name")),
               ns = keep(find(*metadata, "namespace"));
    if (patch.allow_name || patch.allow_kind) resource.remember(), indexed_ = false;
    if (!context_.spend_bytes(tree_bytes(text)) || !merge_patch(context_, resource, text)) return false;
    if (resource.removed()) {
      indexed_ = false;
      return true;
    }
    if (!patch.allow_kind && kind) put(resource.node, "kind", *kind);
    Node& now = mapping_at(resource.node, "metadata", *patch.at);
    if (!patch.allow_name) put(now, "name", name ? *name : made_text("", *patch.at));
    if (ns)
      put(now, "namespace", *ns);
    else
      erase(now, "namespace");
    return true;
  }

  bool operate_on(Resource& resource, const LoadedPatch& patch) {
    if (patch.remembers) resource.remember();
    indexed_ = false;
    // kustomize keeps notes of its own among the annotations: where there are any, so are annotations.
    const bool notes = resource.generated || !resource.previous.empty();
    Node& metadata = mapping_at(resource.node, "metadata", *patch.at);
    if (notes) mapping_at(metadata, "annotations", *patch.at);
    fill_nothing(context_, resource.node);
    if (!apply_operations(context_, resource.node, patch.operations)) return false;
    if (const std::string why = no_object(resource.node); !why.empty()) {
      context_.not_built(*patch.at, "leaves an object that " + why);  // kustomize asks for it in the end only
      return false;
    }
    for (const char* key : {"labels", "annotations"})
      if (const Node* map = find(mapping_at(resource.node, "metadata", *patch.at), key);
          !is_null(map) && map->kind != NodeKind::Map) {
        return context_.fail_to_build(*patch.at, "leaves " + std::string(key) + " that are no mapping");
      }
    write_anew(resource.node);
    resource.shared.clear();
    return true;
  }

  // All ids that objects have and had. Most patches change none of them.
  bool index() {
    if (indexed_) return true;
    if (!context_.spend_steps(4 * resources_.size())) return false;
    known_.clear();
    for (std::size_t i = 0; i < resources_.size(); ++i) {
      if (resources_[i].removed()) continue;
      auto ids = resources_[i].previous_ids();
      ids.push_back(resources_[i].id());
      for (const Id& id : ids)
        if (auto& of_id = known_[id.key()]; of_id.empty() || of_id.back() != i) of_id.push_back(i);
    }
    return indexed_ = true;
  }

  // The one object that has the id, or had it.
  Resource* only_match(const Node& patch) {
    const Id wanted = Resource{patch, {}, {}, {}}.id();
    if (!index()) return nullptr;
    const auto known = known_.find(wanted.key());
    if (known != known_.end() && known->second.size() > 1) {
      context_.error(patch, "is a patch of " + shown_id(wanted) + ", which several objects are");
      return nullptr;
    }
    Resource* found = known == known_.end() ? nullptr : &resources_[known->second[0]];
    if (found == nullptr && context_.has_unread()) {
      context_.not_read(patch, Built::NotRead::What::KueueSettings, "the patch of " + shown_id(wanted));
      return nullptr;
    }
    if (found == nullptr)
      context_.error(patch, "is a patch of " + shown_id(wanted) + ", which no object is",
                     "its apiVersion, kind, name and namespace must be those of an object before this kustomization "
                     "changes them");
    return found;
  }

  bool apply(const LoadedPatch& patch) {
    if (patch.target) {
      std::vector<Resource*> selected;
      for (Resource& resource : resources_) {
        if (!context_.spend_steps(patch.target->cost())) return false;
        if (patch.target->selects(resource)) selected.push_back(&resource);
      }
      if (selected.empty() && context_.has_unread())
        context_.not_read(*patch.at, Built::NotRead::What::KueueSettings, "a patch of what its target selects");
      for (Resource* resource : selected) {
        if (!patch.operations.empty() && !operate_on(*resource, patch)) return false;
        for (const Node& merge : patch.merges)
          if (!merge_into(*resource, patch, merge, true)) return false;
      }
      return true;
    }
    for (const Node& merge : patch.merges) {
      Resource* resource = only_match(merge);
      if (resource == nullptr && !context_.failed()) continue;  // of what was not read
      if (resource == nullptr || !merge_into(*resource, patch, merge, patch.must_match)) return false;
      if (patch.must_match) drop_removed();
    }
    return true;
  }

  void drop_removed() {
    if (std::erase_if(resources_, [](const Resource& resource) { return resource.removed(); }) > 0) indexed_ = false;
  }

 private:
  Context& context_;
  std::vector<Resource>& resources_;
  std::unordered_map<std::string, std::vector<std::size_t>> known_;
  bool indexed_ = false;
};

}  // namespace

bool apply_patches(Context& context, const std::deque<LoadedPatch>& patches, std::vector<Resource>& resources) {
  Applier applier(context, resources);
  for (const LoadedPatch& patch : patches) {
    if (!applier.apply(patch)) return false;
    applier.drop_removed();
    if (!patch.allow_name && !patch.allow_kind) continue;
    std::unordered_set<std::string> seen;
    for (const Resource& resource : resources)
      if (!seen.insert(resource.id().key()).second)
        return context.fail(*patch.at, "makes two objects " + shown_id(resource.id()));
  }
  return true;
}

}  // namespace gpol::manifest::kustomize
