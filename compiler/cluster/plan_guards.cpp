// The guards of a planned cluster: what keeps the premises of its proofs, as ValidatingAdmissionPolicies. Why each rule
// is there stands beside it; whether the rules suffice is decided elsewhere, by meaning and from the emitted YAML
// (checker/guards). The API server fills in defaults and lets mutating webhooks act before it asks a policy.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/cluster/guard_parts.h"

namespace gpol {

namespace {

using namespace guards;

// Kueue's webhook gives a pod that it manages a scheduling gate, and suspends a Job: whoever has neither is not queued,
// whatever the reason (namespace, kind, label, a forged owner, the webhook is down). Pods of a Job carry no gate, and
// only the Job controller's own user tells them from others. Daemons stand on every node; their share is declared, and
// so do a kubelet's own pods, which tolerate everything. Kueue adds the tolerations of the flavor when it takes the
// gate off. A tenant outside the queue runs ungated in its namespaces, on its own pools and nowhere else.
std::string outside_place(const Policy& policy, const std::string& object) {
  std::vector<std::string> ways;
  for (const Tenant& tenant : policy.tenants) {
    if (!tenant.outside) continue;
    std::vector<std::string> pools;
    for (const PoolAmount& reserve : tenant.reserves) pools.push_back(policy.pools[reserve.pool].name);
    ways.push_back(
        fmt::format("(request.namespace in ['{0}'] && has({1}.nodeSelector) && '{2}' in {1}.nodeSelector && "
                    "{1}.nodeSelector['{2}'] in ['{3}'])",
                    fmt::join(tenant.namespaces, "', '"), object, kPoolLabel, fmt::join(pools, "', '")));
  }
  return ways.empty() ? "" : fmt::format(" || {}", fmt::join(ways, " || "));
}

std::vector<std::string> same_statuses() {
  std::vector<std::string> all;
  for (const auto& [field, none] : {std::pair{"containerStatuses", "[]"},
                                    {"initContainerStatuses", "[]"},
                                    {"resources", "{}"},
                                    {"allocatedResources", "{}"}})
    all.push_back(
        fmt::format("(has(object.status.{0}) ? object.status.{0} : {1}) == "
                    "(has(oldObject.status.{0}) ? oldObject.status.{0} : {1})",
                    field, none));
  return all;
}

void plan_queued(const Policy& policy, Planned& out) {
  const Span span = policy.cluster_span;
  const std::string place = outside_place(policy, "object.spec");
  const std::string job_place = outside_place(policy, "object.spec.template.spec");
  const char* pods_message =
      "a pod that asks for a GPU must be queued: label it kueue.x-k8s.io/queue-name in a tenant's namespace";
  const char* jobs_message =
      "a Job that asks for GPUs, or tolerates the taint of GPU nodes, must be queued: label it "
      "kueue.x-k8s.io/queue-name in a tenant's namespace";
  add(Guard("gpol-gpu-pods-queued")
          .about(rule("", {"pods"}, {"CREATE", "UPDATE"}))
          .let("gpu", asks_gpu("object.spec"))
          .let("tolerates", tolerates("object.spec"))
          .let("tolerated", fmt::format("request.operation == 'UPDATE' && ({} || ({}))", user_is(kKueue),
                                        tolerates("oldObject.spec")))
          .demand(fmt::format("request.operation != 'CREATE' || !variables.gpu || {} || {}{}", user_is(kJobController),
                              gated("object"), place),
                  pods_message)
          .demand(
              fmt::format("!variables.tolerates || variables.tolerated || {} || {} || "
                          "'system:nodes' in request.userInfo.groups{}",
                          user_is(kJobController), user_is(kDaemonController), place),
              "a pod does not tolerate the taint of GPU nodes by itself: Kueue adds the toleration to what it admits")
          .demand(fmt::format("request.operation != 'CREATE' || !({}) || 'system:nodes' in request.userInfo.groups",
                              names_node("object.spec")),
                  "kube-scheduler chooses the node of a pod")
          .demand(fmt::format("request.operation != 'UPDATE' || !{} || {} || {}", gated("oldObject"), gated("object"),
                              user_is(kKueue)),
                  "only Kueue lets a queued pod start"),
      span, out);
  add(Guard("gpol-pods-bound-by-scheduler")
          .about(rule("", {"pods/binding", "bindings"}, {"CREATE"}))
          .demand("request.userInfo.username == 'system:kube-scheduler'", "kube-scheduler chooses the node of a pod"),
      span, out);
  // A Job's pod without this label, or without its owner, is none of the Job's any more: it gets another one. What
  // Kueue does not find by its label, or finds below another owner, it does not evict
  // (pkg/controller/jobframework/reconciler.go ReconcileGenericJob). Controllers adopt and release by themselves.
  add(Guard("gpol-gpu-pods-keep-owner")
          .about(rule("", {"pods"}, {"UPDATE"}))
          .let("uses", uses("object.spec"))
          .let("controller",
               fmt::format("request.userInfo.username in ['{}', '{}', '{}', '{}', '{}', '{}']", kJobController,
                           kReplicaSetController, kStatefulSetController, kDaemonController, kGarbageCollector, kKueue))
          .demand(fmt::format("!variables.uses || variables.controller || {}", kSameOwners),
                  "a pod on GPU nodes keeps its owner")
          .demand(fmt::format("!variables.uses || variables.controller || {}", same_label(kJobLabel)),
                  fmt::format("a pod on GPU nodes keeps its label {}", kJobLabel)),
      span, out);
  add(Guard("gpol-gpu-pods-keep-size")
          .about(rule("", {"pods/resize"}, {"UPDATE"}))
          .let("uses", uses("object.spec"))
          .demand("!variables.uses", "a pod on GPU nodes keeps the cpu and memory it was admitted with"),
      span, out);
  add(Guard("gpol-gpu-jobs-queued")
          .about(rule("batch", {"jobs"}, {"CREATE", "UPDATE"}))
          .let("uses", uses("object.spec.template.spec"))
          .demand(fmt::format("!({})", names_node("object.spec.template.spec")),
                  "kube-scheduler chooses the node of a pod")
          .demand(
              fmt::format("request.operation != 'CREATE' || !variables.uses || {}{}", suspended("object"), job_place),
              jobs_message)
          .demand(fmt::format("request.operation != 'UPDATE' || !variables.uses || !{} || {} || {}",
                              suspended("oldObject"), suspended("object"), user_is(kKueue)),
                  "only Kueue starts a queued Job")
          .demand(fmt::format("request.operation != 'UPDATE' || !variables.uses || {} || "
                              "object.spec.parallelism <= oldObject.spec.parallelism || {}",
                              suspended("oldObject"), user_is(kKueue)),
                  "a running Job keeps the number of pods it was admitted with"),
      span, out);
  // By a pod's phase the Job controller knows that it has ended.
  add(Guard("gpol-gpu-pods-keep-phase")
          .about(rule("", {"pods/status"}, {"UPDATE"}))
          .let("uses", uses("object.spec"))
          .let("ended",
               "has(object.status.phase) && object.status.phase in ['Succeeded', 'Failed'] && "
               "!(has(oldObject.status.phase) && oldObject.status.phase == object.status.phase)")
          .let("kubelet", "'system:nodes' in request.userInfo.groups")
          .demand(fmt::format("!variables.uses || !variables.ended || variables.kubelet || {}", user_is(kPodCollector)),
                  "whether a pod on GPU nodes has ended is written by its kubelet")
          // kube-scheduler takes what a pod holds from its status where that is more (component-helpers/resource).
          .demand(fmt::format("!variables.uses || variables.kubelet || ({})", fmt::join(same_statuses(), " && ")),
                  "what a pod on GPU nodes holds is written by its kubelet"),
      span, out);
  // Kueue's webhook keeps the size of a StatefulSet, but is not asked about its subresource scale
  // (pkg/controller/jobs/statefulset/statefulset_webhook.go), and lets the pods above the admitted count start.
  // Written with 0 replicas and then with more it keeps the Workload of its first size (statefulset_reconciler.go
  // reconcileWorkload), and is never admitted whole.
  std::vector<std::string> namespaces;
  for (const Tenant& tenant : policy.tenants)
    if (!tenant.outside) namespaces.insert(namespaces.end(), tenant.namespaces.begin(), tenant.namespaces.end());
  std::sort(namespaces.begin(), namespaces.end());
  if (namespaces.empty()) return;
  plan_counted_guards(policy, namespaces, out);
  add(Guard("gpol-statefulsets-keep-size")
          .about(rule("apps", {"statefulsets/scale"}, {"UPDATE"}))
          .in(namespaces)
          .demand("!has(object.spec.replicas) || (has(oldObject.spec.replicas) && "
                  "object.spec.replicas <= oldObject.spec.replicas)",
                  "a StatefulSet is not scaled up: delete it, and make it again with more replicas"),
      span, out);
  // Who may write its status writes its labels along (pkg/registry/apps/statefulset/strategy.go), which neither that
  // webhook nor a guard is asked about then; and by its ready replicas the webhook knows whether it may change queues.
  add(Guard("gpol-statefulsets-keep-status")
          .about(rule("apps", {"statefulsets/status"}, {"UPDATE"}))
          .in(namespaces)
          .demand(user_is(kStatefulSetController), "the status of a StatefulSet is written by its controller"),
      span, out);
}

// Devices have other names as well (DRA extended resources, on since Kubernetes 1.36): each DeviceClass has one of its
// own accord, deviceclass.resource.kubernetes.io/CLASS, and one that it may be given. The first is no extended resource
// to the API server (pkg/apis/core/helper IsNativeResource), so that a request without a limit gets in, and no quota
// names it. Whoever is asked for by the second would look like a pod without GPUs.
void plan_device_names(const Policy& policy, Planned& out) {
  const auto by_class = [](const char* list) {
    const auto some = [](const char* field) {
      return fmt::format(
          "(has(c.resources.{0}) && c.resources.{0}.exists(k, "
          "k.startsWith('deviceclass.resource.kubernetes.io/')))",
          field);
    };
    return fmt::format("object.spec.{}.exists(c, has(c.resources) && ({} || {}))", list, some("limits"),
                       some("requests"));
  };
  add(Guard("gpol-devices-by-name")
          .about(rule("", {"pods"}, {"CREATE"}))
          // A variable: the API server's type checker knows no limits (it warns of them in a validation).
          .let("named", fmt::format("{} || (has(object.spec.initContainers) && {})", by_class("containers"),
                                    by_class("initContainers")))
          .demand("!variables.named", "a pod asks for a device as nvidia.com/..., not by the name of its DeviceClass"),
      policy.cluster_span, out);
  std::string named =
      "!has(object.spec.extendedResourceName) || object.spec.extendedResourceName.startsWith('nvidia.com/')";
  if (!policy.writers.empty()) named += " || " + one_of(policy.writers);
  add(Guard("gpol-device-classes-keep-names")
          .about(rule("resource.k8s.io", {"deviceclasses"}, {"CREATE", "UPDATE"}))
          .demand(std::move(named), "pods ask for the devices of a DeviceClass as nvidia.com/..."),
      policy.cluster_span, out);
}

// A pod is given the tolerations and the overhead of its RuntimeClass after its Job was looked at
// (plugin/pkg/admission/runtimeclass).
void plan_runtime_classes(const Policy& policy, Planned& out) {
  const std::string writer = policy.writers.empty() ? "" : " || " + one_of(policy.writers);
  add(Guard("gpol-runtime-classes-add-nothing")
          .about(rule("node.k8s.io", {"runtimeclasses"}, {"CREATE", "UPDATE"}))
          .demand("!has(object.scheduling) || !has(object.scheduling.tolerations) || "
                  "object.scheduling.tolerations.size() == 0" +
                      writer,
                  "a RuntimeClass brings pods no tolerations")
          .demand("!has(object.overhead)" + writer, "a RuntimeClass brings pods no overhead"),
      policy.cluster_span, out);
}

// A required anti-affinity keeps the pods that it selects off every node of its topology, which may be all of them
// (pkg/scheduler/framework/plugins/interpodaffinity/filtering.go satisfyExistingPodsAntiAffinity). Without a word of
// namespaces it is about its own alone.
void plan_repelling(const Policy& policy, Planned& out) {
  const std::string required = "object.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution";
  add(Guard("gpol-pods-repel-no-others")
          .about(rule("", {"pods"}, {"CREATE"}))
          .demand(
              fmt::format("!has(object.spec.affinity) || !has(object.spec.affinity.podAntiAffinity) || !has({0}) || "
                          "!{0}.exists(t, has(t.namespaces) || has(t.namespaceSelector))",
                          required),
              "a pod's required anti-affinity is about pods of its own namespace"),
      policy.cluster_span, out);
  // The room of a pod that waits and names a node in its status is kept there, whoever wrote that and whether it can
  // ever run there (pkg/scheduler/framework/runtime/framework.go RunFilterPluginsWithNominatedPods).
  const auto nominated = [](const char* object) {
    return fmt::format("(has({0}.status.nominatedNodeName) ? {0}.status.nominatedNodeName : '')", object);
  };
  add(Guard("gpol-pods-nominated-by-scheduler")
          .about(rule("", {"pods/status"}, {"UPDATE"}))
          .let("nominated", nominated("object"))
          .demand(fmt::format("variables.nominated == '' || variables.nominated == {} || "
                              "request.userInfo.username == 'system:kube-scheduler'",
                              nominated("oldObject")),
                  "kube-scheduler chooses the node that is kept for a pod"),
      policy.cluster_span, out);
}

// Workloads are Kueue's own: whoever writes one could admit it, or lift its priority. The collector deletes one in the
// foreground where its Job is, and anything at all says that it belongs to the Workload
// (pkg/controller/garbagecollector attemptToDeleteItem). Kueue does not end a Workload that is being deleted
// (pkg/workload FinalizeOrphanedWorkload): it would hold its quota for as long as that thing is kept. Refused, the
// collector asks again, and Kueue ends it meanwhile.
void plan_objects(const Policy& policy, Planned& out) {
  const Span span = policy.cluster_span;
  add(Guard("gpol-workloads-are-kueues")
          .about(rule("kueue.x-k8s.io", {"workloads", "workloads/status"}, {"CREATE", "UPDATE", "DELETE"}))
          .demand(fmt::format("{} || (request.operation != 'CREATE' && {}) || (request.operation == 'DELETE' && {})",
                              user_is(kKueue), user_is(kGarbageCollector), user_is(kNamespaceController)),
                  "only Kueue writes Workloads")
          .demand("request.operation != 'DELETE' || !has(request.options.propagationPolicy) || "
                  "request.options.propagationPolicy != 'Foreground'",
                  "a Workload is deleted without waiting for what says that it belongs to it"),
      span, out);
  // A Job's pods get defaults that its Workload was made without, if they were set meanwhile: also of devices
  // (plugin/pkg/admission/limitranger, and Kueue's pkg/workload/resources.go AdjustResources). And of a container with
  // a limit and no request Kueue counts the default request, whereas its pod asks for the limit.
  // (`dyn`: the API server's type checker knows no field of a LimitRangeItem that is a map of quantities.)
  const auto& managed = out.cluster.config.managed_namespaces.expressions;
  if (!managed.empty())
    add(Guard("gpol-limit-ranges-have-writers")
            .about(rule("", {"limitranges"}, {"CREATE", "UPDATE"}))
            .in(managed.front().values)
            .demand(policy.writers.empty() ? "false" : one_of(policy.writers),
                    "the LimitRanges of this namespace are written by the policy's pipeline alone")
            .demand("!has(object.spec.limits) || object.spec.limits.all(l, !has(dyn(l).default) && "
                    "!has(dyn(l).defaultRequest))",
                    "a LimitRange of this namespace sets no defaults, nor a min or max of containers, which does"),
        span, out);
  // A group is charged by one pod of each role, and a pod says by an annotation which role is its own
  // (pkg/controller/jobs/pod/pod_controller.go getRoleHash): a replica is one pod. Its name is an annotation, else a
  // label (pkg/util/pod GetPodGroupName). Kueue groups a StatefulSet's pods, which it knows by another annotation and
  // by an owner that a tenant may write (jobs/statefulset/statefulset_pod_reconciler.go).
  if (!managed.empty()) {
    const auto kept = [](const std::string& now, const std::string& before) {
      return fmt::format("{} == (request.operation == 'UPDATE' ? {} : '')", now, before);
    };
    add(Guard("gpol-pods-form-no-groups")
            .about(rule("", {"pods"}, {"CREATE", "UPDATE"}))
            .in(managed.front().values)
            .demand(fmt::format("{} || ({} && {})", user_is(kKueue),
                                kept(label("object", kGroup), label("oldObject", kGroup)),
                                kept(annotation("object", kGroup), annotation("oldObject", kGroup))),
                    "only Kueue makes pods a group: queue each by itself, or in a Job")
            .demand(fmt::format("request.userInfo.username in ['{}', '{}', '{}'] || {}", kKueue, kStatefulSetController,
                                kReplicaSetController,
                                kept(annotation("object", kParent), annotation("oldObject", kParent))),
                    fmt::format("the annotation {} is written by Kueue alone", kParent)),
        span, out);
  }
  if (policy.writers.empty()) return;
  const std::string writer = one_of(policy.writers);
  // Others may bound these namespaces further, by quotas of their own.
  if (const auto bounded = bounded_namespaces(policy); !bounded.empty()) {
    const std::string other = fmt::format("oldObject.metadata.name != '{}'", kJobQuota);
    const std::string status = "has(request.subResource) && request.subResource == 'status'";
    add(Guard("gpol-job-quotas-have-writers")
            .about(rule("", {"resourcequotas"}, {"UPDATE", "DELETE"}))
            .about(rule("", {"resourcequotas/status"}, {"UPDATE"}))
            .in(bounded)
            .let("status", status)
            .demand(fmt::format("variables.status || {} || {} || (request.operation == 'DELETE' && {})", other, writer,
                                user_is(kNamespaceController)),
                    fmt::format("the ResourceQuota {} is written by the policy's pipeline alone", kJobQuota))
            .demand(fmt::format("!variables.status || {} || {} || {}", other, user_is(kQuotaController),
                                user_is(kApiServer)),
                    fmt::format("what the ResourceQuota {} counts is written by the control plane alone", kJobQuota)),
        span, out);
  }
  add(Guard("gpol-queues-have-writers")
          .about(rule("kueue.x-k8s.io",
                      {"clusterqueues", "cohorts", "resourceflavors", "workloadpriorityclasses", "localqueues"},
                      {"CREATE", "UPDATE", "DELETE"}))
          .demand(fmt::format("{} || {} || (request.operation == 'DELETE' && {})", writer, user_is(kKueue),
                              user_is(kNamespaceController)),
                  "queues, cohorts, flavors and priority classes are written by the policy's pipeline alone"),
      span, out);
}

void set_mode(const GuardMode& rolled, Planned& out) {
  auto& bindings = out.cluster.admission_bindings;
  if (rolled.mode == "unbound")
    std::erase_if(bindings, [&](const AdmissionBinding& binding) { return binding.policy == rolled.guard; });
  for (AdmissionBinding& binding : bindings)
    if (binding.policy == rolled.guard) binding.actions = {rolled.mode == "warn" ? "Warn" : "Audit"};
}

}  // namespace

void plan_guards(const PlanContext& context, Planned& out) {
  const Policy& policy = context.policy;
  plan_queued(policy, out);
  plan_objects(policy, out);
  plan_device_names(policy, out);
  plan_runtime_classes(policy, out);
  plan_repelling(policy, out);
  plan_tenant_guards(policy, out);
  plan_preemptors(context, out);
  for (const GuardMode& rolled : policy.guards) set_mode(rolled, out);
}

}  // namespace gpol
