// Sources: what a Deployment's pod looks like when it is created, after Kueue's webhook gated it
// (pkg/controller/jobs/pod/pod_webhook.go), when Kueue starts it (pkg/podset/podset.go), when it is bound and deleted.
#include "tests/mutation/guard_door.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/guards/guard.h"

namespace gpol::mutation {

namespace {

using cel::List;
using cel::Map;
using cel::Value;

constexpr const char* kReplicaSets = "system:serviceaccount:kube-system:replicaset-controller";
constexpr const char* kKueue = "system:serviceaccount:kueue-system:kueue-controller-manager";
constexpr const char* kScheduler = "system:kube-scheduler";

struct Service {
  std::string ns, queue;  // no queue: outside of it
  std::int64_t gpus = 1;
  const Flavor* flavor = nullptr;
};

Value pod(const Service& service, bool gated, bool placed) {
  Map labels{{"app", service.ns}};
  if (!service.queue.empty()) {
    labels["kueue.x-k8s.io/queue-name"] = service.queue;
    labels["kueue.x-k8s.io/managed"] = "true";
  }
  const Map amounts{{"cpu", "16"}, {"memory", "64Gi"}, {"nvidia.com/gpu", std::to_string(service.gpus)}};
  Map spec{{"containers", List{Map{{"name", "server"},
                                   {"image", "server:1"},
                                   {"resources", Map{{"limits", amounts}, {"requests", amounts}}}}}},
           {"terminationGracePeriodSeconds", 120},
           {"priority", 0},
           {"schedulerName", "default-scheduler"}};
  List tolerations{Map{{"key", "node.kubernetes.io/not-ready"},
                       {"operator", "Exists"},
                       {"effect", "NoExecute"},
                       {"tolerationSeconds", 300}}};
  if (gated) spec["schedulingGates"] = List{Map{{"name", "kueue.x-k8s.io/admission"}}};
  if (placed) {
    Map selector;
    for (const auto& [key, value] : service.flavor->node_labels) selector[key] = value;
    spec["nodeSelector"] = selector;
    for (const auto& t : service.flavor->tolerations)
      tolerations.emplace_back(Map{{"key", t.key}, {"operator", t.op}, {"value", t.value}, {"effect", t.effect}});
  }
  spec["tolerations"] = tolerations;
  const Map owner{
      {"apiVersion", "apps/v1"}, {"kind", "ReplicaSet"}, {"name", "server"}, {"uid", "1"}, {"controller", true}};
  return Map{
      {"apiVersion", "v1"},
      {"kind", "Pod"},
      {"metadata",
       Map{{"name", "server-1"}, {"namespace", service.ns}, {"labels", labels}, {"ownerReferences", List{owner}}}},
      {"spec", spec}};
}

struct Asked {
  const char* does;
  Value request;
};

Value request(const Service& service, const char* user, const char* operation, const char* group, const char* version,
              const char* resource, const char* subresource, Value object, Value before, Map options = {}) {
  return Map{{"operation", operation},
             {"resource", Map{{"group", group}, {"version", version}, {"resource", resource}}},
             {"kind", Map{{"group", group}, {"version", version}, {"kind", ""}}},
             {"subResource", subresource},
             {"name", "server-1"},
             {"namespace", service.ns},
             {"userInfo", Map{{"username", user}, {"groups", List{"system:authenticated"}}}},
             {"options", std::move(options)},
             {"object", std::move(object)},
             {"oldObject", std::move(before)}};
}

std::vector<Asked> life_of(const Service& service) {
  const bool queued = !service.queue.empty();
  const Value created = pod(service, queued, !queued), started = pod(service, false, true);
  const Value none = cel::Null{};
  const Map binding{{"apiVersion", "v1"},
                    {"kind", "Binding"},
                    {"metadata", Map{{"name", "server-1"}, {"namespace", service.ns}}},
                    {"target", Map{{"kind", "Node"}, {"name", "node-1"}}}};
  const Map owner{{"apiVersion", "v1"}, {"kind", "Pod"}, {"name", "server-1"}};
  const Map workload{
      {"apiVersion", "kueue.x-k8s.io/v1beta2"},
      {"kind", "Workload"},
      {"metadata", Map{{"name", "server-1"}, {"namespace", service.ns}, {"ownerReferences", cel::List{owner}}}},
      {"spec", Map{{"queueName", service.queue}}}};
  std::vector<Asked> life;
  life.push_back({"its pods", request(service, kReplicaSets, "CREATE", "", "v1", "pods", "", created, none)});
  if (queued) {
    for (const char* sub : {"", "status"})
      for (const char* operation : {"CREATE", "UPDATE"})
        life.push_back({"its Workloads", request(service, kKueue, operation, "kueue.x-k8s.io", "v1beta2", "workloads",
                                                 sub, workload, *operation == 'C' ? none : Value(workload))});
    life.push_back(
        {"Kueue that starts its pods", request(service, kKueue, "UPDATE", "", "v1", "pods", "", started, created)});
  }
  life.push_back(
      {"its pods a node", request(service, kScheduler, "CREATE", "", "v1", "pods", "binding", binding, none)});
  life.push_back({"the end of its pods", request(service, kReplicaSets, "DELETE", "", "v1", "pods", "", none, started,
                                                 Map{{"gracePeriodSeconds", 120}})});
  return life;
}

}  // namespace

std::string denied_to_serving(const Cluster& cluster, const Intent& intent) {
  std::vector<Service> services;
  for (std::size_t q = 0; q < intent.roles.size(); ++q) {
    const QueueRole& role = intent.roles[q];
    if (role.kind != QueueRole::Kind::Serving) continue;
    const Flavor& flavor = cluster.flavors[cluster.queues[q].groups.front().flavors.front().flavor];
    for (const LocalQueue& local : cluster.local_queues)
      if (local.cluster_queue == cluster.queues[q].name)
        services.push_back({local.ns, local.name,
                            std::max<std::int64_t>(1, devices_in(cluster, role.replica).value_or(PodShape{}).amount),
                            &flavor});
  }
  for (const OutsideReserve& outside : intent.outside)
    for (const auto& ns : outside.namespaces)
      services.push_back({ns, "", devices_in(cluster, outside.replica).value_or(PodShape{0, 1}).amount,
                          &cluster.flavors[outside.flavor]});
  const auto policies = prepare_policies(cluster.admission_policies, cluster.admission_bindings);
  for (const Service& service : services)
    for (const Asked& asked : life_of(service)) {
      const Decision decision = admits(policies, cluster.namespaces, asked.request);
      if (decision.kind == Decision::Kind::Admitted) continue;
      return fmt::format("door {}: {} {} {}", service.ns, decision.policy,
                         decision.kind == Decision::Kind::Denied ? "denies" : "may deny", asked.does);
    }
  return {};
}

}  // namespace gpol::mutation
