#include "emit/kinds/kinds.h"

namespace gpol::kinds {

namespace {

constexpr const char* kApi = "rbac.authorization.k8s.io/v1";

yaml::List texts(const std::vector<std::string>& list) { return {list.begin(), list.end()}; }

}  // namespace

yaml::Value cluster_role(const ClusterRole& role) {
  yaml::List rules;
  for (const ClusterRole::Rule& rule : role.rules) {
    yaml::Map map;
    map.emplace_back("apiGroups", texts(rule.groups));
    map.emplace_back("resources", texts(rule.resources));
    if (!rule.names.empty()) map.emplace_back("resourceNames", texts(rule.names));
    map.emplace_back("verbs", texts(rule.verbs));
    rules.emplace_back(std::move(map));
  }
  yaml::Map map = object({.api_version = kApi, .kind = "ClusterRole", .name = role.name});
  map.emplace_back("rules", std::move(rules));
  return map;
}

yaml::Value cluster_role_binding(const ClusterRoleBinding& binding) {
  yaml::List subjects;
  for (const ClusterRoleBinding::Subject& subject : binding.subjects) {
    yaml::Map map{{"kind", subject.kind}};
    if (subject.kind != "ServiceAccount") map.emplace_back("apiGroup", "rbac.authorization.k8s.io");
    map.emplace_back("name", subject.name);
    if (!subject.ns.empty()) map.emplace_back("namespace", subject.ns);
    subjects.emplace_back(std::move(map));
  }
  yaml::Map map = object({.api_version = kApi, .kind = "ClusterRoleBinding", .name = binding.name});
  map.emplace_back(
      "roleRef", yaml::Map{{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "ClusterRole"}, {"name", binding.role}});
  map.emplace_back("subjects", std::move(subjects));
  return map;
}

}  // namespace gpol::kinds
