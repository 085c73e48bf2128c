// Guards that Kueue admits what asks for a device or stands on the nodes of a pool, and that what it admitted stays
// what it was.

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
    std::set<std::uint32_t> pools;
    for (const PoolAmount& reserve : tenant.reserves) pools.insert(reserve.pool);
    ways.push_back(fmt::format("(request.namespace in ['{}'] && {})", fmt::join(tenant.namespaces, "', '"),
                               selects_some(policy, object, pools)));
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

// `gpu`: whether a pod asks for a device. Of those that do not, only tenants' are asked about.
Guard pods_queued(const Policy& policy, const char* name, const std::string& gpu, bool every_pod) {
  const std::string place = outside_place(policy, "object.spec");
  const std::string when = every_pod ? "" : "!variables.gpu || ";
  Guard guard(name);
  guard.about(rule("", {"pods"}, {"CREATE", "UPDATE"}))
      .let("gpu", gpu)
      .let("tolerates", tolerates(policy, "object.spec"))
      .let("tolerated", fmt::format("request.operation == 'UPDATE' && ({} || ({}))", user_is(kKueue),
                                    tolerates(policy, "oldObject.spec")))
      .demand(fmt::format("request.operation != 'CREATE' || !variables.gpu || {} || {}{}", user_is(kJobController),
                          gated("object"), place),
              "a pod that asks for a GPU must be queued: label it kueue.x-k8s.io/queue-name in a tenant's namespace")
      .demand(fmt::format("{}!variables.tolerates || variables.tolerated || {} || {} || "
                          "'system:nodes' in request.userInfo.groups{}",
                          when, user_is(kJobController), user_is(kDaemonController), place),
              "a pod does not tolerate the taint of GPU nodes by itself: Kueue adds the toleration to what it admits")
      .demand(fmt::format("{}request.operation != 'CREATE' || !({}) || 'system:nodes' in request.userInfo.groups", when,
                          names_node("object.spec")),
              "kube-scheduler chooses the node of a pod")
      .demand(fmt::format("{}request.operation != 'UPDATE' || !{} || {} || {}", when, gated("oldObject"),
                          gated("object"), user_is(kKueue)),
              "only Kueue lets a queued pod start");
  return guard;
}

const char* const kJobsMessage =
    "a Job that asks for GPUs, or tolerates the taint of GPU nodes, must be queued: label it "
    "kueue.x-k8s.io/queue-name in a tenant's namespace";

// What asks for a device, wherever it is.
void plan_devices(const Policy& policy, const Places& places, Planned& out) {
  Guard pods = pods_queued(policy, "gpol-gpu-pods-queued", asks_by_name("object.spec"), false);
  add(std::move(pods.but(places.exempt)), places.span, out);
  add(Guard("gpol-gpu-jobs-queued")
          .about(rule("batch", {"jobs"}, {"CREATE", "UPDATE"}))
          .but(places.exempt)
          .let("gpu", asks_by_name("object.spec.template.spec"))
          .demand(fmt::format("!variables.gpu || !({})", names_node("object.spec.template.spec")),
                  "kube-scheduler chooses the node of a pod")
          .demand(fmt::format("request.operation != 'CREATE' || !variables.gpu || {}{}", suspended("object"),
                              outside_place(policy, "object.spec.template.spec")),
                  kJobsMessage)
          .demand(fmt::format("request.operation != 'UPDATE' || !variables.gpu || !{} || {} || {}",
                              suspended("oldObject"), suspended("object"), user_is(kKueue)),
                  "only Kueue starts a queued Job"),
      places.span, out);
}

// Pods and Jobs of tenants, whether they ask for a device or not.
void plan_tenants(const Policy& policy, const Places& places, Planned& out) {
  const std::string job_place = outside_place(policy, "object.spec.template.spec");
  Guard pods = pods_queued(policy, "gpol-tenant-pods-queued", asks_gpu("object.spec"), true);
  add(std::move(pods.in(places.tenants)), places.span, out);
  add(Guard("gpol-tenant-jobs-queued", rule("batch", {"jobs"}, {"CREATE", "UPDATE"}), places.tenants)
          .let("uses", uses(policy, "object.spec.template.spec"))
          .demand(fmt::format("!({})", names_node("object.spec.template.spec")),
                  "kube-scheduler chooses the node of a pod")
          .demand(
              fmt::format("request.operation != 'CREATE' || !variables.uses || {}{}", suspended("object"), job_place),
              kJobsMessage)
          .demand(fmt::format("request.operation != 'UPDATE' || !variables.uses || !{} || {} || {}",
                              suspended("oldObject"), suspended("object"), user_is(kKueue)),
                  "only Kueue starts a queued Job")
          .demand(fmt::format("request.operation != 'UPDATE' || !variables.uses || {} || "
                              "object.spec.parallelism <= oldObject.spec.parallelism || {}",
                              suspended("oldObject"), user_is(kKueue)),
                  "a running Job keeps the number of pods it was admitted with"),
      places.span, out);
  add(Guard("gpol-pods-bound-by-scheduler", rule("", {"pods/binding", "bindings"}, {"CREATE"}), places.tenants)
          .demand("request.userInfo.username == 'system:kube-scheduler'", "kube-scheduler chooses the node of a pod"),
      places.span, out);
  // A Job's pod without this label, or without its owner, is none of the Job's any more: it gets another one. What
  // Kueue does not find by its label, or finds below another owner, it does not evict
  // (pkg/controller/jobframework/reconciler.go ReconcileGenericJob). Controllers adopt and release by themselves.
  add(Guard("gpol-gpu-pods-keep-owner", rule("", {"pods"}, {"UPDATE"}), places.tenants)
          .let("uses", uses(policy, "object.spec"))
          .let("controller",
               fmt::format("request.userInfo.username in ['{}', '{}', '{}', '{}', '{}', '{}']", kJobController,
                           kReplicaSetController, kStatefulSetController, kDaemonController, kGarbageCollector, kKueue))
          .demand(fmt::format("!variables.uses || variables.controller || {}", kSameOwners),
                  "a pod on GPU nodes keeps its owner")
          .demand(fmt::format("!variables.uses || variables.controller || {}", same_label(kJobLabel)),
                  fmt::format("a pod on GPU nodes keeps its label {}", kJobLabel)),
      places.span, out);
  add(Guard("gpol-gpu-pods-keep-size", rule("", {"pods/resize"}, {"UPDATE"}), places.tenants)
          .let("uses", uses(policy, "object.spec"))
          .demand("!variables.uses", "a pod on GPU nodes keeps the cpu and memory it was admitted with"),
      places.span, out);
  // By a pod's phase the Job controller knows that it has ended.
  add(Guard("gpol-gpu-pods-keep-phase", rule("", {"pods/status"}, {"UPDATE"}), places.tenants)
          .let("uses", uses(policy, "object.spec"))
          .let("ended",
               "has(object.status.phase) && object.status.phase in ['Succeeded', 'Failed'] && "
               "!(has(oldObject.status.phase) && oldObject.status.phase == object.status.phase)")
          .let("kubelet", "'system:nodes' in request.userInfo.groups")
          .demand(fmt::format("!variables.uses || !variables.ended || variables.kubelet || {}", user_is(kPodCollector)),
                  "whether a pod on GPU nodes has ended is written by its kubelet")
          // kube-scheduler takes what a pod holds from its status where that is more (component-helpers/resource).
          .demand(fmt::format("!variables.uses || variables.kubelet || ({})", fmt::join(same_statuses(), " && ")),
                  "what a pod on GPU nodes holds is written by its kubelet"),
      places.span, out);
}

void plan_statefulsets(const Policy& policy, const Places& places, Planned& out) {
  // Kueue's webhook keeps the size of a StatefulSet, but is not asked about its subresource scale
  // (pkg/controller/jobs/statefulset/statefulset_webhook.go), and lets the pods above the admitted count start.
  // Written with 0 replicas and then with more it keeps the Workload of its first size (statefulset_reconciler.go
  // reconcileWorkload), and is never admitted whole.
  const std::vector<std::string> namespaces = queued_namespaces(policy);
  if (namespaces.empty()) return;
  plan_counted_guards(policy, namespaces, out);
  add(Guard("gpol-statefulsets-keep-size", rule("apps", {"statefulsets/scale"}, {"UPDATE"}), namespaces)
          .demand(
              "!has(object.spec.replicas) || (has(oldObject.spec.replicas) && "
              "object.spec.replicas <= oldObject.spec.replicas)",
              "a StatefulSet of this namespace is not scaled up by its subresource `scale`, about which Kueue is not "
              "asked: write spec.replicas in its manifest, which Kueue allows one that it does not queue"),
      places.span, out);
  // Who may write its status writes its labels along (pkg/registry/apps/statefulset/strategy.go), which neither that
  // webhook nor a guard is asked about then; and by its ready replicas the webhook knows whether it may change queues.
  add(Guard("gpol-statefulsets-keep-status", rule("apps", {"statefulsets/status"}, {"UPDATE"}), namespaces)
          .demand(user_is(kStatefulSetController), "the status of a StatefulSet is written by its controller"),
      places.span, out);
}

}  // namespace

void guards::plan_queued(const Policy& policy, const Places& places, Planned& out) {
  plan_devices(policy, places, out);
  if (places.tenants.empty()) return;
  plan_tenants(policy, places, out);
  plan_statefulsets(policy, places, out);
}

}  // namespace gpol
