#include "checker/observe/pod_counts.h"

#include <algorithm>

#include "checker/observe/fields.h"

namespace gpol::manifest {

bool counts_by_workloads(const PodFacts& facts) {
  return (facts.group == "apps" && facts.kind != "StatefulSet") || facts.group == "leaderworkerset.x-k8s.io";
}

void count_workloads(const Node* spec, PodFacts& facts) {
  if (counts_by_workloads(facts)) facts.workloads = whole_at(spec, "replicas").value_or(1);
  if (facts.group == "serving.kserve.io") {
    facts.workloads = whole_at(at(spec, "predictor"), "minReplicas").value_or(1);
    facts.most_workloads = whole_at(at(spec, "predictor"), "maxReplicas").value_or(1);
  }
  if (facts.group == "serving.knative.dev") {
    const Node* annotations = at(at(at(spec, "template"), "metadata"), "annotations");
    facts.workloads = whole_at(annotations, "autoscaling.knative.dev/min-scale").value_or(1);
    facts.most_workloads = whole_at(annotations, "autoscaling.knative.dev/max-scale").value_or(1);
  }
  // Without a maximum it is KEDA's own.
  if (facts.group == "keda.sh") facts.most_workloads = whole_at(spec, "maxReplicaCount").value_or(100);
  facts.most_workloads = std::max(facts.most_workloads, facts.workloads);
}

std::int64_t times_of(std::int64_t count, std::int64_t each) {
  std::int64_t all = 0;
  return __builtin_mul_overflow(count, each, &all) ? INT64_MAX : all;
}

std::int64_t times_here(const Node& node) {
  std::int64_t all = 1;
  for (const char* key : {"replicas", "numNodes", "numOfHosts"}) all = times_of(all, whole_at(&node, key).value_or(1));
  if (const auto parallelism = whole_at(&node, "parallelism"))
    all = times_of(all, std::min(*parallelism, whole_at(&node, "completions").value_or(INT64_MAX)));
  return all;
}

std::int64_t times_below(const Node& node, std::string_view key) {
  const auto size = whole_at(&node, "size");  // of a LeaderWorkerSet's group, the leader among them
  if (!size || key != "workerTemplate") return 1;
  return std::max<std::int64_t>(0, *size - (field(node, "leaderTemplate") != nullptr ? 1 : 0));
}

}  // namespace gpol::manifest
