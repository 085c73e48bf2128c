// Serving outside the queue as its manifests say it: what of a pod is not modelled leaves its places unknown.
#include "checker/observe/existing.h"
#include "tests/support/catch.h"

using namespace gpol;

namespace {

// Of the Deployment with these lines in its pods' spec.
std::string unknown_with(const std::string& lines, const std::string& replicas = "2", const std::string& labels = "") {
  const std::string text =
      "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: web\n  labels: {gpol.dev/role: "
      "serving}\n"
      "spec:\n  replicas: " +
      replicas + "\n  template:\n    metadata:\n      labels: {app: web" + labels + "}\n    spec:\n" + lines +
      "      containers:\n      - name: c\n        image: x\n        resources: {limits: {nvidia.com/gpu: 1}}\n";
  const YamlFile file{"web.yaml", text};
  const Existing existing = observe_existing({&file, 1});
  REQUIRE(existing.outside.size() == 1);
  return existing.outside.front().unknown;
}

}  // namespace

TEST_CASE("what of a pod that serves is not modelled leaves its places unknown") {
  const std::string term = "[{labelSelector: {matchLabels: {app: web}}, topologyKey: kubernetes.io/hostname}]";
  const std::pair<std::string, std::string> kCases[] = {
      {"", ""},
      {"      affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: []}}\n", ""},
      {"      schedulerName: default-scheduler\n", ""},
      {"      topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]\n", ""},
      {"      tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, "
       "tolerationSeconds: 300}]\n",
       ""},
      {"      affinity: {nodeAffinity: {}}\n", "its node affinity is not modelled"},
      {"      affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " + term + "}}\n",
       "its affinity to other pods is not modelled"},
      {"      affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " + term + "}}\n",
       "its affinity to other pods is not modelled"},
      {"      nodeName: h100-0\n", "it names its node"},
      {"      resourceClaims: []\n", "its resource claims are not modelled"},
      {"      schedulingGates: [{name: example.com/wait}]\n", "its scheduling gates are not modelled"},
      {"      schedulerName: volcano\n", "another scheduler chooses its node"},
      {"      hostNetwork: true\n", "it takes ports of its node"},
      {"      initContainers: [{name: i, image: x, ports: [{containerPort: 80, hostPort: 80}]}]\n",
       "it takes ports of its node"},
      {"      topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]\n",
       "how its pods are spread is not modelled"},
      {"      tolerations: [{key: gpu, operator: Exists, effect: NoExecute, tolerationSeconds: 30}]\n",
       "it tolerates a taint for a while only"},
  };
  for (const auto& [lines, unknown] : kCases) {
    INFO(lines);
    CHECK(unknown_with(lines) == unknown);
  }
  CHECK(unknown_with("", "0") == "it has no replicas");
  CHECK(unknown_with("", "-1") == "it has no replicas");
  CHECK(unknown_with("", "2", ", kueue.x-k8s.io/queue-name: web") == "its pods are labelled with a queue");
}
