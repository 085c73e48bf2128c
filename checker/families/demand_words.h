// Conditions on requests (CEL) that demands are made of. Used by demands.cpp and demands_tenants.cpp alone.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "checker/families/demands.h"
#include "compiler/source/lookup.h"

namespace gpol {

inline constexpr std::string_view kServiceAccount = "system:serviceaccount:";

inline std::string not_user(std::string_view ns, std::string_view name) {
  return fmt::format("request.userInfo.username != '{}{}:{}'", kServiceAccount, ns, name);
}
inline std::string not_kueue() { return not_user("kueue-system", "kueue-controller-manager"); }
inline std::string not_job_controller() { return not_user("kube-system", "job-controller"); }
// Of an update: neither of those who stop and end what is there.
inline std::string not_ending() { return not_kueue() + " && " + not_job_controller(); }
inline std::string not_garbage_collector() { return not_user("kube-system", "generic-garbage-collector"); }

// The devices of the pools, under every name that the device plugin gives them: whole, shared, and MIG slices
// (k8s-device-plugin internal/resource). Others of the vendor (network cards, say) are no business of quotas; where a
// tenant is, all of them are, since a DeviceClass may give the same devices another name (DRA extended resources).
inline std::string asks_gpu(const std::string& container, const std::string& of_tenant) {
  return fmt::format(
      "has({0}.resources) && has({0}.resources.limits) && "
      "{0}.resources.limits.exists(name, name.startsWith('nvidia.com/gpu') || name.startsWith('nvidia.com/mig-') || "
      "({1} && name.startsWith('nvidia.com/')))",
      container, of_tenant);
}

// A kubelet writes down the pods of its own manifests, which tolerate everything: as good as daemons.
inline constexpr std::string_view kNotKubelet = "!('system:nodes' in request.userInfo.groups)";
inline std::string daemon_or_job() {
  return not_job_controller() + " && " + not_user("kube-system", "daemon-set-controller");
}

// An entry of the labels or annotations of an object; empty text where it has none.
inline std::string metadata_entry(std::string_view object, std::string_view map, std::string_view key) {
  return fmt::format("(has({0}.metadata.{1}) && '{2}' in {0}.metadata.{1} ? {0}.metadata.{1}['{2}'] : '')", object, map,
                     key);
}

// A pod that Kueue has not started yet (pkg/controller/jobs/pod/pod_webhook.go).
inline std::string waits(const char* object) {
  return fmt::format(
      "has({0}.spec.schedulingGates) && {0}.spec.schedulingGates.exists(gate, gate.name == "
      "'kueue.x-k8s.io/admission')",
      object);
}

// A way to tolerate, of the pod's spec that `X` stands for. What stands in quotes stays: a label may be `HGX.8`.
inline std::string in(std::string_view way, const std::string& spec) {
  std::string out;
  bool text = false;
  for (std::size_t i = 0; i < way.size(); ++i) {
    if (way[i] == '\'') text = !text;
    if (way[i] == '\\') out += way[i++];
    if (!text && way.substr(i).starts_with("X."))
      out += spec;
    else
      out += way[i];
  }
  return out;
}

// Whether Kueue may make Workloads of StatefulSets. A policy does not say which kinds it takes, and a Configuration
// without a list of them may be lines to merge into another one.
inline bool may_queue_statefulsets(const Cluster& cluster, const Intent& intent) {
  const auto& on = cluster.config.frameworks;
  return intent.of_policy || on.empty() || contains(on, "statefulset");
}

// A list of demands that grows; `who` may send them, `here` is where: "request.namespace in [...] && ".
class DemandList {
 protected:
  DemandList(const Cluster& cluster, const Intent& intent) : cluster_(cluster), intent_(intent) {}

  // Where a demand is about: "group/version resource[/subresource] OPERATION".
  void add(std::string_view premise, std::string who, std::string does, std::string breaks, std::string group,
           std::string resource, std::string operation, std::string bad);

  // Kueue counts of a workload what runs of it. `queued`: there are namespaces that `here` is about.
  void counted_as_it_runs(bool queued, const std::string& who, const std::string& here);
  // Also of Jobs that ask for no device, and of those that wait: their quota of cpu and memory is lent, too.
  void jobs_as_counted(const std::string& who, const std::string& here);
  struct Entry {
    std::string_view kind, map, name;  // "jobs" or "pods", "labels" or "annotations"
    std::string_view breaks, lost;     // what follows if it is written, and if it is taken away
    std::string_view way = {};         // round quota, as Demand::way
  };
  void written(const std::string& who, const std::string& here, const std::string& by, const Entry& entry);
  // Neither quota nor devices are free before the pods of it have ended: of tenants that share a pool.
  void holds_what_it_runs(const std::string& who, const std::string& here);
  void some_grace(std::string_view premise, const std::string& who, const std::string& here);
  void grace_at_most(std::string_view premise, const std::string& who, const std::string& here, std::int64_t seconds,
                     const std::string& breaks);
  // Whoever is not of the pipeline: "not this one && not that one && ".
  std::string stranger(std::string those) const;

  // `queued`: there are namespaces that `here` is about.
  void objects_unchanged(bool queued, const std::string& here, const std::map<std::string, std::string>& by);
  // Of a cluster whose scheduler is Volcano; `here` of its tenants, `anywhere` but in the exempt namespaces.
  void volcano(const std::string& who, const std::string& here, const std::string& anywhere);
  void placed_by_volcano(const std::string& who, const std::string& here, const std::string& anywhere);
  void volcano_queues();
  void bounded_jobs(const std::string& who, const std::string& here, std::string_view quota);
  void leaves(const std::string& who, const std::string& here);
  void leaves_within(const std::string& who, const std::string& here, std::int64_t seconds);
  void keeps_to_its_containers(const std::string& who, const std::string& here);
  void holds_without_pods(const std::string& who, const std::string& here);
  void priorities(const std::string& who, const std::string& here);
  void serving_priorities(const std::string& who, const std::string& here, bool beside_batch);
  void preempts(const OutsideReserve& tenant);
  void keeps_priority_classes(const std::set<std::int64_t>& values);
  // Whom kube-scheduler evicts for such a tenant, of batch.
  void stays_marked(const std::string& who, const std::string& here);
  void shape(const std::string& who, const std::string& here, const Flavor& flavor, const PodShape& shape);
  // Nodes are kept from pods of others by no pod of these namespaces.
  void repels_nobody(const std::string& who, const std::string& here);
  void takes_no_ports(const std::string& who, const std::string& here);
  // In any queue: those of these namespaces are all for such replicas.
  void replica(const std::string& who, const std::string& here, const PodShape& shape);

  const Cluster& cluster_;
  const Intent& intent_;
  std::vector<Demand> out_;
};

}  // namespace gpol
