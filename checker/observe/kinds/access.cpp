// ClusterRole and ClusterRoleBinding: rbac.authorization.k8s.io/v1 of k8s.io/api v0.36, rules of
// pkg/apis/rbac/validation. Read so that what is written is known to be what was planned, and for whom observed ones let
// write Kueue's objects (checker/families/given_access.cpp).
#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

namespace {

constexpr std::string_view kGroup = "rbac.authorization.k8s.io";

void must_be(const View& view, std::string_view key, std::string_view wanted) {
  if (const std::string found = view.required_text(key); !found.empty() && found != wanted)
    view.problem(key, shown(found) + " is not " + std::string(wanted));
}

}  // namespace

void read_cluster_role(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "ClusterRole", Scope::Cluster);
  ClusterRole role;
  const auto rules = object.required_list("rules");
  if (rules && rules->at_most(1000))
    for (std::size_t i = 0; i < rules->size(); ++i) {
      const View item = rules->at(i);
      if (!item.expect(Node::Kind::Map)) continue;
      ClusterRole::Rule rule{item.texts("apiGroups"), item.texts("resources"), item.texts("verbs"),
                             item.texts("resourceNames")};
      if (rule.groups.empty()) item.problem("apiGroups", "must not be empty");
      if (rule.resources.empty()) item.problem("resources", "must not be empty");
      if (rule.verbs.empty()) item.problem("verbs", "must not be empty");
      item.finish();
      role.rules.push_back(std::move(rule));
    }
  object.finish();
  if (!metadata) return;
  role.name = metadata->name;
  draft.cluster.roles.push_back(std::move(role));
}

void read_cluster_role_binding(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "ClusterRoleBinding", Scope::Cluster);
  ClusterRoleBinding binding;
  if (const auto ref = object.required_map("roleRef")) {
    must_be(*ref, "apiGroup", kGroup);
    must_be(*ref, "kind", "ClusterRole");
    binding.role = ref->required_text("name");
    ref->finish();
  }
  const auto subjects = object.required_list("subjects");
  if (subjects && subjects->at_most(1000))
    for (std::size_t i = 0; i < subjects->size(); ++i) {
      const View item = subjects->at(i);
      if (!item.expect(Node::Kind::Map)) continue;
      ClusterRoleBinding::Subject subject;
      subject.kind = item.required_text("kind");
      subject.name = item.required_text("name");
      if (subject.kind == "ServiceAccount")
        subject.ns = item.required_text("namespace");
      else if (subject.kind == "User" || subject.kind == "Group")
        must_be(item, "apiGroup", kGroup);
      else
        item.problem("kind", shown(subject.kind) + " is none of User, Group, ServiceAccount");
      item.finish();
      binding.subjects.push_back(std::move(subject));
    }
  object.finish();
  if (!metadata) return;
  binding.name = metadata->name;
  draft.cluster.role_bindings.push_back(std::move(binding));
  draft.places.role_bindings.push_back(metadata->name_span);
}

}  // namespace gpol::manifest
