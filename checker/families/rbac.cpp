#include "checker/families/rbac.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/families/given.h"  // managed()
#include "compiler/source/lookup.h"

namespace gpol {
namespace {

using Words = std::vector<std::string>;
using Rules = std::vector<const ClusterRole::Rule*>;

bool any_of(const Words& words, std::initializer_list<std::string_view> wanted) {
  return std::ranges::any_of(words, [&](const std::string& word) { return contains(wanted, word); });
}

// ResourceMatches of pkg/apis/rbac/v1/evaluation_helpers.go.
bool about(const ClusterRole::Rule& rule, const Written& what) {
  const std::string resource(what.resource), sub(what.subresource);
  return sub.empty() ? any_of(rule.resources, {"*", resource})
                     : any_of(rule.resources, {"*", resource + "/" + sub, "*/" + sub});
}

Grows grows(const ClusterRoleBinding& binding, const Rules& rules, const Cluster& cluster) {
  const auto may = [&](std::string_view group, std::string_view resource, std::string_view named,
                       std::initializer_list<std::string_view> verbs) {
    return std::ranges::any_of(rules, [&](const ClusterRole::Rule* rule) {
      return any_of(rule->groups, {"*", group}) && any_of(rule->resources, {"*", resource}) &&
             (any_of(rule->verbs, {"*"}) || any_of(rule->verbs, verbs)) &&
             (rule->names.empty() || any_of(rule->names, {named}));
    });
  };
  constexpr std::string_view rbac = "rbac.authorization.k8s.io";
  // Kueue's own service account may write all its objects, as whoever has a token of it.
  constexpr std::string_view kueue = "kueue-controller-manager";
  const bool as_kueue =
      may("", "serviceaccounts", kueue, {"impersonate"}) || may("", "serviceaccounts/token", kueue, {"create"});
  if (const std::string& ns = binding.ns; !ns.empty()) {
    // Users and groups are impersonated in no namespace; Kueue's account is in one that it does not manage.
    if (as_kueue && managed(cluster, ns) == false) return Grows::ToAnybody;
    const bool escalates = binding.role_of_there && may(rbac, "roles", binding.role, {"escalate"}) &&
                           may(rbac, "roles", binding.role, {"update", "patch"});
    const bool binds = (may(rbac, "clusterroles", "cluster-admin", {"bind"}) || may(rbac, "roles", "", {"escalate"})) &&
                       may(rbac, "rolebindings", "", {"create"});
    return escalates || binds ? Grows::ToAdmin : Grows::No;
  }
  if (binding.role == "cluster-admin" || as_kueue || may("", "users", "", {"impersonate"}) ||
      may("", "groups", "system:masters", {"impersonate"}))
    return Grows::ToAnybody;
  const bool escalates = may(rbac, "clusterroles", binding.role, {"escalate"}) &&
                         may(rbac, "clusterroles", binding.role, {"update", "patch"});
  const bool binds =
      may(rbac, "clusterroles", "cluster-admin", {"bind"}) && may(rbac, "clusterrolebindings", "", {"create"});
  return escalates || binds ? Grows::ToAdmin : Grows::No;
}

template <class List>
bool is_named(const Words& names, const List& list) {
  return std::ranges::any_of(list, [&](const auto& one) { return contains(names, one.name); });
}

// Of a rule for some names: whether one of them is among the objects that were read; of Workloads not known.
bool names_one(const Words& names, const Cluster& cluster) {
  return is_named(names, cluster.queues) || is_named(names, cluster.cohorts) || is_named(names, cluster.flavors) ||
         is_named(names, cluster.local_queues) || is_named(names, cluster.priority_classes) ||
         is_named(names, cluster.admission_policies) || is_named(names, cluster.admission_bindings);
}

// What a rule for these names lets do: neither a CREATE nor a deletecollection says a name.
std::set<std::string> operations_of(const ClusterRole::Rule& rule) {
  std::set<std::string> out;
  if (rule.names.empty() && any_of(rule.verbs, {"*", "create"})) out.insert("CREATE");
  if (any_of(rule.verbs, {"*", "update", "patch"})) out.insert("UPDATE");
  if (any_of(rule.verbs, {"*", "delete"}) || (rule.names.empty() && any_of(rule.verbs, {"deletecollection"})))
    out.insert("DELETE");
  return out;
}

bool has_labels(const std::map<std::string, std::string>& labels, const Selector& selector) {
  const auto found = [&](const std::string& key) {
    const auto at = labels.find(key);
    return at == labels.end() ? nullptr : &at->second;
  };
  for (const auto& [key, value] : selector.match_labels)
    if (const std::string* mine = found(key); mine == nullptr || *mine != value) return false;
  return std::ranges::all_of(selector.expressions, [&](const Selector::Expression& e) {
    const std::string* mine = found(e.key);
    const bool listed = mine != nullptr && contains(e.values, *mine);
    return e.op == "In" ? listed : e.op == "NotIn" ? !listed : (e.op == "Exists") == (mine != nullptr);
  });
}

// The API server's own roles, whether they are among the manifests or not (bootstrappolicy/policy.go of
// plugin/pkg/auth/authorizer/rbac): `edit` carries what makes it a part of `admin`, `view` of `edit`.
const std::map<std::string_view, std::string_view> kPartOf = {{"edit", "admin"}, {"view", "edit"}};
std::string gathered_by(std::string_view role) {
  return fmt::format("rbac.authorization.k8s.io/aggregate-to-{}", role);
}

}  // namespace

Roles::Roles(const Cluster& cluster) : cluster_(cluster) {
  for (const ClusterRole& role : cluster_.roles)
    if (role.ns.empty()) labels_[role.name].insert(role.labels.begin(), role.labels.end());
  for (const std::string own : {"admin", "edit", "view"}) {
    if (const auto whole = kPartOf.find(own); whole != kPartOf.end())
      labels_[own].emplace(gathered_by(whole->second), "true");
    gathers_[own].push_back({true, {{gathered_by(own), "true"}}, {}});
  }
  for (const ClusterRole& role : cluster_.roles)
    if (role.ns.empty())
      gathers_[role.name].insert(gathers_[role.name].end(), role.gathers.begin(), role.gathers.end());
}

// Its own rules, and those that the controller gathers for it.
Roles::Rules Roles::rules_of(const std::string& name) const {
  Rules out;
  std::set<std::string> seen{name};
  for (std::vector<std::string> left{name}; !left.empty();) {
    const std::string role = left.back();
    left.pop_back();
    for (const ClusterRole& one : cluster_.roles)
      if (one.ns.empty() && one.name == role)
        for (const ClusterRole::Rule& rule : one.rules) out.push_back(&rule);
    const auto selectors = gathers_.find(role);
    if (selectors == gathers_.end()) continue;
    for (const auto& [other, labels] : labels_)
      if (std::ranges::any_of(selectors->second,
                              [&, &its = labels](const Selector& selector) { return has_labels(its, selector); }) &&
          seen.insert(other).second)
        left.push_back(other);
  }
  return out;
}

Grants Roles::granted_by(const ClusterRoleBinding& binding) const {
  Grants grants{binding.ns, false, false, Grows::No, {}};
  if (binding.role_of_there) {
    for (const ClusterRole& role : cluster_.roles)
      if (role.ns == binding.ns && role.name == binding.role) {
        grants.read = true;
        for (const ClusterRole::Rule& rule : role.rules) grants.rules.push_back(&rule);
      }
  } else {
    grants.rules = rules_of(binding.role);
    grants.read = binding.role == "cluster-admin" || binding.role == "admin" || binding.role.starts_with("system:") ||
                  labels_.contains(binding.role);
  }
  grants.grows = grows(binding, grants.rules, cluster_);
  grants.every = grants.grows != Grows::No || (!binding.role_of_there && binding.role == "cluster-admin");
  return grants;
}

std::set<std::string> Roles::operations(const Grants& grants, std::string_view group, const Written& what) const {
  if (!grants.ns.empty() && !what.namespaced) return {};
  if (grants.every) return {"CREATE", "UPDATE", "DELETE"};
  std::set<std::string> out;
  for (const ClusterRole::Rule* rule : grants.rules) {
    if (!any_of(rule->groups, {"*", group}) || !about(*rule, what)) continue;
    if (!rule->names.empty() && what.resource != "workloads" && !names_one(rule->names, cluster_)) continue;
    out.merge(operations_of(*rule));
  }
  return out;
}

}  // namespace gpol
