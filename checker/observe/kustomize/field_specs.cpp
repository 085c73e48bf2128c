#include "checker/observe/kustomize/field_specs.h"

#include <algorithm>

namespace gpol::manifest::kustomize {
namespace {

using NodeKind = Node::Kind;

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> parts(1);
  for (std::size_t i = path.starts_with('/') ? 1 : 0; i < path.size(); ++i) {
    if (path[i] == '\\' && path.substr(i + 1, 1) == "/")
      parts.back() += path[++i];
    else if (path[i] == '/')
      parts.emplace_back();
    else
      parts.back() += path[i];
  }
  return parts;
}

class Walk {
 public:
  Walk(Context& context, const FieldSpec& spec, Create create, const Node& asked_by, const SetField& set)
      : context_(context), spec_(spec), create_(create), asked_by_(asked_by), set_(set), path_(split_path(spec.path)) {}

  bool from(Node& at, std::size_t depth) {
    if (depth == path_.size()) return set_(at);
    if (at.kind == NodeKind::Null) return true;
    if (at.kind == NodeKind::List) return std::ranges::all_of(at.items, [&](Node& item) { return from(item, depth); });
    if (at.kind == NodeKind::Map) return into(at, depth);
    return context_.fail(at, "is no mapping, and something is to be written to `" + spec_.path + "` in it");
  }

 private:
  bool into(Node& map, std::size_t depth) {
    std::string_view name = path_[depth];
    const bool list = name.ends_with("[]");
    if (list) name.remove_suffix(2);
    const bool creates = spec_.create && create_ != Create::Nothing && !list;
    const bool last = depth + 1 == path_.size();
    const auto kind = last && create_ == Create::Scalar ? NodeKind::Text : NodeKind::Map;
    Node* field = find(map, name);
    if (field == nullptr) {
      if (!creates) return true;
      field = &put(map, name, made(kind, "", asked_by_));
    } else if (field->kind == NodeKind::Null && creates) {
      *field = made(kind, "", asked_by_);
    }
    return from(*field, depth + 1);
  }

  Context& context_;
  const FieldSpec& spec_;
  Create create_;
  const Node& asked_by_;
  const SetField& set_;
  std::vector<std::string> path_;
};

FieldSpec created(std::string path, std::string kind, std::string group = "", std::string version = "") {
  return {std::move(path), true, {std::move(group), std::move(version), std::move(kind)}};
}
FieldSpec there(std::string path, std::string kind, std::string group = "") {
  return {std::move(path), false, {std::move(group), "", std::move(kind)}};
}

FieldSpecs template_specs(const std::string& field, bool annotations) {
  const std::string at = "metadata/" + field, of_template = "spec/template/" + at;
  FieldSpecs specs{
      created(at, ""),
      created(of_template, "ReplicationController", "", "v1"),
      created(of_template, "Deployment"),
      created(of_template, "ReplicaSet"),
      created(of_template, "DaemonSet"),
      created(of_template, "StatefulSet", annotations ? "" : "apps"),
      created(of_template, "Job", "batch"),
      created("spec/jobTemplate/" + at, "CronJob", "batch"),
      created("spec/jobTemplate/" + of_template, "CronJob", "batch"),
  };
  if (!annotations) specs.push_back(created("spec/volumeClaimTemplates[]/" + at, "StatefulSet", "apps"));
  return specs;
}

FieldSpecs selector_specs() {
  const std::string labels = "matchLabels";
  FieldSpecs specs{
      created("spec/selector", "Service", "", "v1"),
      created("spec/selector", "ReplicationController", "", "v1"),
      created("spec/selector/" + labels, "Deployment"),
      created("spec/selector/" + labels, "ReplicaSet"),
      created("spec/selector/" + labels, "DaemonSet"),
      created("spec/selector/" + labels, "StatefulSet", "apps"),
      there("spec/selector/" + labels, "Job", "batch"),
      there("spec/jobTemplate/spec/selector/" + labels, "CronJob", "batch"),
      there("spec/selector/" + labels, "PodDisruptionBudget", "policy"),
      there("spec/podSelector/" + labels, "NetworkPolicy", "networking.k8s.io"),
      there("spec/ingress/from/podSelector/" + labels, "NetworkPolicy", "networking.k8s.io"),
      there("spec/egress/to/podSelector/" + labels, "NetworkPolicy", "networking.k8s.io"),
  };
  for (const std::string kind : {"Deployment", "StatefulSet"}) {
    for (const std::string term : {"podAffinity/", "podAntiAffinity/"}) {
      const std::string at = "spec/template/spec/affinity/" + term;
      specs.push_back(
          there(at + "preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/" + labels, kind,
                "apps"));
      specs.push_back(
          there(at + "requiredDuringSchedulingIgnoredDuringExecution/labelSelector/" + labels, kind, "apps"));
    }
    specs.push_back(there("spec/template/spec/topologySpreadConstraints/labelSelector/" + labels, kind, "apps"));
  }
  return specs;
}

}  // namespace

bool apply_spec(Context& context, Node& object, const FieldSpec& spec, Create create, const Node& asked_by,
                const SetField& set) {
  if (!context.spend_steps(1)) return false;
  return !selected_by(kind_of(object), spec.of) || Walk(context, spec, create, asked_by, set).from(object, 0);
}

const FieldSpecs& label_specs() {
  static const FieldSpecs specs = [] {
    FieldSpecs all = selector_specs();
    for (const FieldSpec& spec : template_label_specs()) all.push_back(spec);
    return all;
  }();
  return specs;
}

const FieldSpecs& template_label_specs() {
  static const FieldSpecs specs = template_specs("labels", false);
  return specs;
}

const FieldSpecs& annotation_specs() {
  static const FieldSpecs specs = template_specs("annotations", true);
  return specs;
}

const FieldSpecs& namespace_specs() {
  static const FieldSpecs specs{
      created("metadata/name", "Namespace"),
      created("spec/service/namespace", "APIService", "apiregistration.k8s.io"),
      there("spec/conversion/webhook/clientConfig/service/namespace", "CustomResourceDefinition",
            "apiextensions.k8s.io"),
  };
  return specs;
}

const FieldSpecs& image_specs() {
  static const FieldSpecs specs = [] {
    FieldSpecs all;
    for (const std::string at : {"spec/", "spec/template/spec/"})
      for (const std::string path : {"containers[]/image", "initContainers[]/image", "volumes[]/image/reference"})
        all.push_back(created(at + path, ""));
    return all;
  }();
  return specs;
}

const FieldSpecs& replica_specs() {
  static const FieldSpecs specs{
      created("spec/replicas", "Deployment"),
      created("spec/replicas", "ReplicationController"),
      created("spec/replicas", "ReplicaSet"),
      created("spec/replicas", "StatefulSet"),
  };
  return specs;
}

}  // namespace gpol::manifest::kustomize
