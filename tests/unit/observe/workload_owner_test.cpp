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

TEST_CASE("what a Deployment owns is counted with it, and no circle of owners is counted nowhere") {
  const auto owned = [](const std::string& kind, const std::string& name, const std::string& owner) {
    return "kind: " + kind + "\napiVersion: " + (kind == "Pod" ? "v1" : "apps/v1") + "\nmetadata:\n  name: " + name +
           "\n  namespace: web\n  labels: {gpol.dev/role: serving}\n  ownerReferences: " + owner +
           "\nspec: {containers: []}\n---\n";
  };
  const auto by = [](const std::string& kind, const std::string& name) {
    return "[{apiVersion: apps/v1, kind: " + kind + ", name: " + name + ", controller: true}]";
  };
  const auto counted = [](const std::string& text) {
    const YamlFile file{"web.yaml", text};
    return observe_existing({&file, 1}).outside.size();
  };
  const std::string web = owned("Deployment", "web", "[]"),
                    set = owned("ReplicaSet", "web-7f", by("Deployment", "web"));
  CHECK(counted(owned("Pod", "web-7f-x", by("ReplicaSet", "web-7f")) + web + set) == 1);
  CHECK(counted(web + owned("Pod", "web-7f-x", by("ReplicaSet", "web-7f"))) == 1);
  CHECK(counted(owned("Pod", "a", by("Pod", "a"))) == 1);
  CHECK(counted(owned("ReplicaSet", "a", by("ReplicaSet", "b")) + owned("ReplicaSet", "b", by("ReplicaSet", "a"))) ==
        2);
  CHECK(counted(web + owned("Pod", "other", by("ReplicaSet", "other-7f"))) == 2);
}
