#include "emit/kinds/kinds.h"

namespace gpol::kinds {

constexpr const char* kApi = "rbac.authorization.k8s.io/v1";

yaml::Value cluster_role(const ClusterRole& role) {
  yaml::List rules;
  for (const ClusterRole::Rule& rule : role.rules) {
    yaml::Map map{{"apiGroups", string_list(rule.groups)}, {"resources", string_list(rule.resources)}};
    add_unless_empty(map, "resourceNames", string_list(rule.names));
    map.emplace_back("verbs", string_list(rule.verbs));
    rules.emplace_back(std::move(map));
  }
  return with(object({.api_version = kApi, .kind = "ClusterRole", .name = role.name}), "rules", std::move(rules));
}

yaml::Value cluster_role_binding(const ClusterRoleBinding& binding) {
  yaml::List subjects;
  for (const ClusterRoleBinding::Subject& subject : binding.subjects) {
    yaml::Map map{{"kind", subject.kind}};
    if (subject.kind != "ServiceAccount") map.emplace_back("apiGroup", "rbac.authorization.k8s.io");
    map.emplace_back("name", subject.name);
    add_unless_empty(map, "namespace", subject.ns);
    subjects.emplace_back(std::move(map));
  }
  yaml::Map map = object({.api_version = kApi, .kind = "ClusterRoleBinding", .name = binding.name});
  map.emplace_back(
      "roleRef", yaml::Map{{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "ClusterRole"}, {"name", binding.role}});
  return with(std::move(map), "subjects", std::move(subjects));
}

}  // namespace gpol::kinds
