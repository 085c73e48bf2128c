#include "tests/unit/observe/manifests.h"

namespace gpol {
namespace {

using namespace manifests;

const std::string kHead = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n";

TEST_CASE("an empty configuration is upstream's default") {
  const auto observed = observe_text(kHead);
  CHECK(listed(observed) == "");
  const auto& config = observed.cluster.config;
  CHECK_FALSE(config.fair_sharing);
  CHECK_FALSE(config.wait_for_pods_ready);
  CHECK_FALSE(config.manage_jobs_without_queue_name);
  CHECK_FALSE(config.managed_namespaces.present);
  CHECK(config.frameworks.empty());
  CHECK(config.gates.empty());
}

TEST_CASE("every field that changes a verdict is read") {
  const auto observed =
      observe_text(kHead +
                   "manageJobsWithoutQueueName: true\n"
                   "managedJobsNamespaceSelector: {matchExpressions: [{key: a, operator: Exists}]}\n"
                   "waitForPodsReady: {timeout: 5m, recoveryTimeout: 3m, blockAdmission: true,\n"
                   "  requeuingStrategy: {timestamp: Creation}}\n"
                   "integrations: {frameworks: [batch/job, pod]}\n"
                   "fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare, LessThanInitialShare]}\n"
                   "featureGates: {PrioritySortingWithinCohort: false}\n"
                   "resources: {quotaCheckStrategy: IgnoreUndeclared}\n"
                   "health: {healthProbeBindAddress: \":8081\"}\n");
  CHECK(listed(observed) == "");
  const auto& config = observed.cluster.config;
  CHECK(config.manage_jobs_without_queue_name);
  CHECK(config.managed_namespaces == Selector{true, {}, {{"a", "Exists", {}}}});
  CHECK(config.wait_for_pods_ready == KueueConfig::WaitForPodsReady{"5m", "3m", true, true});
  CHECK(config.frameworks == std::vector<std::string>{"batch/job", "pod"});
  CHECK(config.fair_sharing);
  CHECK(config.gates == std::map<std::string, bool>{{"PrioritySortingWithinCohort", false}});
  CHECK(config.quota_check_strategy == "IgnoreUndeclared");
}

TEST_CASE("what requests are made into is read, amounts as plain decimals") {
  const auto observed = observe_text(kHead +
                                     "resources:\n"
                                     "  excludeResourcePrefixes: [ephemeral]\n"
                                     "  transformations:\n"
                                     "    - {input: nvidia.com/mig-1g.5gb, strategy: Replace,\n"
                                     "       outputs: {example.com/gpu-memory: 5Gi, example.com/credits: 500m}}\n"
                                     "    - {input: cpu, multiplyBy: memory, outputs: {example.com/credits: -1}}\n");
  CHECK(listed(observed) == "");
  const auto& config = observed.cluster.config;
  CHECK(config.excluded_prefixes == std::vector<std::string>{"ephemeral"});
  CHECK(config.transformations ==
        std::vector<Transformation>{{"nvidia.com/mig-1g.5gb",
                                     true,
                                     "",
                                     {{"example.com/gpu-memory", "5368709120"}, {"example.com/credits", "0.5"}}},
                                    {"cpu", false, "memory", {{"example.com/credits", "-1"}}}});
}

TEST_CASE("another namespace of the controller is one that it leaves alone") {
  const auto config = observe_text(kHead + "namespace: kueue-test\n").cluster.config;
  CHECK(config.managed_namespaces ==
        Selector{true, {}, {{"kubernetes.io/metadata.name", "NotIn", {"kube-system", "kueue-test"}}}});
}

TEST_CASE("the rest of the configuration is not understood") {
  const auto problem = [](const std::string& line) { return problems_of(kHead + line + "\n"); };
  CHECK(problem("admissionFairSharing: {usageHalfLifeTime: 5m}") ==
        "in.yaml:3[0] admissionFairSharing: is not a field that is understood\n");
  CHECK(problem("waitForPodsReady: {requeuingStrategy: {timestamp: Eviction}}") == "");
  CHECK(problem("waitForPodsReady: {requeuingStrategy: {timestamp: Now}}") ==
        "in.yaml:3[0] waitForPodsReady.requeuingStrategy.timestamp: `Now` is none of Creation, Eviction\n");
  CHECK(problem("waitForPodsReady: {requeuingStrategy: {backoffLimitCount: 3}}").empty());
  CHECK(problem("waitForPodsReady: {requeuingStrategy: {limit: 3}}") ==
        "in.yaml:3[0] waitForPodsReady.requeuingStrategy.limit: is not a field that is understood\n");
  for (const std::string word : {"", "30", "m", "-5m", "1.2.3s", "5 m", "5d", ".s"})
    CHECK(problem("waitForPodsReady: {timeout: \"" + word + "\"}") ==
          "in.yaml:3[0] waitForPodsReady.timeout: `" + word + "` is not a duration such as 30m\n");
  for (const std::string word : {"30m", "1h30m", "1.5s", "0s", "100ms"})
    CHECK(problem("waitForPodsReady: {recoveryTimeout: " + word + "}") == "");
  CHECK(problem("resources: {deviceClassMappings: []}") ==
        "in.yaml:3[0] resources.deviceClassMappings: is not a field that is understood\n");
  CHECK(problem("resources: {excludeResourcePrefixes: [a], quotaCheckStrategy: IgnoreUndeclared}") ==
        "in.yaml:3[0] resources.excludeResourcePrefixes: is refused beside quotaCheckStrategy IgnoreUndeclared\n");
  const auto transformations = [&](const std::string& list) {
    return problem("resources: {transformations: " + list + "}");
  };
  CHECK(transformations("[{input: a, outputs: {b: \"1.5.2\"}}]") ==
        "in.yaml:3[0] resources.transformations[0].outputs.b: `1.5.2` is not a quantity\n");
  CHECK(transformations("[{input: a, outputs: {b: 99999999999999999999999}}]") ==
        "in.yaml:3[0] resources.transformations[0].outputs.b: `99999999999999999999999` is more than can be counted\n");
  CHECK(transformations("[{input: a, strategy: Keep}]") ==
        "in.yaml:3[0] resources.transformations[0].strategy: `Keep` is none of Retain, Replace\n");
  CHECK(transformations("[{outputs: {b: 1}}]") == "in.yaml:3[0] resources.transformations[0].input: is required\n");
  CHECK(transformations("[{input: a, outputs: {}}, {input: a}]") ==
        "in.yaml:3[0] resources.transformations[1].input: `a` has a transformation already\n");
  CHECK(problem("fairSharing: {}") ==
        "in.yaml:3[0] fairSharing.preemptionStrategies: must be LessThanOrEqualToFinalShare, LessThanInitialShare, "
        "or both in this order\n");
  for (const std::string strategies : {"LessThanInitialShare", "LessThanOrEqualToFinalShare"})
    CHECK(problem("fairSharing: {preemptionStrategies: [" + strategies + "]}") == "");
  CHECK(problem("integrations: {frameworks: [pod, pod]}") ==
        "in.yaml:3[0] integrations.frameworks: names `pod` a second time\n");
  CHECK(problem("featureGates: {A: yes}").find("quote it") != std::string::npos);
  CHECK(problem("health: 5") == "in.yaml:3[0] health: must be a mapping, is an integer\n");
  CHECK(problem("resources: {quotaCheckStrategy: Sometimes}") ==
        "in.yaml:3[0] resources.quotaCheckStrategy: `Sometimes` is none of BlockUndeclared, IgnoreUndeclared\n");
  CHECK(problems_of(kHead + "---\n" + kHead) == "in.yaml:5[1] kind: is that of a second one, and Kueue reads one\n");
}

}  // namespace
}  // namespace gpol
