// The guards of a planned cluster: what keeps the premises of its proofs, as ValidatingAdmissionPolicies. Why each rule
// is there stands beside it; whether the rules suffice is decided elsewhere, by meaning and from the emitted YAML
// (checker/guards). The API server fills in defaults and lets mutating webhooks act before it asks a policy.
#include <fmt/format.h>

#include "compiler/cluster/guard_parts.h"

namespace gpol {

namespace {

using namespace guards;

// Devices have other names as well (DRA extended resources, on since Kubernetes 1.36): each DeviceClass has one of its
// own accord, deviceclass.resource.kubernetes.io/CLASS, which is no extended resource to the API server
// (pkg/apis/core/helper IsNativeResource), so that a request without a limit gets in, and no quota names it.
void plan_device_names(const Places& places, Planned& out) {
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
  add(Guard("gpol-devices-by-name", rule("", {"pods"}, {"CREATE"}), places.tenants)
          // A variable: the API server's type checker knows no limits (it warns of them in a validation).
          .let("named", fmt::format("{} || (has(object.spec.initContainers) && {})", by_class("containers"),
                                    by_class("initContainers")))
          .demand("!variables.named", "a pod asks for a device as nvidia.com/..., not by the name of its DeviceClass"),
      places.span, out);
}

// A required anti-affinity keeps the pods that it selects off every node of its topology, which may be all of them
// (pkg/scheduler/framework/plugins/interpodaffinity/filtering.go satisfyExistingPodsAntiAffinity). Without a word of
// namespaces it is about its own alone.
void plan_repelling(const Places& places, Planned& out) {
  const std::string required = "object.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution";
  add(Guard("gpol-pods-repel-no-others", rule("", {"pods"}, {"CREATE"}), places.tenants)
          .demand(
              fmt::format("!has(object.spec.affinity) || !has(object.spec.affinity.podAntiAffinity) || !has({0}) || "
                          "!{0}.exists(t, has(t.namespaces) || has(t.namespaceSelector))",
                          required),
              "a pod's required anti-affinity is about pods of its own namespace"),
      places.span, out);
  // The room of a pod that waits and names a node in its status is kept there, whoever wrote that and whether it can
  // ever run there (pkg/scheduler/framework/runtime/framework.go RunFilterPluginsWithNominatedPods).
  const auto nominated = [](const char* object) {
    return fmt::format("(has({0}.status.nominatedNodeName) ? {0}.status.nominatedNodeName : '')", object);
  };
  add(Guard("gpol-pods-nominated-by-scheduler", rule("", {"pods/status"}, {"UPDATE"}), places.tenants)
          .let("nominated", nominated("object"))
          .demand(fmt::format("variables.nominated == '' || variables.nominated == {} || "
                              "request.userInfo.username == 'system:kube-scheduler'{}",
                              nominated("oldObject"), out.cluster.volcano ? " || " + user_is(kVolcanoScheduler) : ""),
                  fmt::format("{} chooses the node that is kept for a pod",
                              out.cluster.volcano ? "a scheduler" : "kube-scheduler")),
      places.span, out);
}

// Workloads are Kueue's own: whoever writes one could admit it, or lift its priority. The collector deletes one in the
// foreground where its Job is, and anything at all says that it belongs to the Workload
// (pkg/controller/garbagecollector attemptToDeleteItem). Kueue does not end a Workload that is being deleted
// (pkg/workload FinalizeOrphanedWorkload): it would hold its quota for as long as that thing is kept. Refused, the
// collector asks again, and Kueue ends it meanwhile.
void plan_objects(const Policy& policy, Planned& out) {
  const Span span = policy.cluster_span;
  const std::vector<std::string> managed = queued_namespaces(policy);
  if (!managed.empty())
    add(Guard("gpol-workloads-are-kueues",
              rule("kueue.x-k8s.io", {"workloads", "workloads/status"}, {"CREATE", "UPDATE", "DELETE"}), managed)
            .demand(fmt::format("{} || (request.operation != 'CREATE' && {}) || (request.operation == 'DELETE' && {})",
                                user_is(kKueue), user_is(kGarbageCollector), user_is(kNamespaceController)),
                    "only Kueue writes Workloads")
            // Which kinds Kueue takes is set for all teams. It makes the Workload of a StatefulSet, of a Job and of a
            // pod with its owner in it (pkg/controller/jobframework/reconciler.go ConstructWorkload).
            .demand("request.operation != 'CREATE' || (has(object.metadata.ownerReferences) && "
                    "object.metadata.ownerReferences.all(o, o.kind in ['Job', 'Pod', 'StatefulSet'] && "
                    "o.apiVersion in ['batch/v1', 'v1', 'apps/v1']))",
                    "what queues in this namespace is a Job, a pod or a StatefulSet")
            .demand("request.operation != 'DELETE' || !has(request.options.propagationPolicy) || "
                    "request.options.propagationPolicy != 'Foreground'",
                    "a Workload is deleted without waiting for what says that it belongs to it"),
        span, out);
  // A Job's pods get defaults that its Workload was made without, if they were set meanwhile: also of devices
  // (plugin/pkg/admission/limitranger, and Kueue's pkg/workload/resources.go AdjustResources). And of a container with
  // a limit and no request Kueue counts the default request, whereas its pod asks for the limit.
  // (`dyn`: the API server's type checker knows no field of a LimitRangeItem that is a map of quantities.)
  if (!managed.empty())
    add(Guard("gpol-limit-ranges-have-writers", rule("", {"limitranges"}, {"CREATE", "UPDATE"}), managed)
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
    add(Guard("gpol-pods-form-no-groups", rule("", {"pods"}, {"CREATE", "UPDATE"}), managed)
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
  plan_queue_writers(policy, out);
}

void set_mode(const GuardMode& rolled, Planned& out) {
  auto& bindings = out.cluster.admission_bindings;
  const auto meant = [&](const AdmissionBinding& binding) {
    return rolled.guard == kAllGuards || binding.policy == rolled.guard;
  };
  if (rolled.mode == "unbound") std::erase_if(bindings, meant);
  for (AdmissionBinding& binding : bindings)
    if (meant(binding)) binding.actions = {rolled.mode == "deny" ? "Deny" : rolled.mode == "warn" ? "Warn" : "Audit"};
}

}  // namespace

std::vector<std::string> tenant_namespaces(const Policy& policy) {
  return namespaces_of(policy, [](const Tenant&, const LatencyClass&) { return true; });
}

std::vector<std::string> queued_namespaces(const Policy& policy) {
  return namespaces_of(policy, [](const Tenant& tenant, const LatencyClass&) { return !tenant.outside; });
}

std::set<std::string> exempt_namespaces(const Policy& policy) {
  std::set<std::string> all(kExemptNamespaces.begin(), kExemptNamespaces.end());
  if (!policy.volcano_version.empty()) all.insert(volcano::kSystemNamespace);
  all.insert(policy.exempt.begin(), policy.exempt.end());
  for (const Tenant& tenant : policy.tenants)
    for (const std::string& ns : tenant.namespaces) all.erase(ns);
  return all;
}

void guards::plan_kept_nodes(const Places& places, Planned& out) {
  plan_device_names(places, out);
  plan_repelling(places, out);
}

void guards::roll_out(const Policy& policy, Planned& out) {
  for (const bool all : {true, false})  // a guard's own line is stronger
    for (const GuardMode& rolled : policy.guards)
      if ((rolled.guard == kAllGuards) == all) set_mode(rolled, out);
}

void plan_guards(const PlanContext& context, Planned& out) {
  const Policy& policy = context.policy;
  const Places places{tenant_namespaces(policy), exempt_namespaces(policy), policy.cluster_span};
  plan_queued(policy, places, out);
  plan_objects(policy, out);
  if (!places.tenants.empty()) plan_kept_nodes(places, out);
  plan_tenant_guards(policy, out);
  plan_preemptors(context, out);
  roll_out(policy, out);
}

}  // namespace gpol
