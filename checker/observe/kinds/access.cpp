// Roles and their bindings: rbac.authorization.k8s.io/v1 of k8s.io/api v0.36, rules of
// pkg/apis/rbac/validation. Read so that what is written is known to be what was planned, and for whom observed ones
// let write Kueue's objects (checker/families/given_access.cpp).
#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

namespace {

constexpr std::string_view kGroup = "rbac.authorization.k8s.io";

// Rules are about resources, or about URLs that no object is behind: those say nothing here (ValidatePolicyRule of
// pkg/apis/rbac/validation).
void read_rule(const View& item, bool part, ClusterRole& role) {
  ClusterRole::Rule rule{item.texts("apiGroups"), item.texts("resources"), item.texts("verbs"),
                         item.texts("resourceNames")};
  const bool urls = part && !item.texts("nonResourceURLs").empty();
  if (rule.groups.empty() && !urls) item.problem("apiGroups", "must not be empty");
  if (rule.resources.empty() && !urls) item.problem("resources", "must not be empty");
  if (rule.verbs.empty()) item.problem("verbs", "must not be empty");
  item.finish();
  role.rules.push_back(std::move(rule));
}

// Its rules are those of the roles that a selector matches
// (pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go).
void read_aggregation(const View& object, ClusterRole& role) {
  const auto aggregation = object.map("aggregationRule");
  if (!aggregation) return;
  const auto read = [&](const View& item) { role.gathers.push_back(selector_of(item)); };
  aggregation->each_map("clusterRoleSelectors", read, kMostItems);
  aggregation->finish();
}

void read(const View& object, Draft& draft, Scope scope) {
  const bool part = draft.scale == Scale::Part;
  ClusterRole role;
  const auto metadata = read_metadata(object, draft, scope == Scope::Cluster ? "ClusterRole" : "Role", scope,
                                      part ? &role.labels : nullptr);
  if (metadata && part) role.labels.insert(metadata->labels.begin(), metadata->labels.end());
  if (part && scope == Scope::Cluster) read_aggregation(object, role);
  const auto rules = part ? object.list("rules") : object.required_list("rules");  // null where it gathers them
  if (rules && rules->at_most(kMostItems)) rules->each_map([&](const View& item) { read_rule(item, part, role); });
  keep(object, metadata, role, draft.cluster.roles);
}

void read_binding(const View& object, Draft& draft, Scope scope) {
  const bool part = draft.scale == Scale::Part;
  const auto metadata =
      read_metadata(object, draft, scope == Scope::Cluster ? "ClusterRoleBinding" : "RoleBinding", scope);
  ClusterRoleBinding binding;
  if (const auto ref = object.required_map("roleRef")) {
    must_be(*ref, "apiGroup", kGroup, part);
    binding.role_of_there = scope == Scope::Namespaced && ref->text("kind") == "Role";
    if (!binding.role_of_there) must_be(*ref, "kind", "ClusterRole");
    binding.role = ref->required_text("name");
    ref->finish();
  }
  const auto subjects = part ? object.list("subjects") : object.required_list("subjects");
  if (subjects && subjects->at_most(kMostItems))
    subjects->each_map([&](const View& item) {
      ClusterRoleBinding::Subject subject;
      subject.kind = item.required_text("kind");
      subject.name = item.required_text("name");
      if (part && subject.kind == "ServiceAccount") item.ignore("apiGroup", Node::Kind::Text);  // "", its default
      if (part && subject.kind != "ServiceAccount") item.ignore("namespace", Node::Kind::Text);
      // Of a RoleBinding without one it is the binding's own (plugin/pkg/auth/authorizer/rbac/rbac.go appliesToUser).
      if (subject.kind == "ServiceAccount" && part && scope == Scope::Namespaced && metadata) {
        const auto said = item.text("namespace");
        subject.ns = said.value_or("").empty() ? metadata->ns : *said;
      } else if (subject.kind == "ServiceAccount") {
        subject.ns = item.required_text("namespace");
      } else if (subject.kind == "User" || subject.kind == "Group") {
        must_be(item, "apiGroup", kGroup, part);
      } else {
        item.problem("kind", shown(subject.kind) + " is none of User, Group, ServiceAccount");
      }
      item.finish();
      binding.subjects.push_back(std::move(subject));
    });
  if (keep(object, metadata, binding, draft.cluster.role_bindings))
    draft.places.role_bindings.push_back(metadata->name_span);
}

}  // namespace

void read_cluster_role(const View& object, Draft& draft) { read(object, draft, Scope::Cluster); }
void read_role(const View& object, Draft& draft) { read(object, draft, Scope::Namespaced); }
void read_cluster_role_binding(const View& object, Draft& draft) { read_binding(object, draft, Scope::Cluster); }
void read_role_binding(const View& object, Draft& draft) { read_binding(object, draft, Scope::Namespaced); }

}  // namespace gpol::manifest
