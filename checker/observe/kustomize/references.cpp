#include "checker/observe/kustomize/references.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "checker/observe/kustomize/field_specs.h"
#include "checker/observe/problems.h"

namespace gpol::manifest::kustomize {
namespace {

using NodeKind = Node::Kind;
using Candidates = std::vector<const Resource*>;

// The shorter is the end of the longer; with nothing in one, in both.
bool same_end(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const auto& shorter = a.size() <= b.size() ? a : b;
  const auto& longer = a.size() <= b.size() ? b : a;
  return shorter.empty() ? longer.empty() : std::equal(shorter.rbegin(), shorter.rend(), longer.rbegin());
}

bool same_affixes(const Resource& a, const Resource& b, bool empty_is_any) {
  const auto same = [&](const std::vector<std::string>& one, const std::vector<std::string>& other) {
    return (empty_is_any && (one.empty() || other.empty())) || same_end(one, other);
  };
  return same(a.prefixes, b.prefixes) && same(a.suffixes, b.suffixes);
}

class Mender {
 public:
  Mender(Context& context, std::vector<Resource>& resources) : context_(context) {
    for (const Resource& resource : resources) {
      std::set<std::string> names;
      for (const Id& id : resource.previous) names.insert(id.name);
      for (const std::string& name : names) renamed_[name].push_back(&resource);
      was_in_[resource.first_id().ns].insert({resource.id().ns, resource.ns()});
    }
  }

  bool mend(Resource& resource) {
    const Kind first = resource.first_id().kind;
    referrer_ = &resource;
    id_ = resource.id();
    read_subjects();
    for (const Reference& reference : references()) {
      if (!selected_by(first, reference.referrer)) continue;
      reference_ = &reference;
      const FieldSpec spec{reference.path, false, {}};
      if (!apply_spec(context_, resource.node, spec, Create::Nothing, resource.node,
                      [&](Node& node) { return set(node); }))
        return false;
    }
    return true;
  }

 private:
  // The namespaces of service accounts that a RoleBinding names: it may refer to what is in them.
  void read_subjects() {
    bound_.clear();
    const Node* subjects = id_.kind.kind == "RoleBinding" ? find(referrer_->node, "subjects") : nullptr;
    if (subjects == nullptr) return;
    for (const Node& subject : subjects->items)
      if (text_at(subject, "kind") == "ServiceAccount" && find(subject, "namespace") != nullptr)
        bound_.insert(text_at(subject, "namespace"));
  }

  bool set(Node& node) {
    if (node.kind == NodeKind::Null) return true;
    if (node.kind == NodeKind::Map) return set_mapping(node);
    if (node.kind != NodeKind::List) return set_scalar(node);
    for (Node& item : node.items) {
      if (item.kind == NodeKind::Null) continue;
      if (item.kind == NodeKind::List) return true;
      if (!(item.kind == NodeKind::Map ? set_mapping(item) : set_scalar(item))) return false;
    }
    return true;
  }

  bool set_scalar(Node& node) {
    const Resource* target = nullptr;
    if (!choose(node, node.text, all_named(node.text), false, target)) return false;
    if (target == nullptr || target->name() == node.text) return true;
    if (const Node* metadata = find(target->node, "metadata"))
      if (const Node* name = find(*metadata, "name")) node = *name;
    return true;
  }

  bool set_mapping(Node& node) {
    Node* name = find(node, "name");
    if (name == nullptr) return context_.fail(node, "has no `name`, and kustomize takes it for a reference");
    Candidates candidates = all_named(text_of(name));
    if (const Node* ns = find(node, "namespace")) in_namespace(candidates, text_of(ns));
    const Resource* target = nullptr;
    if (!choose(node, text_of(name), std::move(candidates), true, target)) return false;
    if (target == nullptr) return true;
    const Node* found = find(target->node, "metadata");
    if (found == nullptr) return true;
    const Node& metadata = *found;
    if (const Node* new_name = find(metadata, "name"); new_name != nullptr && new_name->text != name->text)
      *name = *new_name;
    if (const Node* ns = find(metadata, "namespace"); ns != nullptr && !text_of(ns).empty())
      put(node, "namespace", *ns);
    return true;
  }

  // What is there can be referred to at all.
  bool near(const std::string& ns, const std::string& written) const {
    return id_.ns == kNoNamespace || ns == kNoNamespace || ns == id_.ns || bound_.contains(written);
  }

  // Those that once had the name and that this object can refer to at all.
  Candidates all_named(const std::string& name) const {
    Candidates result;
    const auto found = renamed_.find(name);
    if (found == renamed_.end()) return result;
    for (const Resource* target : found->second)
      if (near(target->id().ns, target->ns())) result.push_back(target);
    return result;
  }

  // By the namespace that objects had, and where none of all had it, by the one that they have.
  void in_namespace(Candidates& candidates, const std::string& ns) const {
    const auto found = was_in_.find(ns);
    const bool had = ns != kNoNamespace && found != was_in_.end() &&
                     std::ranges::any_of(found->second, [&](const auto& now) { return near(now.first, now.second); });
    const auto keep = [&](bool first) {
      Candidates kept;
      for (const Resource* one : candidates)
        if ((first ? one->first_id() : one->id()).ns == ns) kept.push_back(one);
      return kept;
    };
    candidates = keep(had);
  }

  bool of_target_kind(const Resource& candidate) const {
    const auto ids = candidate.previous_ids();
    const auto any = [&](const Kind& kind) {
      return std::ranges::any_of(ids, [&](const Id& id) { return selected_by(id.kind, kind); });
    };
    if (!any(reference_->target)) return false;
    if (!reference_->path.ends_with("roleRef/name")) return true;
    const Node* role = find(referrer_->node, "roleRef");
    if (role == nullptr || find(*role, "apiGroup") == nullptr || find(*role, "kind") == nullptr) return true;
    return any({text_at(*role, "apiGroup"), "", text_at(*role, "kind")});
  }

  bool in_reach(const Resource& candidate) const {
    const Id id = candidate.id();
    return id_.ns == kNoNamespace || id.ns == kNoNamespace || id.kind.kind == "ServiceAccount" || id.ns == id_.ns;
  }

  bool choose(const Node& at, const std::string& name, Candidates candidates, bool with_namespace,
              const Resource*& target) const {
    if (!context_.spend_steps(1 + 4 * candidates.size())) return false;
    std::erase_if(candidates, [&](const Resource* one) { return !of_target_kind(*one) || !in_reach(*one); });
    if (candidates.size() != 1) {
      for (const bool empty_is_any : {true, false})
        if (empty_is_any || candidates.size() > 1)
          std::erase_if(candidates, [&](const Resource* one) { return !same_affixes(*one, *referrer_, empty_is_any); });
    }
    if (candidates.empty()) return true;
    target = candidates.front();
    for (const Resource* other : candidates)
      if (other->name() != target->name() || (with_namespace && other->ns() != target->ns()))
        return context_.fail(
            at, "refers to " + shown(name) + ", which is " + shown_id(target->id()) + " or " + shown_id(other->id()));
    return true;
  }

  Context& context_;
  std::unordered_map<std::string, Candidates> renamed_;  // by a name that they had, in order
  // By the namespace that objects had: those that such objects are in now, and as it is written there.
  std::unordered_map<std::string, std::set<std::pair<std::string, std::string>>> was_in_;
  const Resource* referrer_ = nullptr;
  const Reference* reference_ = nullptr;
  Id id_;
  std::set<std::string> bound_;
};

}  // namespace

bool mend_references(Context& context, std::vector<Resource>& resources) {
  Mender mender(context, resources);
  return std::ranges::all_of(resources, [&](Resource& resource) { return mender.mend(resource); });
}

}  // namespace gpol::manifest::kustomize
