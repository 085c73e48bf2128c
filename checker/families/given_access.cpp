// Who may write the objects that the proofs rest on, by the RBAC among the manifests. Whom it names is taken for an
// administrator, but for groups that hold everybody (k8s.io/apiserver/pkg/authentication/user) and for whoever runs as
// a service account where batch runs. What a guard denies them all the same is not told: RBAC only grants.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "checker/families/doors.h"
#include "checker/families/given.h"
#include "checker/families/label_guards.h"
#include "checker/guards/reach.h"

namespace gpol {
namespace {

using Words = std::vector<std::string>;
constexpr std::string_view kServiceAccount = "system:serviceaccount:";

bool any_of(const Words& words, std::initializer_list<std::string_view> wanted) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
  });
}

// What the proofs rest on. An admission can be written by hand, too: into the status of a Workload.
struct Written {
  std::string_view resource, subresource, kind;
  bool namespaced;
};
constexpr std::array<Written, 7> kObjects{{{"clusterqueues", "", "ClusterQueues", false},
                                           {"cohorts", "", "Cohorts", false},
                                           {"resourceflavors", "", "ResourceFlavors", false},
                                           {"localqueues", "", "LocalQueues", true},
                                           {"workloads", "", "Workloads", true},
                                           {"workloads", "status", "the status of Workloads", true},
                                           {"workloadpriorityclasses", "", "WorkloadPriorityClasses", false}}};
constexpr std::array<Written, 2> kGuards{
    {{"validatingadmissionpolicies", "", "ValidatingAdmissionPolicies", false},
     {"validatingadmissionpolicybindings", "", "ValidatingAdmissionPolicyBindings", false}}};

// ResourceMatches of pkg/apis/rbac/v1/evaluation_helpers.go.
bool about(const ClusterRole::Rule& rule, const Written& what) {
  const std::string resource(what.resource), sub(what.subresource);
  return sub.empty() ? any_of(rule.resources, {"*", resource})
                     : any_of(rule.resources, {"*", resource + "/" + sub, "*/" + sub});
}

// Whoever may escalate a role that is theirs, or bind any, has all rights (registry/rbac/escalation_check.go of the API
// server, and policybased/storage.go of clusterrole and clusterrolebinding); whoever impersonates others has theirs.
enum class Grows : std::uint8_t { No, ToAdmin, ToAnybody };
Grows grows(const std::string& role, const std::vector<const ClusterRole::Rule*>& rules) {
  const auto may = [&](std::string_view group, std::string_view resource, std::string_view named,
                       std::initializer_list<std::string_view> verbs) {
    return std::any_of(rules.begin(), rules.end(), [&](const ClusterRole::Rule* rule) {
      return any_of(rule->groups, {"*", group}) && any_of(rule->resources, {"*", resource}) &&
             (any_of(rule->verbs, {"*"}) || any_of(rule->verbs, verbs)) &&
             (rule->names.empty() || any_of(rule->names, {named}));
    });
  };
  if (role == "cluster-admin") return Grows::ToAnybody;
  constexpr std::string_view rbac = "rbac.authorization.k8s.io";
  const auto as = [&](std::string_view resource, std::string_view named, std::string_view verb) {
    return may("", resource, named, {verb});
  };
  // Kueue's own service account may write all its objects, as whoever has a token of it.
  constexpr std::string_view kueue = "kueue-controller-manager";
  if (as("users", "", "impersonate") || as("groups", "system:masters", "impersonate") ||
      as("serviceaccounts", kueue, "impersonate") || as("serviceaccounts/token", kueue, "create"))
    return Grows::ToAnybody;
  const bool escalates =
      may(rbac, "clusterroles", role, {"escalate"}) && may(rbac, "clusterroles", role, {"update", "patch"});
  const bool binds =
      may(rbac, "clusterroles", "cluster-admin", {"bind"}) && (may(rbac, "clusterrolebindings", "", {"create"}));
  return escalates || binds ? Grows::ToAdmin : Grows::No;
}

template <class List>
bool is_named(const Words& names, const List& list) {
  return std::any_of(list.begin(), list.end(),
                     [&](const auto& one) { return std::find(names.begin(), names.end(), one.name) != names.end(); });
}

// Of a rule for some names: whether one of them is among the objects that were read; of Workloads not known.
bool names_one(const Words& names, const Cluster& cluster) {
  return is_named(names, cluster.queues) || is_named(names, cluster.cohorts) || is_named(names, cluster.flavors) ||
         is_named(names, cluster.local_queues) || is_named(names, cluster.priority_classes) ||
         is_named(names, cluster.admission_policies) || is_named(names, cluster.admission_bindings);
}

// What a rule for these names lets do: neither a CREATE nor a deletecollection says a name.
std::set<std::string> operations(const ClusterRole::Rule& rule) {
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
  return std::all_of(selector.expressions.begin(), selector.expressions.end(), [&](const Selector::Expression& e) {
    const std::string* mine = found(e.key);
    const bool listed = mine != nullptr && std::find(e.values.begin(), e.values.end(), *mine) != e.values.end();
    return e.op == "In" ? listed : e.op == "NotIn" ? !listed : (e.op == "Exists") == (mine != nullptr);
  });
}

// The API server's own roles, whether they are among the manifests or not (bootstrappolicy/policy.go of
// plugin/pkg/auth/authorizer/rbac): `edit` carries what makes it a part of `admin`, `view` of `edit`.
const std::map<std::string_view, std::string_view> kPartOf = {{"edit", "admin"}, {"view", "edit"}};
std::string gathered_by(std::string_view role) {
  return fmt::format("rbac.authorization.k8s.io/aggregate-to-{}", role);
}

class Access {
 public:
  explicit Access(const Proof& proof)
      : proof_(proof), cluster_(proof.cluster), batch_(namespaces_of_batch(proof.cluster, proof.intent)) {
    for (const ClusterRole& role : cluster_.roles) labels_[role.name].insert(role.labels.begin(), role.labels.end());
    for (const std::string own : {"admin", "edit", "view"}) {
      if (const auto whole = kPartOf.find(own); whole != kPartOf.end())
        labels_[own].emplace(gathered_by(whole->second), "true");
      gathers_[own].push_back({true, {{gathered_by(own), "true"}}, {}});
    }
    for (const ClusterRole& role : cluster_.roles)
      gathers_[role.name].insert(gathers_[role.name].end(), role.gathers.begin(), role.gathers.end());
    principals_ = principals(cluster_, batch_);
    ranked_ = priorities_matter();
  }

  AccessFound all(std::span<const Span> bindings) {
    AccessFound found;
    for (std::size_t b = 0; b < cluster_.role_bindings.size(); ++b) {
      const ClusterRoleBinding& binding = cluster_.role_bindings[b];
      const auto rules = rules_of(binding.role);
      const Grows how = grows(binding.role, rules);
      const std::string role = how == Grows::No ? binding.role : "cluster-admin";
      const std::string_view by = role == binding.role      ? ""
                                  : how == Grows::ToAnybody ? ", which may impersonate others"
                                                            : ", which may give itself others";
      const bool own = role == "cluster-admin" || role == "admin" || role.starts_with("system:");  // the API server's
      const bool read = own || labels_.contains(role);
      bool objects = false, guards = false;
      for (const auto& subject : binding.subjects) {
        const Somebody who = anybody(subject);
        if (who.words.empty()) continue;
        if (!read) found.unknown.insert(role);
        const auto tell = [&](std::string_view kind, std::string_view rests) {
          return OpenAccess{
              binding.name,
              fmt::format("ClusterRoleBinding `{}` lets {} write {}{}: {} `{}` has the role `{}`{}", binding.name,
                          who.words, kind, rests, subject.kind, subject.name, binding.role, by),
              fmt::format("take {} `{}` out of its subjects", subject.kind, subject.name),
              b < bindings.size() ? bindings[b] : Span{}};
        };
        if (const std::string_view kind = objects                   ? ""
                                          : how == Grows::ToAnybody ? kObjects[0].kind
                                                                    : object(role, rules, who.bad);
            !kind.empty())
          found.objects.push_back(tell(kind, "")), objects = true;
        if (const std::string_view kind = guards ? "" : guard(role, rules); !kind.empty())
          found.guards.push_back(tell(kind, ", by which premises are enforced")), guards = true;
      }
    }
    found.denied = denied_;
    return found;
  }

 private:
  struct Somebody {
    std::string words;  // empty: it is taken for an administrator
    std::string bad;    // of a request (CEL): it is theirs
  };

  // User `system:serviceaccount:NS:NAME` is that ServiceAccount, which is in the groups system:serviceaccounts and
  // system:serviceaccounts:NS (k8s.io/apiserver/pkg/authentication/serviceaccount).
  Somebody anybody(const ClusterRoleBinding::Subject& subject) const {
    constexpr std::string_view kOfNamespace = "system:serviceaccounts:";
    const std::string& name = subject.name;
    if (subject.kind == "ServiceAccount") return runs_in(subject.ns, name);
    if (subject.kind == "User" && name.starts_with(kServiceAccount)) {
      const std::string rest = name.substr(kServiceAccount.size());
      const auto colon = rest.find(':');
      return colon == std::string::npos ? Somebody{} : runs_in(rest.substr(0, colon), rest.substr(colon + 1));
    }
    if (subject.kind == "Group" && name.starts_with(kOfNamespace)) return runs_in(name.substr(kOfNamespace.size()), "");
    const bool all = subject.kind == "User" ? name == "system:anonymous"
                                            : name == "system:authenticated" || name == "system:unauthenticated" ||
                                                  name == "system:serviceaccounts";
    return all ? Somebody{"everybody", anyone()} : Somebody{};
  }

  Somebody runs_in(const std::string& ns, const std::string& account) const {
    if (!batch_.contains(ns)) return {};
    return {fmt::format("who runs pods in `{}`, where batch runs,", ns), of_account(ns, account)};
  }

  // An empty name: any of the namespace.
  std::string of_account(const std::string& ns, const std::string& account) const {
    std::string bad = account.empty() ? fmt::format("request.userInfo.username.startsWith({})",
                                                    quoted(fmt::format("{}{}:", kServiceAccount, ns)))
                                      : fmt::format("request.userInfo.username == {}",
                                                    quoted(fmt::format("{}{}:{}", kServiceAccount, ns, account)));
    for (const std::string& name : principals_)
      bad += fmt::format(" && !({} in request.userInfo.groups)", quoted(name));
    return bad;
  }

  // Whom no guard names, or who runs where batch does.
  std::string anyone() const {
    std::string stranger = "true";
    for (const std::string& name : principals_)
      stranger +=
          fmt::format(" && request.userInfo.username != {0} && !({0} in request.userInfo.groups)", quoted(name));
    std::string bad = "((" + stranger + ")";
    for (const std::string& ns : batch_) bad += " || (" + of_account(ns, "") + ")";
    return bad + ")";
  }

  // Its own rules, and those that the controller gathers for it.
  std::vector<const ClusterRole::Rule*> rules_of(const std::string& name) const {
    std::vector<const ClusterRole::Rule*> out;
    std::set<std::string> seen{name};
    for (std::vector<std::string> left{name}; !left.empty();) {
      const std::string role = left.back();
      left.pop_back();
      for (const ClusterRole& one : cluster_.roles)
        if (one.name == role)
          for (const ClusterRole::Rule& rule : one.rules) out.push_back(&rule);
      const auto selectors = gathers_.find(role);
      if (selectors == gathers_.end()) continue;
      for (const auto& [other, labels] : labels_)
        if (std::any_of(selectors->second.begin(), selectors->second.end(),
                        [&, &its = labels](const Selector& selector) { return has_labels(its, selector); }) &&
            seen.insert(other).second)
          left.push_back(other);
    }
    return out;
  }

  // What it lets do with the resource.
  std::set<std::string> granted(const std::string& role, const std::vector<const ClusterRole::Rule*>& rules,
                                std::string_view group, const Written& what) const {
    if (role == "cluster-admin") return {"CREATE", "UPDATE", "DELETE"};  // the API server's own
    std::set<std::string> out;
    for (const ClusterRole::Rule* rule : rules) {
      if (!any_of(rule->groups, {"*", group}) || !about(*rule, what)) continue;
      if (!rule->names.empty() && what.resource != "workloads" && !names_one(rule->names, cluster_)) continue;
      out.merge(operations(*rule));
    }
    return out;
  }

  // The kind of Kueue's objects that it lets them write, and no guard denies; empty: none.
  std::string_view object(const std::string& role, const std::vector<const ClusterRole::Rule*>& rules,
                          const std::string& bad) {
    for (const Written& what : kObjects) {
      if (what.resource == "workloadpriorityclasses" && !ranked_) continue;
      for (const std::string& operation : granted(role, rules, "kueue.x-k8s.io", what)) {
        if (what.subresource == "status" && operation != "UPDATE") continue;
        if (!denies(what, operation, bad)) return what.kind;
        denied_ = true;
      }
    }
    return {};
  }

  // Nobody is asked about policies and their bindings (pkg/kubeapiserver/admission/exclusion/resources.go). One more
  // denies more.
  std::string_view guard(const std::string& role, const std::vector<const ClusterRole::Rule*>& rules) const {
    for (const Written& what : kGuards)
      for (const std::string& operation : granted(role, rules, "admissionregistration.k8s.io", what))
        if (operation != "CREATE") return what.kind;
    return {};
  }

  bool denies(const Written& what, const std::string& operation, const std::string& bad) {
    if (cluster_.admission_policies.empty()) return false;
    const auto [at, fresh] =
        asked_.try_emplace(fmt::format("{} {} {}\n{}", operation, what.resource, what.subresource, bad), false);
    if (fresh)
      at->second = reach(cluster_,
                         {{{operation, "kueue.x-k8s.io", "v1beta2", std::string(what.resource),
                            std::string(what.subresource), what.namespaced}},
                          bad},
                         proof_.solver)
                       .kind == Reach::Kind::Denied;
    return at->second;
  }

  // Where a WorkloadPriorityClass decides who is evicted for whom, beside a queue that serves.
  bool priorities_matter() const {
    const auto& roles = proof_.intent.roles;
    bool matters = false, others = false, tree = false;
    for (std::size_t q = 0; q < cluster_.queues.size(); ++q) {
      const Preemption& p = cluster_.queues[q].preemption;
      const bool counted_on = promised(roles[q]);
      const bool beside = !cluster_.queues[q].cohort.empty();
      const bool across = beside && (p.reclaim_within_cohort == Reclaim::LowerPriority ||
                                     p.borrow_within_cohort != BorrowWithin::Never);
      matters = matters || (counted_on && (across || p.within_cluster_queue != Within::Never));
      others = others || across;
      tree = tree || (counted_on && beside);
    }
    return matters || (others && tree);
  }

  const Proof& proof_;
  const Cluster& cluster_;
  const std::set<std::string> batch_;
  std::map<std::string, std::map<std::string, std::string>> labels_;  // of each role
  std::map<std::string, std::vector<Selector>> gathers_;
  std::set<std::string> principals_;
  std::map<std::string, bool> asked_;
  bool ranked_ = false, denied_ = false;
};

}  // namespace

AccessFound open_access(const Proof& proof, std::span<const Span> bindings) { return Access(proof).all(bindings); }

}  // namespace gpol
