// Sources: pkg/cache/queue/manager.go (a Workload whose LocalQueue is not there or is stopped is in no queue),
// pkg/scheduler/scheduler.go validateNamespaceMatches, pkg/controller/jobs/deployment and statefulset (they only hand
// the queue's name on to pods, which the pod integration gates and admits). Who asks: the tenant as its policy and the
// names of plan() have it, a Deployment or StatefulSet labelled with the LocalQueue that has its queue's name.
#include "tests/mutation/doors.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "checker/kueue/model.h"
#include "tests/mutation/guard_door.h"

namespace gpol::mutation {

namespace {

bool selects(const Selector& selector, const std::string& ns) {
  if (!selector.present) return false;
  const auto labels = std::map<std::string, std::string>{{"kubernetes.io/metadata.name", ns}};
  for (const auto& [key, value] : selector.match_labels)
    if (!labels.contains(key) || labels.at(key) != value) return false;
  return std::all_of(selector.expressions.begin(), selector.expressions.end(), [&](const Selector::Expression& e) {
    const bool there = labels.contains(e.key);
    const bool listed = there && std::find(e.values.begin(), e.values.end(), labels.at(e.key)) != e.values.end();
    if (e.op == "In") return listed;
    if (e.op == "NotIn") return !listed;
    return e.op == "Exists" ? there : !there;
  });
}

// The smallest ask of the queue in the model: it stays pending, or the door was not shut after all.
void must_wait(const Cluster& cluster, std::uint32_t queue, bool matches, StopPolicy stop) {
  kueue::Model model(kueue::compile(cluster), 0);
  if (stop != StopPolicy::None) model.stop_local(queue, 0, stop);
  kueue::WorkloadSpec ask;
  ask.queue = queue;
  ask.namespace_matches = matches;
  for (const auto resource : cluster.queues[queue].groups.front().covered) ask.requests.push_back({resource, 1});
  std::sort(ask.requests.begin(), ask.requests.end());
  const auto id = model.submit(ask);
  model.settle();
  if (model.state(id) == kueue::WorkloadState::Admitted)
    throw std::runtime_error("the model admits who should find the door shut");
}

// Pods outside the queue tolerate the taint of the nodes that they select, as the plan makes it.
std::string kept_off(const Cluster& cluster, const Intent& intent) {
  for (const OutsideReserve& outside : intent.outside)
    for (const PoolCapacity& capacity : intent.capacities) {
      if (capacity.flavor != outside.flavor || capacity.nodes >= cluster.node_pools.size()) continue;
      for (const Taint& taint : cluster.node_pools[capacity.nodes].taints) {
        const auto& labels = cluster.flavors[outside.flavor].node_labels;
        const auto same = labels.find(taint.key);
        if (taint.effect == "PreferNoSchedule") continue;
        if (taint.effect != "NoSchedule" || same == labels.end() || same->second != taint.value)
          return fmt::format("door {}: its pods do not tolerate the taint of {}", outside.tenant,
                             cluster.node_pools[capacity.nodes].name);
      }
    }
  return {};
}

}  // namespace

std::string shut_door(const Cluster& cluster, const Intent& intent) {
  const auto manages = [&](const char* kind) {
    const auto& all = cluster.config.frameworks;
    // None are written: those of the cluster's own Configuration, as Kueue is shipped.
    return all.empty() || std::find(all.begin(), all.end(), kind) != all.end();
  };
  for (std::uint32_t q = 0; q < intent.roles.size(); ++q) {
    if (intent.roles[q].kind != QueueRole::Kind::Serving) continue;
    const std::string& name = cluster.queues[q].name;
    if (cluster.queues[q].stop != StopPolicy::None) {
      must_wait(cluster, q, true, StopPolicy::None);
      return fmt::format("door {}: the queue is stopped", name);
    }
    for (const char* kind : {"pod", "deployment", "statefulset"})
      if (!manages(kind)) return fmt::format("door {}: Kueue does not manage a {}", name, kind);
    bool found = false;
    for (const LocalQueue& local : cluster.local_queues) {
      if (local.name != name) continue;
      found = true;
      if (local.cluster_queue != name)
        return fmt::format("door {}: its LocalQueue leads to {}", name, local.cluster_queue);
      if (local.stop != StopPolicy::None) {
        must_wait(cluster, q, true, local.stop);
        return fmt::format("door {}: its LocalQueue is stopped", name);
      }
      if (!selects(cluster.queues[q].namespaces, local.ns)) {
        must_wait(cluster, q, false, StopPolicy::None);
        return fmt::format("door {}: the queue does not select namespace {}", name, local.ns);
      }
      if (cluster.config.managed_namespaces.present && !selects(cluster.config.managed_namespaces, local.ns))
        return fmt::format("door {}: Kueue leaves pods of namespace {} alone", name, local.ns);
    }
    if (!found) return fmt::format("door {}: it has no LocalQueue", name);
  }
  if (std::string off = kept_off(cluster, intent); !off.empty()) return off;
  return denied_to_serving(cluster, intent);
}

}  // namespace gpol::mutation
