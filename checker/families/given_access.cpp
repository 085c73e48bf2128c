// Who may write the objects that the proofs rest on, by the RBAC among the manifests. Whom it names is taken for an
// administrator, but for groups that hold everybody (k8s.io/apiserver/pkg/authentication/user) and for whoever runs as
// a service account where batch runs.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "checker/families/given.h"

namespace gpol {
namespace {

using Words = std::vector<std::string>;

bool any_of(const Words& words, std::initializer_list<std::string_view> wanted) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
  });
}

// The kind that it lets write; empty: none.
std::string written(const ClusterRole::Rule& rule, const Cluster& cluster) {
  if (!any_of(rule.groups, {"*", "kueue.x-k8s.io"})) return {};
  if (!any_of(rule.verbs, {"*", "create", "update", "patch", "delete", "deletecollection"})) return {};
  const auto named = [&](const std::string& name) {
    return std::any_of(cluster.queues.begin(), cluster.queues.end(), [&](const Queue& q) { return q.name == name; }) ||
           std::any_of(cluster.cohorts.begin(), cluster.cohorts.end(),
                       [&](const CohortNode& c) { return c.name == name; }) ||
           std::any_of(cluster.flavors.begin(), cluster.flavors.end(), [&](const Flavor& f) { return f.name == name; });
  };
  if (!rule.names.empty() && std::none_of(rule.names.begin(), rule.names.end(), named)) return {};
  if (any_of(rule.resources, {"*"})) return "ClusterQueues";
  for (const auto& [resource, kind] : {std::pair{"clusterqueues", "ClusterQueues"}, std::pair{"cohorts", "Cohorts"},
                                       std::pair{"resourceflavors", "ResourceFlavors"}})
    if (any_of(rule.resources, {resource})) return kind;
  return {};
}

std::string written(const std::string& role, const Cluster& cluster) {
  if (role == "cluster-admin") return "ClusterQueues";  // the API server's own
  for (const ClusterRole& one : cluster.roles)
    if (one.name == role)
      for (const ClusterRole::Rule& rule : one.rules)
        if (std::string kind = written(rule, cluster); !kind.empty()) return kind;
  return {};
}

// Who of the subject anybody may be; empty: it is taken for an administrator.
std::string anybody(const ClusterRoleBinding::Subject& subject, const std::set<std::string>& batch) {
  constexpr std::string_view kOfNamespace = "system:serviceaccounts:";
  if (subject.kind == "ServiceAccount" && batch.contains(subject.ns))
    return fmt::format("who runs pods in `{}`, where batch runs,", subject.ns);
  if (subject.kind == "User" && subject.name == "system:anonymous") return "everybody";
  if (subject.kind != "Group") return {};
  for (const std::string_view all : {"system:authenticated", "system:unauthenticated", "system:serviceaccounts"})
    if (subject.name == all) return "everybody";
  if (subject.name.starts_with(kOfNamespace) && batch.contains(subject.name.substr(kOfNamespace.size())))
    return fmt::format("who runs pods in `{}`, where batch runs,", subject.name.substr(kOfNamespace.size()));
  return {};
}

}  // namespace

std::vector<OpenAccess> open_access(const Proof& proof, std::span<const Span> bindings) {
  const auto batch = namespaces_of_batch(proof.cluster, proof.intent);
  std::vector<OpenAccess> found;
  for (std::size_t b = 0; b < proof.cluster.role_bindings.size(); ++b) {
    const ClusterRoleBinding& binding = proof.cluster.role_bindings[b];
    const std::string kind = written(binding.role, proof.cluster);
    if (kind.empty()) continue;
    for (const auto& subject : binding.subjects) {
      const std::string who = anybody(subject, batch);
      if (who.empty()) continue;
      found.push_back({binding.name,
                       fmt::format("ClusterRoleBinding `{}` lets {} write {}: {} `{}` has the role `{}`", binding.name,
                                   who, kind, subject.kind, subject.name, binding.role),
                       fmt::format("take {} `{}` out of its subjects", subject.kind, subject.name),
                       b < bindings.size() ? bindings[b] : Span{}});
      break;
    }
  }
  return found;
}

}  // namespace gpol
