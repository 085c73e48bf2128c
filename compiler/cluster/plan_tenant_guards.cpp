// Guards on what the pods and Jobs of tenants are: batch leaves when told, has its own priority and its own shapes, and
// replicas on which other tenants' proofs rest are of the declared size.
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/cluster/guard_parts.h"

namespace gpol {

namespace {

using namespace guards;

std::string whole_seconds(Millis millis) { return std::to_string(millis / 1000); }

// Without any grace a pod is gone before its containers are, and its devices look free. One that has no node, or has
// ended, has none: the API server itself deletes it with 0, whatever its controller asked for, and says so to policies
// (pkg/registry/core/pod/strategy.go CheckGracefulDelete). Refused, its Job never ends and Kueue never frees its quota.
std::string deleted_with_grace() {
  return fmt::format(
      "request.operation != 'DELETE' || !has(request.options.gracePeriodSeconds) || "
      "request.options.gracePeriodSeconds >= 1 || !has(oldObject.spec.nodeName) || oldObject.spec.nodeName == '' || "
      "(has(oldObject.status.phase) && oldObject.status.phase in ['Succeeded', 'Failed']) || "
      "'system:nodes' in request.userInfo.groups || {}",
      user_is(kPodCollector));
}

// Whose pods hold what others own must leave when told. A pod may be deleted with a longer grace than its own, and can
// then not be hurried any more (pkg/registry/core/pod/strategy.go CheckGracefulDelete), by delete or by eviction.
void plan_leaves(const LatencyClass& c, const std::vector<std::string>& namespaces, Planned& out) {
  const bool jobs = c.runs == std::vector{JobKind::Job};
  Guard guard(fmt::format("gpol-{}-leaves", c.name));
  guard.about(rule("", {"pods"}, {"CREATE", "UPDATE", "DELETE"}));
  guard.in(namespaces);
  if (jobs)
    guard.demand(fmt::format("request.operation != 'CREATE' || {}", user_is(kJobController)),
                 "pods of this namespace are made by Jobs");
  if (c.runs == std::vector{JobKind::Pod})
    guard.demand(fmt::format("request.operation != 'CREATE' || !(request.userInfo.username in ['{}', '{}', '{}'])",
                             kJobController, kStatefulSetController, kReplicaSetController),
                 "pods of this namespace are made one by one");
  // Kueue's own is on pods that it queues, and nobody takes it off one of a Job.
  guard.demand(fmt::format("request.operation == 'DELETE' || !has(object.metadata.finalizers) || "
                           "object.metadata.finalizers.all(f, f in ['batch.kubernetes.io/job-tracking'{}]) || {}",
                           jobs ? "" : ", 'kueue.x-k8s.io/managed'", ends_it()),
               "pods of this namespace carry no finalizer of their own");
  if (c.grace) {
    const std::string grace = whole_seconds(c.grace->value);
    // The API server keeps it as it was made (pkg/apis/core/validation ValidatePodUpdate).
    guard.demand(fmt::format("request.operation != 'CREATE' || "
                             "(has(object.spec.terminationGracePeriodSeconds) && "
                             "object.spec.terminationGracePeriodSeconds <= {} && "
                             "object.spec.terminationGracePeriodSeconds >= 1)",
                             grace),
                 fmt::format("terminationGracePeriodSeconds is 1 to {} here", grace));
    guard.demand(fmt::format("request.operation != 'DELETE' || !has(request.options.gracePeriodSeconds) || "
                             "request.options.gracePeriodSeconds <= {}",
                             grace),
                 fmt::format("a pod is deleted with {} s of grace here at most", grace));
    guard.demand(deleted_with_grace(), "a pod is deleted with some grace here: 1 s at least");
  }
  add(std::move(guard), c.span, out);
  if (!c.grace) return;
  const std::string grace = whole_seconds(c.grace->value);
  add(Guard(fmt::format("gpol-{}-evictions", c.name), rule("", {"pods/eviction"}, {"CREATE"}), namespaces)
          .demand(fmt::format("!has(object.deleteOptions) || !has(object.deleteOptions.gracePeriodSeconds) || "
                              "(object.deleteOptions.gracePeriodSeconds <= {} && "
                              "object.deleteOptions.gracePeriodSeconds >= 1)",
                              grace),
                  fmt::format("a pod is evicted with 1 to {} s of grace here", grace)),
      c.span, out);
}

// Kueue must be able to stop what holds lent quota.
void plan_stoppable(const LatencyClass& c, const std::vector<std::string>& namespaces, Planned& out) {
  // It suspends a Job by patches that carry the version they were made for (jobs/job/job_controller.go Stop,
  // util/client Patch): whoever writes to the Job all the time keeps it from that, also while the Job waits to start.
  add(Guard(fmt::format("gpol-{}-jobs-stay-as-made", c.name), rule("batch", {"jobs"}, {"UPDATE"}), namespaces)
          .demand(fmt::format("{} || {} || {}", user_is(kKueue), user_is(kJobController), user_is(kGarbageCollector)),
                  "a Job of this namespace stays as it was made: delete it and make another"),
      c.span, out);
  // The Workload of a StatefulSet is there before any pod, and while there is none Kueue does not look at its eviction
  // (jobs/statefulset/statefulset_reconciler.go createPrebuiltWorkload, jobs/pod/pod_controller.go Load): a pod that is
  // refused, for whatever reason, holds its quota for ever. gpol-statefulsets-keep-size keeps it from being scaled up.
  add(Guard(fmt::format("gpol-{}-runs-no-statefulsets", c.name), rule("apps", {"statefulsets"}, {"CREATE", "UPDATE"}),
            namespaces)
          .demand(
              fmt::format("(has(object.spec.replicas) && object.spec.replicas == 0) || {}", user_is(kGarbageCollector)),
              "a StatefulSet of this namespace has 0 replicas: Kueue cannot take quota from one without pods"),
      c.span, out);
}

// Kueue takes the priority of the class that the label names, and without the label that of the pod's PriorityClass.
// The pod's own priority is what kube-scheduler evicts by. A Job's pods are counted by the Job's label.
void plan_priority(const LatencyClass& c, const std::vector<std::string>& namespaces, Planned& out) {
  const std::string message = fmt::format("label it {}: {}", kPriorityLabel, c.name);
  const std::string own = fmt::format("{} == '{}'", label("object", kPriorityLabel), c.name);
  add(Guard(fmt::format("gpol-{}-job-priority", c.name), rule("batch", {"jobs"}, {"CREATE", "UPDATE"}), namespaces)
          .demand(fmt::format("{} || {}", own, keeps_label(kPriorityLabel)), message),
      c.span, out);
  add(Guard(fmt::format("gpol-{}-pod-priority", c.name), rule("", {"pods"}, {"CREATE", "UPDATE"}), namespaces)
          .demand(fmt::format("request.operation != 'CREATE' || {} || {}", own, user_is(kJobController)), message)
          .demand(fmt::format("request.operation != 'UPDATE' || {}", same_label(kPriorityLabel)),
                  "a pod keeps its priority class")
          .demand("request.operation != 'CREATE' || !has(object.spec.priority) || object.spec.priority == 0",
                  fmt::format("pods of this namespace have priority 0: name no PriorityClass, or {}", kQueuedPods)),
      c.span, out);
}

// kube-scheduler evicts pods of a lower priority, whatever the quotas say, and so does nothing among equals. A pod
// without a PriorityClass has the priority of the cluster's default, 0 where there is none
// (plugin/pkg/admission/priority); it is also what Kueue counts where no label is (pkg/util/priority), and then still
// above batch.
void plan_serving_priority(const Policy& policy, const std::vector<std::string>& namespaces, Planned& out) {
  std::vector<std::string> batch;
  for (const auto& c : policy.classes)
    if (c.isolation == Isolation::C) batch.push_back(c.name);
  const Span span = policy.cluster_span;
  add(Guard("gpol-pods-of-serving-have-priority", rule("", {"pods"}, {"CREATE"}), namespaces)
          .demand("!has(object.spec.priority) || object.spec.priority == 0",
                  fmt::format("pods of this namespace have priority 0: name no PriorityClass, or {}", kQueuedPods)),
      span, out);
  if (!batch.empty()) {
    Guard guard("gpol-serving-above-batch");
    guard.about(rule("", {"pods"}, {"CREATE", "UPDATE"}));
    guard.about(rule("batch", {"jobs"}, {"CREATE", "UPDATE"}));
    guard.about(rule("apps", {"statefulsets"}, {"CREATE", "UPDATE"}));
    guard.in(namespaces);
    guard.demand(fmt::format("!({} in ['{}']) || {}", label("object", kPriorityLabel), fmt::join(batch, "', '"),
                             keeps_label(kPriorityLabel)),
                 "what serves is in no priority class of batch");
    add(std::move(guard), span, out);
  }
}

void add_to(std::vector<std::string>& namespaces, const Tenant& tenant) {
  namespaces.insert(namespaces.end(), tenant.namespaces.begin(), tenant.namespaces.end());
}

// Who else serves, counted once for all tenants.
struct Serving {
  bool spans_pools = false;           // whether batch may hold several pools at once
  std::size_t queued = 0;             // serving tenants in queues
  std::vector<std::size_t> reserved;  // by pool, the tenants that reserve of it
};

Serving serving_of(const Policy& policy) {
  const std::vector jobs{JobKind::Job};
  Serving out;
  out.reserved.resize(policy.pools.size());
  for (const Tenant& tenant : policy.tenants) {
    if (const LatencyClass& c = policy.classes[tenant.latency_class]; c.isolation == Isolation::C) {
      out.spans_pools = out.spans_pools || c.runs != jobs;
      continue;
    }
    if (!tenant.outside) ++out.queued;
    for (const PoolAmount& reserve : tenant.reserves) ++out.reserved[reserve.pool];
  }
  return out;
}

// Whether another serving tenant rests on what the replicas of this one, which serves in a queue, are: on the same
// nodes, or where batch that holds several pools at once is evicted for either.
bool shares(const Serving& serving, const Tenant& tenant) {
  if (serving.spans_pools && serving.queued > 1) return true;
  return std::ranges::any_of(tenant.reserves, [&](const PoolAmount& own) { return serving.reserved[own.pool] > 1; });
}

// A replica is looked at before it is queued: admitted, one of another size has taken a turn at evicting batch already.
// Kueue makes the Workload of a Job and of a StatefulSet from the template, and that of other pods from themselves
// (jobs/statefulset/statefulset_reconciler.go createPrebuiltWorkload).
void plan_replicas(const Policy& policy, Planned& out) {
  struct Users {
    std::vector<std::string> namespaces;
    Span span;
  };
  std::map<Devices, Users> sizes;
  const Serving serving = serving_of(policy);
  for (const Tenant& tenant : policy.tenants) {
    const bool declared = !tenant.reserves.empty() && tenant.reserves.front().replica;
    if (tenant.outside || !declared || !shares(serving, tenant)) continue;
    Users& users = sizes[devices_of(policy, *tenant.reserves.front().replica)];
    add_to(users.namespaces, tenant);
    if (!users.span.known()) users.span = tenant.reserves.front().span;
  }
  const std::string queued = fmt::format("{} != ''", label("object", kQueueLabel));
  const std::string newly =
      fmt::format("{} && !(request.operation == 'UPDATE' && {} != '')", queued, label("oldObject", kQueueLabel));
  for (auto& [devices, users] : sizes) {
    std::ranges::sort(users.namespaces);
    const std::string name = "gpol-replica-" + in_name(policy, devices);
    Guard pods(name), templates(name + "-template");
    pods.about(rule("", {"pods"}, {"CREATE", "UPDATE"})).in(users.namespaces).let("when", newly);
    add(demand_devices(pods, "object.spec", policy, devices, "a replica"), users.span, out);
    templates.about(rule("batch", {"jobs"}, {"CREATE", "UPDATE"}));
    templates.about(rule("apps", {"statefulsets"}, {"CREATE", "UPDATE"}));
    templates.in(users.namespaces).let("when", fmt::format("{} && !{}", queued, ends_it()));
    add(demand_devices(templates, "object.spec.template.spec", policy, devices, "a replica"), users.span, out);
    // Who may write a pod's status writes its labels along, and neither of the two is asked.
    add(Guard(name + "-status", rule("", {"pods/status"}, {"UPDATE"}), users.namespaces)
            .demand(same_label(kQueueLabel), "the queue of a replica is not written with its status"),
        users.span, out);
  }
}

// Kueue frees the quota of a Job that is deleted, or stopped, while its pods still end, and the devices of a pod that
// is deleted without grace look free before its containers have ended. Batch's are counted on for that (plan_leaves);
// what serves shares its nodes only where it does neither.
void plan_sharing(const Policy& policy, Planned& out) {
  const Serving serving = serving_of(policy);
  const auto namespaces = namespaces_of(policy, [&](const Tenant& tenant, const LatencyClass& c) {
    return !tenant.outside && c.isolation != Isolation::C && shares(serving, tenant);
  });
  if (namespaces.empty()) return;
  add(Guard("gpol-sharing-runs-no-jobs", rule("batch", {"jobs"}, {"CREATE", "UPDATE"}), namespaces)
          .demand(fmt::format("{} == '' || {}", label("object", kQueueLabel), keeps_label(kQueueLabel)),
                  "who shares a pool with others that serve queues no Jobs: their quota is free before their nodes"),
      policy.cluster_span, out);
  const std::string some = "a pod that shares nodes with others that serve ends with some grace: 1 s at least";
  Guard ends("gpol-sharing-ends-in-full");
  ends.about(rule("", {"pods"}, {"CREATE", "DELETE"})).about(rule("", {"pods/eviction"}, {"CREATE"})).in(namespaces);
  ends.let("evicts", "has(request.subResource) && request.subResource == 'eviction'");
  ends.demand(
      "request.operation != 'CREATE' || variables.evicts || "
      "!has(object.spec.terminationGracePeriodSeconds) || object.spec.terminationGracePeriodSeconds >= 1",
      some);
  ends.demand(deleted_with_grace(), some);
  ends.demand(
      "!variables.evicts || !has(object.deleteOptions) || !has(object.deleteOptions.gracePeriodSeconds) || "
      "object.deleteOptions.gracePeriodSeconds >= 1",
      some);
  add(std::move(ends), policy.cluster_span, out);
}

// Kueue frees the quota of a pod as soon as it is told to end (jobs/pod/pod_controller.go Load), and others that serve
// on its node wait for no longer than its class says.
void plan_endings(const Policy& policy, Planned& out) {
  std::map<std::int64_t, std::vector<std::string>> graces;  // namespaces
  const Serving serving = serving_of(policy);
  for (const Tenant& tenant : policy.tenants) {
    const LatencyClass& c = policy.classes[tenant.latency_class];
    if (c.grace && c.isolation != Isolation::C && shares(serving, tenant))
      add_to(graces[c.grace->value / 1000], tenant);
  }
  for (auto& [seconds, namespaces] : graces) {
    std::ranges::sort(namespaces);
    const std::string most = fmt::format("a pod that shares nodes with others that serve ends within {} s", seconds);
    Guard ends(fmt::format("gpol-sharing-ends-within-{}", seconds));
    ends.about(rule("", {"pods"}, {"CREATE", "DELETE"})).about(rule("", {"pods/eviction"}, {"CREATE"})).in(namespaces);
    ends.let("evicts", "has(request.subResource) && request.subResource == 'eviction'");
    ends.demand(fmt::format("request.operation != 'CREATE' || variables.evicts || "
                            "(has(object.spec.terminationGracePeriodSeconds) && "
                            "object.spec.terminationGracePeriodSeconds <= {})",
                            seconds),
                most);
    ends.demand(fmt::format("request.operation != 'DELETE' || !has(request.options.gracePeriodSeconds) || "
                            "request.options.gracePeriodSeconds <= {}",
                            seconds),
                most);
    ends.demand(fmt::format("!variables.evicts || !has(object.deleteOptions) || "
                            "!has(object.deleteOptions.gracePeriodSeconds) || "
                            "object.deleteOptions.gracePeriodSeconds <= {}",
                            seconds),
                most);
    add(std::move(ends), policy.cluster_span, out);
  }
}

}  // namespace

// A pod finds no node where others have its ports (pkg/scheduler/framework/plugins/nodeports), and nobody counts them.
void guards::plan_ports(const Policy& policy, Planned& out) {
  const auto namespaces =
      namespaces_of(policy, [](const Tenant&, const LatencyClass& c) { return c.isolation != Isolation::C; });
  if (namespaces.empty()) return;
  const auto none = [](const char* list) {
    return fmt::format("{}.all(c, !has(c.ports) || c.ports.all(p, !has(p.hostPort) || p.hostPort == 0))", list);
  };
  add(Guard("gpol-serving-takes-no-ports", rule("", {"pods"}, {"CREATE"}), namespaces)
          .demand(none("object.spec.containers"), "a pod that serves asks for no port of its node")
          .demand(fmt::format("!has(object.spec.initContainers) || {}", none("object.spec.initContainers")),
                  "a pod that serves asks for no port of its node"),
      policy.cluster_span, out);
}

void plan_tenant_guards(const Policy& policy, Planned& out) {
  const auto serving = namespaces_of(
      policy, [](const Tenant& t, const LatencyClass& c) { return c.isolation != Isolation::C && !t.outside; });
  if (!serving.empty()) plan_serving_priority(policy, serving, out);
  std::map<std::uint32_t, std::vector<std::string>> batch;  // namespaces by class
  for (const Tenant& tenant : policy.tenants)
    if (policy.classes[tenant.latency_class].isolation == Isolation::C) add_to(batch[tenant.latency_class], tenant);
  for (auto& [index, namespaces] : batch) {
    std::ranges::sort(namespaces);
    plan_leaves(policy.classes[index], namespaces, out);
    plan_stoppable(policy.classes[index], namespaces, out);
    plan_priority(policy.classes[index], namespaces, out);
  }
  const auto all_batch =
      namespaces_of(policy, [](const Tenant&, const LatencyClass& c) { return c.isolation == Isolation::C; });
  if (!all_batch.empty()) plan_contained(all_batch, policy.cluster_span, out);
  plan_shapes(policy, out);
  plan_replicas(policy, out);
  plan_sharing(policy, out);
  plan_endings(policy, out);
  plan_ports(policy, out);
}

}  // namespace gpol
