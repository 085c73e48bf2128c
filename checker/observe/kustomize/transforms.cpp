#include "checker/observe/kustomize/transforms.h"

#include <algorithm>
#include <unordered_set>

#include "checker/observe/kustomize/field_specs.h"
#include "checker/observe/problems.h"

namespace gpol::manifest::kustomize {
namespace {

using NodeKind = Node::Kind;

bool set_subjects(Context& context, Node& binding, const Node& ns) {
  Node* subjects = find(binding, "subjects");
  if (is_null(subjects)) return true;
  if (subjects->kind != NodeKind::List) return context.fail(*subjects, "must be a list");
  for (Node& subject : subjects->items)
    if (text_at(subject, "name") == "default") put(subject, "namespace", made_text(ns.text, ns));
  return true;
}

// One text, at all places of one object.
bool put_text(Context& context, Resource& resource, const Entry& text, const FieldSpecs& specs) {
  if (!context.spend_bytes(text.key.size() + text.value.text.size())) return false;
  const Node value = made_text(text.value.text, text.value);
  std::vector<Shared> changed;
  int fresh = 0;
  const auto put_in = [&](Node& map) {
    if (map.kind != NodeKind::Map)
      return context.fail(map, "is no mapping, and " + shown(text.key) + " is to be put into it");
    const auto old = std::ranges::find(map.entries, text.key, &Entry::key);
    if (old == map.entries.end())
      ++fresh;
    else if (resource.is_shared(*old))
      changed.push_back({old->file, old->begin, old->key});
    put(map, text.key, value);
    return true;
  };
  for (const FieldSpec& spec : specs)
    if (!apply_spec(context, resource.node, spec, Create::Map, text.value, put_in)) return false;
  for (const Shared& one : changed) resource.spread(one, value);
  if (fresh > 1) resource.shared.push_back({value.file, value.begin, text.key});
  return true;
}

bool put_all(Context& context, std::vector<Resource>& resources, const std::vector<const Entry*>& texts,
             const FieldSpecs& specs) {
  for (Resource& resource : resources)
    for (const Entry* text : texts)
      if (!put_text(context, resource, *text, specs)) return false;
  return true;
}

// Nothing where one that is there already creates otherwise.
bool add_spec(Context& context, const Node& at, FieldSpecs& specs, const FieldSpec& spec) {
  for (const FieldSpec& old : specs) {
    if (old.path != spec.path || !selected_by(old.of, spec.of)) continue;
    if (old.create == spec.create) return true;
    return context.fail(at, "has a field with `create` other than kustomize's own: " + shown(spec.path));
  }
  specs.push_back(spec);
  return true;
}

bool read_specs(Context& context, const Node& label, FieldSpecs& specs) {
  for (const Node* field : maps_at(context, label, "fields")) {
    only_keys(context, *field, " path create group version kind");
    specs.push_back({text_at(*field, "path"),
                     flag_at(context, *field, "create"),
                     {text_at(*field, "group"), text_at(*field, "version"), text_at(*field, "kind")}});
  }
  const auto add_all = [&](const FieldSpecs& more) {
    return std::ranges::all_of(more, [&](const FieldSpec& spec) { return add_spec(context, label, specs, spec); });
  };
  if (flag_at(context, label, "includeSelectors")) return add_all(label_specs());
  if (flag_at(context, label, "includeTemplates") && !add_all(template_label_specs())) return false;
  return add_all({{"metadata/labels", true, {}}});
}

bool keeps_name(const Kind& kind) {
  return kind.kind == "CustomResourceDefinition" || kind.kind == "Namespace" ||
         (kind.kind == "APIService" && kind.group == "apiregistration.k8s.io");
}

}  // namespace

bool set_namespace(Context& context, const Plan& plan, std::vector<Resource>& resources) {
  const Node* ns = word_at(context, plan.root, "namespace");
  if (ns == nullptr) return true;
  const auto set = [&](Node& field) {
    if (field.kind == NodeKind::List || field.kind == NodeKind::Map)
      return context.fail(field, "is no text, and a namespace is to be put there");
    field = made_text(ns->text, *ns);
    return true;
  };
  for (Resource& resource : resources) {
    resource.remember();
    const Kind kind = resource.kind();
    if (!cluster_scoped(kind) &&
        !apply_spec(context, resource.node, {"metadata/namespace", true, {}}, Create::Scalar, *ns, set))
      return false;
    if ((kind.kind == "RoleBinding" || kind.kind == "ClusterRoleBinding") && !set_subjects(context, resource.node, *ns))
      return false;
    for (const FieldSpec& spec : namespace_specs()) {
      if (spec.path == "metadata/name" && text_at(resource.node, "apiVersion") != "v1") continue;
      if (!apply_spec(context, resource.node, spec, Create::Scalar, *ns, set)) return false;
    }
  }
  std::unordered_set<std::string> seen;
  for (const Resource& resource : resources)
    if (!seen.insert(resource.id().key()).second)
      return context.fail(*ns, "makes two objects " + shown_id(resource.id()));
  return true;
}

bool add_affixes(Context& context, const Plan& plan, std::vector<Resource>& resources) {
  const auto add = [&](const Node* affix, bool front) {
    if (affix == nullptr) return true;
    for (Resource& resource : resources) {
      if (keeps_name(resource.first_id().kind)) continue;
      (front ? resource.prefixes : resource.suffixes).push_back(affix->text);
      resource.remember();
      if (!context.spend_bytes(affix->text.size())) return false;
      Node* name = find(mapping_at(resource.node, "metadata", *affix), "name");
      if (name == nullptr) continue;
      *name = made_text(front ? affix->text + name->text : name->text + affix->text, *affix);
    }
    return true;
  };
  return add(word_at(context, plan.root, "namePrefix"), true) && add(word_at(context, plan.root, "nameSuffix"), false);
}

bool add_labels(Context& context, const Plan& plan, std::vector<Resource>& resources) {
  for (const Node* label : maps_at(context, plan.root, "labels")) {
    FieldSpecs specs;
    if (!read_specs(context, *label, specs) || !put_all(context, resources, texts_at(context, *label, "pairs"), specs))
      return false;
  }
  return put_all(context, resources, texts_at(context, plan.root, "commonLabels"), label_specs());
}

bool add_annotations(Context& context, const Plan& plan, std::vector<Resource>& resources) {
  return put_all(context, resources, texts_at(context, plan.root, "commonAnnotations"), annotation_specs());
}

bool set_replicas(Context& context, const Plan& plan, std::vector<Resource>& resources) {
  for (const Node* replica : maps_at(context, plan.root, "replicas")) {
    const std::string name = text_at(*replica, "name");
    const Node* count = find(*replica, "count");
    const Node zero = made(NodeKind::Integer, "0", *replica);
    if (count == nullptr) count = &zero;
    bool found = false;
    for (const FieldSpec& spec : replica_specs())
      for (Resource& resource : resources) {
        if (!context.spend_steps(1 + resource.previous.size())) return false;
        auto ids = resource.previous_ids();
        ids.push_back(resource.id());
        if (std::ranges::none_of(ids, [&](const Id& id) { return id.name == name && selected_by(id.kind, spec.of); }))
          continue;
        found = true;
        if (!apply_spec(context, resource.node, spec, Create::Scalar, *count, [&](Node& field) {
              if (field.kind == NodeKind::List || field.kind == NodeKind::Map)
                return context.fail(field, "must be a number, and replicas are to be put there");
              field = made(field.quoted ? NodeKind::Text : NodeKind::Integer, count->text, *count);
              return true;
            }))
          return false;
      }
    if (found || context.has_unread()) continue;
    return context.fail(*replica,
                        "there is no Deployment, ReplicaSet, StatefulSet or ReplicationController " + shown(name));
  }
  return true;
}

void check_transforms(Context& context, const Plan& plan) {
  for (const Node* label : maps_at(context, plan.root, "labels"))
    only_keys(context, *label, " pairs includeSelectors includeTemplates fields");
  for (const Node* replica : maps_at(context, plan.root, "replicas")) {
    only_keys(context, *replica, " name count");
    if (const Node* count = find(*replica, "count"); !is_null(count) && count->kind != NodeKind::Integer)
      context.error(*count, "`count` must be a whole number");
  }
  for (const char* key : {"images", "imageTags"})
    for (const Node* image : maps_at(context, plan.root, key))
      only_keys(context, *image, " name newName newTag tagSuffix digest");
}

}  // namespace gpol::manifest::kustomize
