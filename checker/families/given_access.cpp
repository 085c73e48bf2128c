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
#include "checker/families/rbac.h"
#include "checker/guards/reach.h"

namespace gpol {
namespace {

constexpr std::string_view kServiceAccount = "system:serviceaccount:";

// What the proofs rest on. An admission can be written by hand, too: into the status of a Workload.
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

std::string in_its_namespace(const std::string& ns, const std::string& name) {
  return ns.empty() ? name : ns + "/" + name;
}

class Access {
 public:
  explicit Access(const Proof& proof)
      : proof_(proof),
        cluster_(proof.cluster),
        roles_(proof.cluster),
        batch_(namespaces_of_batch(proof.cluster, proof.intent)) {
    principals_ = principals(cluster_, batch_);
    ranked_ = priorities_matter();
  }

  AccessFound all(std::span<const Span> bindings) {
    AccessFound found;
    for (std::size_t b = 0; b < cluster_.role_bindings.size(); ++b) {
      const ClusterRoleBinding& binding = cluster_.role_bindings[b];
      const Grants grants = roles_.granted_by(binding);
      const std::string_view by = grants.grows == Grows::No || binding.role == "cluster-admin" ? ""
                                  : grants.grows == Grows::ToAnybody ? ", which may impersonate others"
                                                                     : ", which may give itself others";
      const std::string_view kind_of_it = binding.ns.empty() ? "ClusterRoleBinding" : "RoleBinding";
      const std::string name = in_its_namespace(binding.ns, binding.name);
      bool objects = false, guards = false;
      for (const auto& subject : binding.subjects) {
        const Somebody who = anybody(subject);
        if (who.words.empty()) continue;
        if (!grants.read)
          found.unknown.insert(binding.role_of_there ? in_its_namespace(binding.ns, binding.role) : binding.role);
        const auto tell = [&](std::string_view kind, std::string_view rests) {
          return OpenAccess{kind_of_it, name,
                            fmt::format("{} `{}` lets {} write {}{}: {} `{}` has the role `{}`{}", kind_of_it, name,
                                        who.words, kind, rests, subject.kind, subject.name, binding.role, by),
                            fmt::format("take {} `{}` out of its subjects", subject.kind, subject.name),
                            b < bindings.size() ? bindings[b] : Span{}};
        };
        if (const std::string_view kind = objects                            ? ""
                                          : grants.grows == Grows::ToAnybody ? kObjects[0].kind
                                                                             : object(grants, who.bad);
            !kind.empty())
          found.objects.push_back(tell(kind, "")), objects = true;
        if (const std::string_view kind = guards ? "" : guard(grants); !kind.empty())
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

  // The kind of Kueue's objects that it lets them write, and no guard denies; empty: none. In a namespace that is not
  // serving's only an admission can take what is serving's.
  std::string_view object(const Grants& grants, const std::string& who) {
    const bool everywhere = grants.ns.empty(), of_serving = !everywhere && serves(grants.ns);
    const std::string bad = everywhere ? who : fmt::format("request.namespace == {} && {}", quoted(grants.ns), who);
    for (const Written& what : kObjects) {
      if (what.resource == "workloadpriorityclasses" && !ranked_) continue;
      if (!everywhere && !of_serving && what.subresource != "status") continue;
      for (const std::string& operation : roles_.operations(grants, "kueue.x-k8s.io", what)) {
        if (what.subresource == "status" && operation != "UPDATE") continue;
        if (!denies(what, operation, bad)) return what.kind;
        denied_ = true;
      }
    }
    return {};
  }

  // Whether a queue that is promised something lets it in, or is asked from there.
  bool serves(const std::string& ns) const {
    for (std::size_t q = 0; q < cluster_.queues.size(); ++q) {
      const Queue& queue = cluster_.queues[q];
      const auto asks = [&](const LocalQueue& local) { return local.ns == ns && local.cluster_queue == queue.name; };
      if (promised(proof_.intent.roles[q]) &&
          (lets_in(cluster_, queue.namespaces, ns) == true || std::ranges::any_of(cluster_.local_queues, asks)))
        return true;
    }
    return false;
  }

  // Nobody is asked about policies and their bindings (pkg/kubeapiserver/admission/exclusion/resources.go). One more
  // denies more.
  std::string_view guard(const Grants& grants) const {
    for (const Written& what : kGuards)
      for (const std::string& operation : roles_.operations(grants, "admissionregistration.k8s.io", what))
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
  const Roles roles_;
  const std::set<std::string> batch_;
  std::set<std::string> principals_;
  std::map<std::string, bool> asked_;
  bool ranked_ = false, denied_ = false;
};

}  // namespace

AccessFound open_access(const Proof& proof, std::span<const Span> bindings) { return Access(proof).all(bindings); }

}  // namespace gpol
