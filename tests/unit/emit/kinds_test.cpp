// Each kind against its exact text: what is written out is what is proven.
#include <algorithm>

#include "emit/kinds/kinds.h"
#include "tests/support/catch.h"
#include "tests/unit/emit/sample.h"

using namespace gpol;

namespace {

// The part of a manifest from `spec:` on.
std::string spec(const yaml::Value& manifest) {
  const std::string text = yaml::print(manifest);
  return text.substr(std::min(text.find("spec:"), text.size()));
}

}  // namespace

TEST_CASE("a cluster queue in a cohort") {
  CHECK(test::sample().object("ClusterQueue", "search") == R"(# from: tenant search { reserve 8 gpus of h100 }
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: search
  labels:
    app.kubernetes.io/managed-by: gpol
    gpol.dev/role: serving
  annotations:
    argocd.argoproj.io/sync-options: Prune=false
    kustomize.toolkit.fluxcd.io/prune: disabled
spec:
  cohortName: team
  queueingStrategy: BestEffortFIFO
  namespaceSelector:
    matchLabels:
      kubernetes.io/metadata.name: search-prod
  stopPolicy: None
  flavorFungibility:
    whenCanBorrow: MayStopSearch
    whenCanPreempt: MayStopSearch
  preemption:
    withinClusterQueue: LowerPriority
    reclaimWithinCohort: Any
    borrowWithinCohort:
      policy: Never
  resourceGroups:
    - coveredResources:
        - cpu
        - nvidia.com/gpu
      flavors:
        - name: h100
          resources:
            - name: cpu
              nominalQuota: "96"
              borrowingLimit: "0"
              lendingLimit: "0"
            - name: nvidia.com/gpu
              nominalQuota: "8"
              borrowingLimit: "0"
              lendingLimit: "0"
)");
}

TEST_CASE("a batch queue of two flavors: quantities, and limits only where there are any") {
  CHECK(test::sample().object("ClusterQueue", "train") == R"(# from: tenant train
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: train
  labels:
    app.kubernetes.io/managed-by: gpol
    gpol.dev/role: batch
  annotations:
    argocd.argoproj.io/sync-options: Prune=false
    kustomize.toolkit.fluxcd.io/prune: disabled
spec:
  cohortName: team
  queueingStrategy: BestEffortFIFO
  namespaceSelector:
    matchLabels:
      kubernetes.io/metadata.name: train-prod
  stopPolicy: None
  flavorFungibility:
    whenCanBorrow: MayStopSearch
    whenCanPreempt: TryNextFlavor
  preemption:
    withinClusterQueue: LowerPriority
    reclaimWithinCohort: Never
    borrowWithinCohort:
      policy: Never
  resourceGroups:
    - coveredResources:
        - cpu
        - memory
        - nvidia.com/gpu
        - pods
      flavors:
        - name: h100
          resources:
            - name: cpu
              nominalQuota: "0"
            - name: memory
              nominalQuota: "0"
            - name: nvidia.com/gpu
              nominalQuota: "0"
              borrowingLimit: "8"
            - name: pods
              nominalQuota: "0"
        - name: spot
          resources:
            - name: cpu
              nominalQuota: "23500m"
            - name: memory
              nominalQuota: "248Gi"
            - name: nvidia.com/gpu
              nominalQuota: "40"
            - name: pods
              nominalQuota: "1k"
)");
}

TEST_CASE("a queue without a cohort has no limits, whatever the cluster says") {
  const std::string text = test::sample().object("ClusterQueue", "alone");
  CHECK(text.find("nominalQuota: \"4\"") != std::string::npos);
  CHECK(text.find("Limit") == std::string::npos);
  CHECK(text.find("cohortName") == std::string::npos);
  CHECK(text.starts_with("# from: cluster one\napiVersion:"));  // no clause of its own asks for it
}

TEST_CASE("what a queue may have beside the defaults") {
  Queue queue;
  queue.name = "q";
  queue.strategy = QueueingStrategy::StrictFIFO;
  queue.stop = StopPolicy::HoldAndDrain;
  queue.when_can_borrow = Search::TryNextFlavor;
  queue.fungibility_preference = "PreemptionOverBorrowing";
  queue.preemption = {Within::LowerOrNewerEqualPriority, Reclaim::LowerPriority, BorrowWithin::LowerPriority, 100};
  queue.namespaces.present = true;
  queue.namespaces.expressions = {{"kubernetes.io/metadata.name", "In", {"a", "on"}}, {"x", "Exists", {}}};
  queue.admission_checks = {"check"};
  queue.fair_weight = "2";
  CHECK(spec(kinds::cluster_queue({}, queue)) == R"(spec:
  queueingStrategy: StrictFIFO
  namespaceSelector:
    matchExpressions:
      - key: kubernetes.io/metadata.name
        operator: In
        values:
          - a
          - "on"
      - key: x
        operator: Exists
  stopPolicy: HoldAndDrain
  flavorFungibility:
    whenCanBorrow: TryNextFlavor
    whenCanPreempt: TryNextFlavor
    preference: PreemptionOverBorrowing
  preemption:
    withinClusterQueue: LowerOrNewerEqualPriority
    reclaimWithinCohort: LowerPriority
    borrowWithinCohort:
      policy: LowerPriority
      maxPriorityThreshold: 100
  admissionChecksStrategy:
    admissionChecks:
      - name: check
  fairSharing:
    weight: "2"
)");
}

TEST_CASE("no selector lets nobody in and an empty one lets everybody in") {
  Queue queue;
  queue.name = "q";
  CHECK(spec(kinds::cluster_queue({}, queue)).find("namespaceSelector") == std::string::npos);
  queue.namespaces.present = true;
  CHECK(spec(kinds::cluster_queue({}, queue)).find("  namespaceSelector: {}\n") != std::string::npos);
}

TEST_CASE("a cohort under another") {
  CHECK(test::sample().object("Cohort", "team") == R"(# from: tenant search
apiVersion: kueue.x-k8s.io/v1beta2
kind: Cohort
metadata:
  name: team
  labels:
    app.kubernetes.io/managed-by: gpol
  annotations:
    argocd.argoproj.io/sync-options: Prune=false
    kustomize.toolkit.fluxcd.io/prune: disabled
spec:
  parentName: org
  resourceGroups:
    - coveredResources:
        - nvidia.com/gpu
      flavors:
        - name: h100
          resources:
            - name: nvidia.com/gpu
              nominalQuota: "0"
              borrowingLimit: "4"
              lendingLimit: "0"
)");
}

TEST_CASE("a root cohort has no limits, whatever the cluster says") {
  const std::string text = test::sample().object("Cohort", "org");
  CHECK(text.find("nominalQuota: \"16\"") != std::string::npos);
  CHECK(text.find("Limit") == std::string::npos);
}

TEST_CASE("an implicit cohort made an object") {
  CHECK(spec(kinds::cohort({}, {"c", "", {}, "0.5"})) == "spec:\n  fairSharing:\n    weight: \"0.5\"\n");
  CHECK(spec(kinds::cohort({}, {"c", "", {}, ""})) == "spec: {}\n");
}

TEST_CASE("a resource flavor") {
  CHECK(test::sample().object("ResourceFlavor", "h100") == R"(# from: cluster one
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata:
  name: h100
  labels:
    app.kubernetes.io/managed-by: gpol
spec:
  nodeLabels:
    gpol.dev/pool: h100
  nodeTaints:
    - key: gpol.dev/pool
      value: h100
      effect: NoSchedule
  tolerations:
    - key: gpol.dev/pool
      operator: Exists
      effect: NoSchedule
)");
}

TEST_CASE("a toleration with everything, and a topology") {
  Flavor flavor;
  flavor.name = "f";
  flavor.tolerations = {{"k", "Equal", "true", "NoExecute", 60}, {"", "Exists", "", "", std::nullopt}};
  flavor.taints = {{"k", "", "NoExecute"}};
  flavor.topology = "racks";
  CHECK(spec(kinds::resource_flavor(flavor)) == R"(spec:
  nodeTaints:
    - key: k
      effect: NoExecute
  tolerations:
    - key: k
      operator: Equal
      value: "true"
      effect: NoExecute
      tolerationSeconds: 60
    - operator: Exists
  topologyName: racks
)");
}

TEST_CASE("a local queue") {
  CHECK(test::sample().object("LocalQueue", "train") == R"(# from: tenant train
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata:
  name: train
  namespace: train-prod
  labels:
    app.kubernetes.io/managed-by: gpol
    gpol.dev/tenant: train
spec:
  clusterQueue: train
  stopPolicy: None
)");
}

TEST_CASE("a workload priority class") {
  CHECK(test::sample().object("WorkloadPriorityClass", "standard") == R"(# from: cluster one
apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata:
  name: standard
  labels:
    app.kubernetes.io/managed-by: gpol
    gpol.dev/role: serving
value: 1000
)");
}

TEST_CASE("a namespace") {
  CHECK(test::sample().object("Namespace", "train-prod") == R"(# from: tenant train
apiVersion: v1
kind: Namespace
metadata:
  name: train-prod
  labels:
    app.kubernetes.io/managed-by: gpol
    gpol.dev/tenant: train
  annotations:
    argocd.argoproj.io/sync-options: Prune=false
    kustomize.toolkit.fluxcd.io/prune: disabled
)");
}

TEST_CASE("the controller's configuration, as short as it gets") {
  const std::string text = test::sample().file("controller/controller_manager_config.yaml");
  CHECK(text.starts_with("# Merge these lines"));
  CHECK(text.substr(text.find("apiVersion")) == R"(apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
manageJobsWithoutQueueName: true
integrations:
  frameworks:
    - batch/job
    - pod
)");
}

TEST_CASE("what the controller makes of requests") {
  KueueConfig config;
  config.excluded_prefixes = {"ephemeral"};
  config.transformations = {{"mig", true, "cpu", {{"memory", "5"}}}, {"gpu", false, "", {}}};
  const std::string text = yaml::print(kinds::kueue_configuration(config));
  CHECK(text.substr(text.find("resources:")) == R"(resources:
  excludeResourcePrefixes:
    - ephemeral
  transformations:
    - input: mig
      strategy: Replace
      multiplyBy: cpu
      outputs:
        memory: "5"
    - input: gpu
      strategy: Retain
)");
}

TEST_CASE("the controller's configuration with everything set") {
  KueueConfig config;
  config.fair_sharing = true;
  config.wait_for_pods_ready = {"30m", "5m", true, true};
  config.managed_namespaces.present = true;
  config.managed_namespaces.expressions = {{"kubernetes.io/metadata.name", "NotIn", {"kube-system", "kueue-system"}}};
  config.gates = {{"TopologyAwareScheduling", false}, {"PartialAdmission", true}};
  config.quota_check_strategy = "BlockUndeclared";
  CHECK(yaml::print(kinds::kueue_configuration(config)) == R"(apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
managedJobsNamespaceSelector:
  matchExpressions:
    - key: kubernetes.io/metadata.name
      operator: NotIn
      values:
        - kube-system
        - kueue-system
waitForPodsReady:
  timeout: "30m"
  recoveryTimeout: "5m"
  blockAdmission: true
  requeuingStrategy:
    timestamp: Creation
fairSharing:
  preemptionStrategies:
    - LessThanOrEqualToFinalShare
    - LessThanInitialShare
resources:
  quotaCheckStrategy: BlockUndeclared
featureGates:
  PartialAdmission: true
  TopologyAwareScheduling: false
)");
}
