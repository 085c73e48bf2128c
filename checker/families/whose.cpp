#include "checker/families/whose.h"

#include <algorithm>

#include "checker/families/given.h"
#include "checker/families/strangers.h"

namespace gpol {

using Kind = QueueRole::Kind;

PodFacts::Labels labels_of(const PodFacts& pods) {
  // A Workload is Kueue's own.
  const bool known = !framework_of(pods).empty() || pods.priority;
  PodFacts::Labels found = known && (pods.queue_of_object || !pods.queue_of_pods) ? pods.of_object : pods.of_pods;
  // Webhooks hand the labels of a Deployment and of a StatefulSet on, and leave what its template says.
  if (found.priority.empty() && (pods.group == "apps" || pods.group == "leaderworkerset.x-k8s.io")) {
    found.priority = pods.of_pods.priority;
    found.names_priority = pods.of_pods.names_priority;
  }
  return found;
}

Whose::Whose(const Proof& proof)
    : cluster_(proof.cluster), intent_(proof.intent), batch_(namespaces_of_batch(proof.cluster, proof.intent)) {}

const QueueRole* Whose::role(const PodFacts& pods) const {
  if (pods.class_c) return nullptr;
  std::string queue = labels_of(pods).queue;
  const auto there = [&](const std::string& name) {
    return std::ranges::find_if(cluster_.local_queues,
                                [&](const LocalQueue& l) { return l.ns == pods.ns && l.name == name; });
  };
  if (queue.empty() && there("default") != cluster_.local_queues.end()) queue = "default";
  if (queue.empty()) return nullptr;
  const auto local = there(queue);
  const QueueRole* found = nullptr;
  for (std::size_t q = 0; q < cluster_.queues.size(); ++q) {
    const QueueRole& role = intent_.roles[q];
    if (role.kind == Kind::None) continue;
    const auto open = lets_in(cluster_, cluster_.queues[q].namespaces, pods.ns);
    if (local != cluster_.local_queues.end()) {
      if (local->cluster_queue == cluster_.queues[q].name) return open == false ? nullptr : &role;
      continue;
    }
    // Its LocalQueue is not there: a namespace that batch can use runs batch.
    if (open != true) continue;
    if (role.kind == Kind::Batch) return &role;
    if (!batch_.contains(pods.ns) && found == nullptr) found = &role;
  }
  return found;
}

std::uint32_t Whose::queue(const PodFacts& pods) const {
  std::string named = labels_of(pods).queue;
  // What names none is given that of its namespace (jobframework/defaults.go; pods by pod_webhook.go Default).
  if (named.empty() && managed(cluster_, pods.ns) != false) named = "default";
  for (const LocalQueue& local : cluster_.local_queues)
    for (std::uint32_t q = 0; q < cluster_.queues.size(); ++q)
      if (!named.empty() && local.ns == pods.ns && local.name == named &&
          local.cluster_queue == cluster_.queues[q].name) {
        const Selector& selector = cluster_.queues[q].namespaces;
        return selector.present && lets_in(cluster_, selector, pods.ns) == false ? kNone : q;
      }
  return kNone;
}

}  // namespace gpol
