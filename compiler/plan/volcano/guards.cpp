// Guards of a cluster whose scheduler is Volcano, which itself lets anybody name any queue. Pods on the nodes of a pool
// are those of the tenants that have a queue there, and name it; PodGroups stand in the queues of their own namespace;
// nobody but the pipeline writes Queues of the policy, gives them children, or closes them. Whether these rules suffice
// is decided elsewhere (checker/families/demands_volcano.cpp). Sources: pkg/controllers/podgroup (the queue of a pod is
// that of its PodGroup), pkg/controllers/job/job_controller_util.go (pods of a Volcano Job), bus/v1alpha1 Command.
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/plan/volcano/plan.h"

namespace gpol::volcano {

namespace {

using namespace guards;

constexpr const char* kQueueOfPod = "scheduling.volcano.sh/queue-name";  // of a pod; the PodGroup is made from it
constexpr const char* kQueueOfJob = "volcano.sh/queue-name";             // of a pod of a Volcano Job
constexpr const char* kPodGroup = "scheduling.k8s.io/group-name";

std::string quoted_list(const std::set<std::string>& names) { return fmt::format("['{}']", fmt::join(names, "', '")); }

std::string namespaces_of(const Tenant& tenant) {
  return quoted_list({tenant.namespaces.begin(), tenant.namespaces.end()});
}

// The pod stands on the nodes of a pool of its tenant, in the queue that the tenant has there.
std::string in_its_place(const Policy& policy, const std::vector<Place>& places) {
  std::vector<std::string> ways;
  for (const Place& place : places)
    ways.push_back(fmt::format(
        "(request.namespace in {0} && (variables.queue == '{1}' || variables.of_job == '{1}') && "
        "variables.queue in ['', '{1}'] && variables.of_job in ['', '{1}'] && {2})",
        namespaces_of(policy.tenants[place.tenant]), place.queue, selects_some(policy, "object.spec", {place.pool})));
  return ways.empty() ? "false" : fmt::format("{}", fmt::join(ways, " || "));
}

Guard pods_placed(const Policy& policy, const char* name, const std::string& gpu) {
  Guard guard(name);
  guard.about(rule("", {"pods"}, {"CREATE", "UPDATE"}))
      .let("gpu", gpu)
      .let("tolerates", tolerates(policy, "object.spec"))
      .let("tolerated", fmt::format("request.operation == 'UPDATE' && {}", tolerates(policy, "oldObject.spec")))
      .let("queue", annotation("object", kQueueOfPod))
      .let("of_job", annotation("object", kQueueOfJob))
      .let("placed", fmt::format("has(object.spec.schedulerName) && object.spec.schedulerName == 'volcano' && ({})",
                                 in_its_place(policy, places_of(policy))))
      .let("kubelet", "'system:nodes' in request.userInfo.groups");
  return guard;
}

const char* const kPlaced =
    "a pod that asks for a GPU has, in a tenant's namespace, schedulerName volcano, the annotation "
    "scheduling.volcano.sh/queue-name with the tenant's queue, and the nodeSelector of that queue's pool";

void plan_pods(const Policy& policy, const Places& places, Planned& out) {
  const std::string named =
      fmt::format("request.operation != 'CREATE' || !({}) || variables.kubelet", names_node("object.spec"));
  add(pods_placed(policy, "gpol-gpu-pods-placed", asks_by_name("object.spec"))
          .but(places.exempt)
          .demand("!variables.gpu || request.operation != 'CREATE' || variables.placed", kPlaced)
          .demand("!variables.gpu || " + named, "Volcano chooses the node of a pod"),
      places.span, out);
  if (places.tenants.empty()) return;
  add(pods_placed(policy, "gpol-tenant-pods-placed", asks_gpu("object.spec"))
          .in(places.tenants)
          .demand("!variables.gpu || request.operation != 'CREATE' || variables.placed", kPlaced)
          .demand(fmt::format("!variables.tolerates || variables.tolerated || variables.placed || variables.kubelet || "
                              "{}",
                              user_is(kDaemonController)),
                  "only what its queue places tolerates the taint of a pool's nodes")
          .demand(named, "a scheduler chooses the node of a pod")
          // Volcano counts no claims of devices (docs/volcano.md).
          .demand("request.operation != 'CREATE' || !has(object.spec.resourceClaims)",
                  "a pod asks for GPUs as nvidia.com/..., not by a claim")
          // Whoever another scheduler places and a PodGroup counts takes quota that nobody compared with a limit.
          .demand(fmt::format("(has(object.spec.schedulerName) && object.spec.schedulerName == 'volcano') || {} == ''",
                              annotation("object", kPodGroup)),
                  "a pod of a PodGroup has schedulerName volcano"),
      places.span, out);
  add(Guard("gpol-pods-bound-by-scheduler", rule("", {"pods/binding", "bindings"}, {"CREATE"}), places.tenants)
          .demand(fmt::format("request.userInfo.username == 'system:kube-scheduler' || {}", user_is(kVolcanoScheduler)),
                  "a scheduler chooses the node of a pod"),
      places.span, out);
  add(Guard("gpol-gpu-pods-keep-size", rule("", {"pods/resize"}, {"UPDATE"}), places.tenants)
          .let("uses", uses(policy, "object.spec"))
          .demand("!variables.uses", "a pod on GPU nodes keeps the cpu and memory that its queue was charged for"),
      places.span, out);
}

// Of a PodGroup without a word the CRD's default counts.
std::string queue_of_group() { return "(has(object.spec) && has(object.spec.queue) ? object.spec.queue : 'default')"; }

void plan_groups(const Policy& policy, const Places& places, Planned& out) {
  std::set<std::string> all = {kRootQueue, top_queue(policy), batch_queue(policy)};
  Guard guard("gpol-podgroups-in-own-queues");
  guard.about(rule("scheduling.volcano.sh", {"podgroups"}, {"CREATE", "UPDATE"}));
  guard.let("queue", queue_of_group());
  for (const Place& place : places_of(policy)) {
    all.insert(place.queue);
    guard.demand(fmt::format("!(request.namespace in {}) || {}", namespaces_of(policy.tenants[place.tenant]),
                             is_one_of("variables.queue", std::set{place.queue})),
                 fmt::format("a PodGroup here names {}", place.queue));
  }
  const std::set<std::string> tenants(places.tenants.begin(), places.tenants.end());
  guard.demand(fmt::format("{}!(variables.queue in {})",
                           tenants.empty() ? "" : fmt::format("request.namespace in {} || ", quoted_list(tenants)),
                           quoted_list(all)),
               "a PodGroup of no tenant stands in a queue of this policy, or in `root`, where none may stand");
  add(std::move(guard), places.span, out);
}

void plan_queue_objects(const Policy& policy, Planned& out) {
  if (policy.writers.empty()) return;
  std::set<std::string> all;
  for (const Queue& queue : out.cluster.volcano->queues) all.insert(queue.name);
  const auto ours = [&](const char* object) {
    return fmt::format(
        "({0}.metadata.name in {1} || (has({0}.spec) && has({0}.spec.parent) && {0}.spec.parent in {1}))", object,
        quoted_list(all));
  };
  // Who closes a queue has the controllers mark those below it (pkg/controllers/queue queue_controller_action.go).
  add(Guard("gpol-queues-have-writers")
          .about(rule("scheduling.volcano.sh", {"queues"}, {"CREATE", "UPDATE", "DELETE"}))
          .let("now", "request.operation != 'DELETE' && " + ours("object"))
          .let("before", "request.operation != 'CREATE' && " + ours("oldObject"))
          .demand(fmt::format("!(variables.now || variables.before) || {} || (request.operation == 'UPDATE' && {})",
                              one_of(policy.writers), user_is(kVolcanoControllers)),
                  "the queues of this policy, and those below them, are written by its pipeline alone"),
      policy.cluster_span, out);
  add(Guard("gpol-queues-stay-open")
          .about(rule("bus.volcano.sh", {"commands"}, {"CREATE", "UPDATE"}))
          .demand(
              fmt::format("!has(object.target) || object.target.kind != 'Queue' || !(object.target.name in {}) || {}",
                          quoted_list(all), one_of(policy.writers)),
              "the queues of this policy are closed by its pipeline alone"),
      policy.cluster_span, out);
}

}  // namespace

void plan_guards(const Policy& policy, Planned& out) {
  const Places places{tenant_namespaces(policy), exempt_namespaces(policy), policy.cluster_span};
  plan_pods(policy, places, out);
  plan_groups(policy, places, out);
  plan_queue_objects(policy, out);
  if (!places.tenants.empty()) plan_kept_nodes(places, out);
  plan_ports(policy, out);
  roll_out(policy, out);
}

}  // namespace gpol::volcano
