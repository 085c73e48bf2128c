// What premises demand of whoever is not of the pipeline: Kueue's objects that are proven stay as they are, nothing
// else joins their cohorts or uses their flavors, and tenants' Workloads are Kueue's own. Other teams' queues on nodes
// of their own are nobody's business here. Sources: the CRDs of kueue.x-k8s.io/v1beta2 (Kueue v0.19.2,
// config/components/crd/bases); pkg/workload FinalizeOrphanedWorkload (what is being deleted is not finished any more).
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/demand_words.h"
#include "checker/families/doors.h"

namespace gpol {

namespace {

std::string list_of(const std::set<std::string>& names) {
  std::set<std::string> all;
  for (const std::string& name : names) all.insert(quoted(name));
  return fmt::format("[{}]", fmt::join(all, ", "));
}

using Labels = std::map<std::string, std::set<std::string>>;  // values by key

// The keys of taints, each with those of these labels that the nodes of some pool have which carry it.
std::set<std::pair<std::string, std::set<std::string>>> taints_of(const Cluster& cluster, const Labels& labels) {
  std::set<std::pair<std::string, std::set<std::string>>> out;
  for (const NodePool& pool : cluster.node_pools) {
    std::set<std::string> keys;
    for (const auto& [key, values] : labels)
      if (pool.labels.contains(key)) keys.insert(key);
    for (const Taint& taint : pool.taints) out.emplace(taint.key, keys);
  }
  return out;
}

// A node has one value of a label: a flavor with another value than these pools have is of none of their nodes.
std::string not_elsewhere(const std::set<std::string>& keys, const Labels& labels) {
  std::string out;
  for (const std::string& key : keys)
    out += fmt::format(" && !(has(X.spec.nodeLabels) && {0} in X.spec.nodeLabels && !(X.spec.nodeLabels[{0}] in {1}))",
                       quoted(key), list_of(labels.at(key)));
  return out;
}

struct Way {
  const char *kind, *does;
  std::string bad;  // `X` stands for the object
};

}  // namespace

void DemandList::objects_unchanged(bool queued, const std::string& here, const std::map<std::string, std::string>& by) {
  const std::string_view key = "objects-unchanged";
  const std::string others = stranger(not_kueue() + " && ");
  const std::string breaks = "the quotas are not those that were proven";
  std::set<std::string> cohorts, flavors, classes;
  std::map<std::string, std::set<std::string>> labels;  // values by key
  for (const CohortNode& cohort : cluster_.cohorts) cohorts.insert(cohort.name);
  for (const Queue& queue : cluster_.queues)
    if (!queue.cohort.empty()) cohorts.insert(queue.cohort);
  for (const Flavor& flavor : cluster_.flavors) {
    flavors.insert(flavor.name);
    for (const auto& [label, value] : flavor.node_labels) labels[label].insert(value);
  }
  for (const auto& c : cluster_.priority_classes) classes.insert(c.name);

  const std::string of_flavor = list_of(flavors), of_cohort = list_of(cohorts);
  std::vector<Way> ways{
      {"clusterqueues", "a ClusterQueue with a flavor of these",
       "has(X.spec.resourceGroups) && X.spec.resourceGroups.exists(group, group.flavors.exists(one, one.name in " +
           of_flavor + "))"},
      {"resourceflavors", "one of these ResourceFlavors", "X.metadata.name in " + of_flavor},
      {"workloadpriorityclasses", "one of these WorkloadPriorityClasses", "X.metadata.name in " + list_of(classes)}};
  if (!cohorts.empty()) {
    ways.push_back({"clusterqueues", "a ClusterQueue in a cohort of these",
                    "has(X.spec.cohortName) && X.spec.cohortName in " + of_cohort});
    ways.push_back({"clusterqueues", "a ClusterQueue in a cohort of these, in v1beta1",
                    "has(X.spec.cohort) && X.spec.cohort in " + of_cohort});
    ways.push_back({"cohorts", "one of these Cohorts", "X.metadata.name in " + of_cohort});
    ways.push_back(
        {"cohorts", "a Cohort below one of these", "has(X.spec.parentName) && X.spec.parentName in " + of_cohort});
  }
  for (const auto& [label, values] : labels)
    ways.push_back({"resourceflavors", "a ResourceFlavor of the same nodes",
                    fmt::format("has(X.spec.nodeLabels) && {0} in X.spec.nodeLabels && X.spec.nodeLabels[{0}] in {1}",
                                quoted(label), list_of(values))});
  for (const auto& [taint, keys] : taints_of(cluster_, labels))
    ways.push_back({"resourceflavors", "a ResourceFlavor that lets pods tolerate the taint of these nodes",
                    fmt::format("has(X.spec.tolerations) && X.spec.tolerations.exists(t, has(t.key) && t.key == {})",
                                quoted(taint)) +
                        not_elsewhere(keys, labels)});
  for (const Way& way : ways)
    for (const char* operation : {"CREATE", "UPDATE", "DELETE"}) {
      // A namespace that is deleted takes its objects along.
      const bool made = std::string_view(operation) == "CREATE", deleted = std::string_view(operation) == "DELETE";
      const std::string who = others + (deleted ? not_user("kube-system", "namespace-controller") + " && " : "");
      std::string bad = in(way.bad, deleted ? "oldObject" : "object");
      if (!made && !deleted) bad = fmt::format("(({}) || ({}))", bad, in(way.bad, "oldObject"));
      add(key, "any user", fmt::format("sends {} of {}", operation, way.does), breaks, "kueue.x-k8s.io", way.kind,
          operation, who + bad);
    }
  Doors limited;
  for (const TrafficPolicy& one : cluster_.traffic_policies) limited.names.insert(one.ns), limited.any = true;
  for (const char* operation : {"CREATE", "UPDATE", "DELETE"})
    if (limited.any)
      add(key, "any user", fmt::format("sends {} of a BackendTrafficPolicy beside those of the policy", operation),
          "what a gateway lets in is not what was proven", "gateway.envoyproxy.io", "backendtrafficpolicies", operation,
          limited.here(by) + stranger("") +
              (std::string_view(operation) == "DELETE" ? not_user("kube-system", "namespace-controller") : "true"));
  if (!queued) return;
  for (const char* operation : {"CREATE", "UPDATE", "DELETE"})
    add(key, "any user", fmt::format("sends {} of a LocalQueue of a tenant", operation), breaks, "kueue.x-k8s.io",
        "localqueues", operation,
        here + others +
            (std::string_view(operation) == "DELETE" ? not_user("kube-system", "namespace-controller") : "true"));
  add(key, "any user", "sends DELETE of a tenant's Workload", "Kueue counts its quota as free", "kueue.x-k8s.io",
      "workloads", "DELETE",
      here + fmt::format("{} && {} && {}", not_kueue(), not_garbage_collector(),
                         not_user("kube-system", "namespace-controller")));
  add(key, "any user", "deletes a Workload once all that belongs to it is gone",
      "its quota stays in use for as long as somebody keeps that", "kueue.x-k8s.io", "workloads", "DELETE",
      here + "has(request.options.propagationPolicy) && request.options.propagationPolicy == 'Foreground'");
  // The proofs know how Kueue stops these three, and which of its `integrations.frameworks` are on is set for all
  // teams.
  if (intent_.of_policy)
    add(key, "Kueue", "makes a tenant's Workload for another kind than Jobs, pods and StatefulSets",
        "how it is stopped, and what it runs, is not known", "kueue.x-k8s.io", "workloads", "CREATE",
        here +
            "(!has(object.metadata.ownerReferences) || object.metadata.ownerReferences.exists(owner, "
            "!(owner.kind in ['StatefulSet', 'Job', 'Pod'])))");
  for (const char* kind : {"workloads", "workloads/status"})
    for (const char* operation : {"CREATE", "UPDATE"})
      add(key, "any user", fmt::format("sends {} of a tenant's {}", operation, kind),
          "a Workload is admitted, or given a priority, by hand", "kueue.x-k8s.io", kind, operation,
          here + not_kueue() + (std::string_view(operation) == "UPDATE" ? " && " + not_garbage_collector() : ""));
}

}  // namespace gpol
