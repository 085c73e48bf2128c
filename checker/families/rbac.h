// What RBAC grants, by the roles and bindings that were read: rbac.authorization.k8s.io/v1 as Kubernetes' authorizer
// has it (pkg/registry/rbac/validation, pkg/apis/rbac/v1/evaluation_helpers.go). In: a binding. Out: the rules that it
// gives its subjects, whether they can give themselves more, and what they may do with a resource.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/cluster/cluster.h"

namespace gpol {

struct Written {
  std::string_view resource, subresource, kind;  // the last as it is told
  bool namespaced;
};

// Whoever may escalate a role that is theirs, or bind any, has all rights (registry/rbac/escalation_check.go of the API
// server, and policybased/storage.go of clusterrole and clusterrolebinding; of a RoleBinding in its namespace); whoever
// impersonates others has theirs.
enum class Grows : std::uint8_t { No, ToAdmin, ToAnybody };

struct Grants {
  std::string ns;      // where; empty: in the whole cluster
  bool read = false;   // the role is among what was read, or the API server's own
  bool every = false;  // all that can be done there
  Grows grows = Grows::No;
  std::vector<const ClusterRole::Rule*> rules;
};

class Roles {
 public:
  explicit Roles(const Cluster& cluster);
  Grants granted_by(const ClusterRoleBinding& binding) const;
  // Of CREATE, UPDATE and DELETE; `group` is the resource's API group.
  std::set<std::string> operations(const Grants& grants, std::string_view group, const Written& what) const;

 private:
  using Rules = std::vector<const ClusterRole::Rule*>;
  Rules rules_of(const std::string& role) const;

  const Cluster& cluster_;
  std::map<std::string, std::map<std::string, std::string>> labels_;  // of each ClusterRole
  std::map<std::string, std::vector<Selector>> gathers_;              // likewise
};

}  // namespace gpol
