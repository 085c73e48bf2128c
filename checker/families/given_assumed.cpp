// What is taken for granted of the manifests alone, and is no premise of a policy.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/given.h"
#include "checker/families/replicas.h"
#include "checker/families/strangers.h"
#include "checker/families/turns.h"
#include "checker/nodes/placement_model.h"
#include "compiler/cluster/listed.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {
namespace {

using Kind = QueueRole::Kind;

constexpr std::size_t kMostTold = 5;

// Of class A nobody waits, not even for pods that end. In words; empty: none, or the Nodes were not given.
std::string class_a_beside_others(const Proof& proof, const Given& given) {
  std::string shares;
  if (given.nodes.empty()) return shares;
  const auto beside = beside_batch(proof);
  const auto ends = serving_ends(proof.cluster, proof.intent);
  for (std::size_t q = 0; q < beside.size(); ++q)
    if (const QueueRole& role = proof.intent.roles[q];
        (beside[q] || !ends[q].beside.empty()) && role.kind == Kind::Serving && role.isolation == Isolation::A)
      add_to_list(shares, fmt::format("`{}`", proof.cluster.queues[q].name));
  return shares;
}

// One whose controller is away makes its queues inactive, and nobody can evict from those (reclaim_facts.cpp).
std::string checks_in_words(const Proof& proof) {
  std::set<std::string> names;
  for (const Queue& queue : proof.cluster.queues)
    for (const std::string& check : queue.admission_checks)
      if (!proof.intent.inactive_checks.contains(check))
        names.insert(fmt::format("`{}`{}", check,
                                 proof.intent.remote_checks.contains(check)
                                     ? " (MultiKueue: what it lets in runs in other clusters, and frees its quota "
                                       "here once it is evicted)"
                                     : ""));
  return fmt::format("{}", fmt::join(names, ", "));
}

// Policies that may refuse pods, what makes them, or Kueue's objects: a binding of theirs denies.
std::string policies_in_words(const Cluster& cluster) {
  constexpr std::array<std::string_view, 4> kOthers = {"admissionregistration.k8s.io", "rbac.authorization.k8s.io",
                                                       "scheduling.k8s.io", "resource.k8s.io"};
  constexpr std::array<std::string_view, 4> kKept = {"namespaces", "limitranges", "resourcequotas", "nodes"};
  const auto among = [](const auto& list, const std::vector<std::string>& words) {
    return !words.empty() && std::ranges::all_of(words, [&](const std::string& word) {
      return contains(list, word.substr(0, word.find('/')));
    });
  };
  std::vector<std::string> names;
  for (const AdmissionPolicy& policy : cluster.admission_policies) {
    const bool bound = std::ranges::any_of(cluster.admission_bindings, [&](const AdmissionBinding& binding) {
      return binding.policy == policy.name && contains(binding.actions, "Deny");
    });
    const bool of_those = std::ranges::any_of(policy.match.rules, [&](const auto& rule) {
      return !among(kOthers, rule.groups) && !among(kKept, rule.resources);
    });
    if (bound && of_those) names.push_back("`" + policy.name + "`");
  }
  std::ranges::sort(names);
  return listed_up_to(kMostTold, names);
}

// Namespaces that are asked from, of which it is not known whether Kueue looks at them. In words; empty: none.
std::string perhaps_managed(const Cluster& cluster) {
  std::set<std::string> names;
  for (const LocalQueue& local : cluster.local_queues)
    if (!managed(cluster, local.ns)) names.insert("`" + local.ns + "`");
  return listed_up_to(kMostTold, names);
}

// Flavors of serving with taints of which Kueue asks that the pods tolerate them. In words; empty: none.
std::string taints_in_words(const Proof& proof) {
  std::set<std::string> names;
  for (std::size_t q = 0; q < proof.cluster.queues.size(); ++q)
    if (promised(proof.intent.roles[q]))
      for (const FlavorQuotas& row : listed_flavors(proof.cluster.queues[q].groups))
        if (const Flavor& flavor = proof.cluster.flavors[row.flavor];
            nodes::untolerated(flavor.taints, flavor.tolerations) != nullptr)
          names.insert("`" + flavor.name + "`");
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::vector<Assumed> assumed_of(const Proof& proof, const Given& given, const Contradicted& found) {
  std::vector<Assumed> out;
  const auto assume = [&](std::string text, std::string remedy) {
    out.push_back({std::move(text), std::move(remedy)});
  };
  if (!given.absent.empty())
    assume("objects that are named and not among the manifests are there: " + given.absent, "give them, too");
  if (given.limits != nullptr && !given.limits->of_serving.empty() && given.limits->serving.empty())
    assume("no pod of serving is refused or changed by " + given.limits->of_serving,
           "take them out of the namespaces of serving");
  if (const auto& wait = proof.cluster.config.wait_for_pods_ready; wait && wait->gives_up)
    assume(
        "the pods of serving are ready within the time of `waitForPodsReady`, which else evicts them, and deactivates "
        "their workload after `backoffLimitCount` times",
        "leave `backoffLimitCount` out");
  if (!found.unknown_roles.empty())
    assume(fmt::format("roles that were not read let nobody write Kueue's objects: `{}`",
                       fmt::join(found.unknown_roles, "`, `")),
           "give them, too");
  if (const std::string names = policies_in_words(proof.cluster); !names.empty())
    assume("no ValidatingAdmissionPolicy refuses what serving runs, nor what Kueue writes for it: " + names,
           "take the namespaces of serving out of them");
  if (const std::string names = perhaps_managed(proof.cluster); !names.empty())
    assume(
        "Kueue manages namespaces that are not among the manifests (managedJobsNamespaceSelector, webhooks): " + names,
        "give the Namespaces, too");
  if (!given.admission.empty())
    assume(
        "no webhook or policy that changes what is written refuses or changes what Kueue goes by: " + given.admission,
        "keep them to other kinds of objects, or leave them out");
  if (const std::string names = given.configured ? "" : frameworks_assumed(proof.cluster.config, given.pods);
      !names.empty())
    assume("the Configuration turns frameworks on that Kueue is shipped without: " + names, "give the Configuration");
  if (given.limits != nullptr && !given.limits->of_batch.empty() && given.limits->batch.empty())
    assume(
        "no default of a container stands in " + given.limits->of_batch + ", which Kueue counts in the stead of limits",
        "take them out of the namespaces of batch");
  if (!given.shared.empty())
    assume("no node carries the labels of both of two flavors: " + given.shared, "give the Nodes");
  if (const std::string shares = class_a_beside_others(proof, given); !shares.empty())
    assume("pods of others that end on nodes of class A free their devices as soon as their quota: beside " + shares,
           "give it nodes and a flavor of its own, or class B");
  if (const std::string taints = taints_in_words(proof); !taints.empty())
    assume("pods of serving tolerate the taints of their flavors: " + taints,
           "write `tolerations` into the flavors, which Kueue gives their pods");
  if (const std::string checks = checks_in_words(proof); !checks.empty())
    assume("AdmissionChecks stay active, and so do the queues that name them: " + checks,
           "take them off the queues that do not serve");
  std::string bounded, beyond;
  for (std::size_t q = 0; q < proof.intent.roles.size(); ++q)
    if (const QueueRole& role = proof.intent.roles[q]; role.kind == Kind::Bounded)
      add_to_list(role.overreach.empty() ? bounded : beyond, fmt::format("`{}`", proof.cluster.queues[q].name));
  if (!beyond.empty())
    assume("queues that are called bounded and ask for more than they own hold no more than their objects ask for: " +
               beyond,
           "call them batch: then whatever they can get is counted");
  if (!bounded.empty())
    assume(fmt::format("queues that are called bounded hold no more than their own nominal quota: {}", bounded),
           "call them batch: then whatever they can get is counted");
  if (!found.open_ways.empty())
    assume(fmt::format("nobody goes round quota in {} that Kueue v{} leaves open: {}",
                       found.open_ways.size() == 1 ? "one way" : fmt::format("one of {} ways", found.open_ways.size()),
                       proof.cluster.config.version, fmt::join(found.open_ways, ", ")),
           "shut them: `gpol explain quota-ways` says what does");
  if (given.limits != nullptr && !given.limits->serving.empty())
    out.push_back({"no pod of serving is refused or changed by " + given.limits->of_serving, "", "", true});
  if (given.limits != nullptr && !given.limits->batch.empty())
    out.push_back({"Kueue counts of batch what its pods ask for, whatever a LimitRange says", "", "", true});
  for (const auto& [kind, word] : {std::pair{Kind::Serving, "serving"}, std::pair{Kind::Batch, "batch"}}) {
    const auto role = std::ranges::find_if(proof.intent.roles,
                                           [&](const QueueRole& one) { return one.kind == kind && one.priority; });
    if (role != proof.intent.roles.end())
      out.push_back({fmt::format("workloads of {} queues have priority {}, that of their WorkloadPriorityClass", word,
                                 *role->priority),
                     "add a guard that denies other priority classes (`gpol explain priorities-pinned`)",
                     kind == Kind::Batch ? found.pinned : std::string(), found.misranked.contains(kind)});
  }
  return out;
}

}  // namespace gpol
