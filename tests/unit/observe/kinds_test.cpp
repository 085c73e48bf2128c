#include "tests/unit/observe/manifests.h"

namespace gpol {
namespace {

using namespace manifests;

Cluster understood(const std::string& text) {
  auto observed = observe_text(text);
  INFO(listed(observed));
  REQUIRE(observed.problems.empty());
  return std::move(observed.cluster);
}

const std::string kBoth = kFlavor + "---\n" + kQueue;

// The problems of kBoth with one edit; lines count from its first line.
std::string after(const std::string& from, const std::string& to) { return problems_of(edited(kBoth, from, to)); }
std::string with_spec(const std::string& lines) {
  return edited(kBoth, "  cohortName: west\n", "  cohortName: west\n" + lines);
}

TEST_CASE("a queue's quotas are read in base units, absent limits are unlimited") {
  const auto cluster = understood(kBoth);
  REQUIRE(cluster.queues.size() == 1);
  const Queue& queue = cluster.queues[0];
  CHECK(queue.name == "search");
  CHECK(queue.cohort == "west");
  REQUIRE(queue.groups.size() == 1);
  REQUIRE(queue.groups[0].flavors.size() == 1);
  CHECK(cluster.flavors[queue.groups[0].flavors[0].flavor].name == "shared");
  CHECK(cluster.resources == std::vector<std::string>{"cpu", "nvidia.com/gpu"});
  const std::vector<Quota> expected{{1500, {}, {}}, {8, 0, 4}};
  CHECK(queue.groups[0].flavors[0].quotas == expected);
}

TEST_CASE("absent fields of a queue take the CRD's defaults") {
  const Queue queue = understood(kBoth).queues.at(0);
  CHECK(queue.strategy == QueueingStrategy::BestEffortFIFO);
  CHECK(queue.preemption.within_cluster_queue == Within::Never);
  CHECK(queue.preemption.reclaim_within_cohort == Reclaim::Never);
  CHECK(queue.preemption.borrow_within_cohort == BorrowWithin::Never);
  CHECK_FALSE(queue.preemption.max_priority_threshold);
  CHECK(queue.when_can_borrow == Search::MayStopSearch);
  CHECK(queue.when_can_preempt == Search::TryNextFlavor);
  CHECK(queue.fungibility_preference.empty());
  CHECK(queue.stop == StopPolicy::None);
  CHECK_FALSE(queue.namespaces.present);
  CHECK(queue.admission_checks.empty());
  CHECK(queue.fair_weight.empty());
  CHECK(queue.labels.empty());
}

TEST_CASE("every field of a queue is read") {
  auto text = with_spec(
      "  queueingStrategy: StrictFIFO\n"
      "  stopPolicy: HoldAndDrain\n"
      "  namespaceSelector:\n    matchLabels: {a: b}\n    matchExpressions:\n    - {key: c, operator: NotIn, values: "
      "[d]}\n"
      "  flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt: TryNextFlavor, preference: "
      "PreemptionOverBorrowing}\n"
      "  preemption:\n    withinClusterQueue: LowerPriority\n    reclaimWithinCohort: Any\n"
      "    borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: -7}\n"
      "  admissionChecksStrategy: {admissionChecks: [{name: prov}]}\n"
      "  fairSharing: {weight: 500m}\n");
  text = edited(text, "  name: search\n",
                "  name: search\n  labels:\n    gpol.dev/role: serving\n    team: a\n  annotations:\n    note: x\n");
  const Queue queue = understood(text).queues.at(0);
  CHECK(queue.strategy == QueueingStrategy::StrictFIFO);
  CHECK(queue.stop == StopPolicy::HoldAndDrain);
  CHECK(queue.namespaces == Selector{true, {{"a", "b"}}, {{"c", "NotIn", {"d"}}}});
  CHECK(queue.when_can_borrow == Search::TryNextFlavor);
  CHECK(queue.fungibility_preference == "PreemptionOverBorrowing");
  CHECK(queue.preemption.within_cluster_queue == Within::LowerPriority);
  CHECK(queue.preemption.reclaim_within_cohort == Reclaim::Any);
  CHECK(queue.preemption.borrow_within_cohort == BorrowWithin::LowerPriority);
  CHECK(queue.preemption.max_priority_threshold == -7);
  CHECK(queue.admission_checks == std::vector<std::string>{"prov"});
  CHECK(queue.fair_weight == "0.5");
  CHECK(queue.labels == std::map<std::string, std::string>{{"gpol.dev/role", "serving"}});
}

TEST_CASE("a selector that is there and empty takes every namespace") {
  CHECK(understood(with_spec("  namespaceSelector: {}\n")).queues.at(0).namespaces == Selector{true, {}, {}});
}

TEST_CASE("what a queue may not say is a problem at its field and line") {
  const std::string quota = "spec.resourceGroups[0].flavors[0].resources[1]";
  CHECK(after("cohortName: west", "cohort: west") ==
        "in.yaml:14[1] spec.cohort: is not a field here; did you mean `cohortName`?\n");
  CHECK(after("nominalQuota: 8", "nominalQuota: 3") ==
        "in.yaml:25[1] " + quota + ".lendingLimit: must be at most nominalQuota, which is `3`\n");
  CHECK(after("nominalQuota: 8", "nominalQuota: -8") ==
        "in.yaml:23[1] " + quota + ".nominalQuota: must not be negative\nin.yaml:25[1] " + quota +
            ".lendingLimit: must be at most nominalQuota, which is `-8`\n");
  CHECK(after("nominalQuota: 8", "nominalQuota: eight") ==
        "in.yaml:23[1] " + quota + ".nominalQuota: `eight` is not a quantity, such as 8, 500m, 1.5 or 64Gi\n");
  CHECK(
      after("nominalQuota: 1500m", "nominalQuota: true") ==
      "in.yaml:21[1] spec.resourceGroups[0].flavors[0].resources[0].nominalQuota: must be a quantity, is a boolean\n");
  CHECK(after("nominalQuota: 1500m", "nominalQuota: 1.5") ==
        "in.yaml:21[1] spec.resourceGroups[0].flavors[0].resources[0].nominalQuota: must be a quantity, is a number "
        "with a fraction or an exponent: quote it\n");
  CHECK(after("nominalQuota: 1500m", "nominalQuota: 9E").find("so large that it counts as unlimited") !=
        std::string::npos);
  CHECK(after("borrowingLimit: 0", "borrowingLimit: null") ==
        "in.yaml:24[1] " + quota + ".borrowingLimit: is null; leave the field out instead\n");
  CHECK(after("name: nvidia.com/gpu", "name: nvidia.com/mig") ==
        "in.yaml:22[1] " + quota +
            ".name: `nvidia.com/mig` must be `nvidia.com/gpu`: resources stand in the order of coveredResources\n");
  CHECK(after("[cpu, nvidia.com/gpu]", "[cpu]") ==
        "in.yaml:20[1] spec.resourceGroups[0].flavors[0].resources: has 2 resources, and coveredResources has 1\n");
  CHECK(after("[cpu, nvidia.com/gpu]", "[cpu, cpu]").find("coveredResources[1]: `cpu` is covered already") !=
        std::string::npos);
  CHECK(after("    - name: shared", "    - name: other") ==
        "in.yaml:18[1] spec.resourceGroups[0].flavors[0]: there is no ResourceFlavor `other`\n");
}

TEST_CASE("problems of a queue's other fields") {
  const auto spec_problem = [](const std::string& lines) { return problems_of(with_spec(lines)); };
  CHECK(spec_problem("  stopPolicy: Halt\n") ==
        "in.yaml:15[1] spec.stopPolicy: `Halt` is none of `None`, `Hold`, `HoldAndDrain`\n");
  CHECK(spec_problem("  stopPolicy: none\n") ==
        "in.yaml:15[1] spec.stopPolicy: `none` is none of `None`, `Hold`, `HoldAndDrain`\n");
  CHECK(spec_problem("  queueingStrategy: 5\n") ==
        "in.yaml:15[1] spec.queueingStrategy: must be text, is an integer: quote it\n");
  CHECK(spec_problem("  preemption: {reclaimWithinCohort: Never, borrowWithinCohort: {policy: LowerPriority}}\n") ==
        "in.yaml:15[1] spec.preemption.borrowWithinCohort.policy: needs reclaimWithinCohort to be another than "
        "`Never`\n");
  CHECK(spec_problem("  preemption: {reclaimWithinCohort: Any, extra: 1}\n") ==
        "in.yaml:15[1] spec.preemption.extra: is not a field here\n");
  CHECK(spec_problem("  flavorFungibility: {preference: BorrowingOverPreemption}\n") ==
        "in.yaml:15[1] spec.flavorFungibility.preference: needs whenCanBorrow and whenCanPreempt to be "
        "`TryNextFlavor`\n");
  CHECK(spec_problem("  admissionChecksStrategy: {admissionChecks: [{name: p, onFlavors: [shared]}]}\n") ==
        "in.yaml:15[1] spec.admissionChecksStrategy.admissionChecks[0].onFlavors: checks on some flavors only are not "
        "understood\n");
  CHECK(spec_problem("  admissionScope: {admissionMode: NoAdmissionFairSharing}\n") ==
        "in.yaml:15[1] spec.admissionScope: is not modelled yet\n");
  CHECK(spec_problem("  fairSharing: {weight: \"-1\"}\n") ==
        "in.yaml:15[1] spec.fairSharing.weight: must not be negative\n");
  CHECK(spec_problem("  namespaceSelector: {matchExpressions: [{key: a, operator: In}]}\n") ==
        "in.yaml:15[1] spec.namespaceSelector.matchExpressions[0].values: must hold something where operator is `In` "
        "or `NotIn`\n");
  CHECK(spec_problem("  namespaceSelector: {matchLabels: {a: 1}}\n") ==
        "in.yaml:15[1] spec.namespaceSelector.matchLabels.a: must be text, is an integer: quote it\n");
}

TEST_CASE("every object needs a kind, an API and a name that are known, and is there once") {
  CHECK(problems_of(edited(kFlavor, "v1beta2", "v1beta1")) ==
        "in.yaml:1[0] apiVersion: `kueue.x-k8s.io/v1beta1` is not kueue.x-k8s.io/v1beta2, the one understood\n");
  CHECK(problems_of("apiVersion: v1\nkind: Pod\n") ==
        "in.yaml:2[0] kind: `Pod` of `v1` is not a kind that is understood\n");
  CHECK(problems_of("kind: Namespace\n") == "in.yaml:1[0] apiVersion: is required\n");
  CHECK(problems_of("- a\n") == "in.yaml:1[0] : must be a mapping, is a list\n");
  CHECK(problems_of(edited(kFlavor, "  name: shared\n", "  label: x\n")) ==
        "in.yaml:4[0] metadata.label: is not a field here; did you mean `labels`?\nin.yaml:4[0] metadata.name: is "
        "required, or generateName\n");
  CHECK(problems_of(edited(kFlavor, "name: shared", "name: Shared"))
            .starts_with("in.yaml:4[0] metadata.name: `Shared` is not a DNS name"));
  CHECK(problems_of(edited(kFlavor, "name: shared", "name: shared\n  namespace: x")) ==
        "in.yaml:5[0] metadata.namespace: is not a field that is understood\n");
  CHECK(problems_of(kFlavor + "---\n" + kFlavor) ==
        "in.yaml:12[1] metadata.name: ResourceFlavor `shared` is there twice\n");
}

TEST_CASE("flavors: labels, taints, tolerations, topology") {
  const auto flavor =
      understood(
          "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: f}\nspec:\n"
          "  nodeLabels: {pool: f}\n  topologyName: racks\n"
          "  nodeTaints: [{key: spot, value: \"true\", effect: NoSchedule}]\n"
          "  tolerations: [{key: a, operator: Exists, effect: NoExecute, tolerationSeconds: 5}, {key: b, value: c}]\n")
          .flavors.at(0);
  CHECK(flavor.node_labels == std::map<std::string, std::string>{{"pool", "f"}});
  CHECK(flavor.taints == std::vector<Taint>{{"spot", "true", "NoSchedule"}});
  CHECK(flavor.tolerations ==
        std::vector<Toleration>{{"a", "Exists", "", "NoExecute", 5}, {"b", "Equal", "c", "", {}}});
  CHECK(flavor.topology == "racks");
  const auto broken = [](const std::string& spec) {
    return problems_of("apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: f}\nspec: " + spec +
                       "\n");
  };
  CHECK(broken("{topologyName: racks}") ==
        "in.yaml:4[0] spec.nodeLabels: must name at least one label where topologyName is set\n");
  CHECK(broken("{nodeTaints: [{key: a, effect: Never}]}") ==
        "in.yaml:4[0] spec.nodeTaints[0].effect: `Never` is none of `NoSchedule`, `PreferNoSchedule`, `NoExecute`\n");
  CHECK(broken("{tolerations: [{key: a, operator: Exists, value: b}]}") ==
        "in.yaml:4[0] spec.tolerations[0].value: must be absent where operator is `Exists`\n");
  CHECK(broken("{tolerations: [{operator: Equal}]}") ==
        "in.yaml:4[0] spec.tolerations[0].operator: must be `Exists` where no key is given\n");
  CHECK(broken("{tolerations: [{key: a, tolerationSeconds: 5}]}") ==
        "in.yaml:4[0] spec.tolerations[0].tolerationSeconds: needs effect to be `NoExecute`\n");
}

TEST_CASE("cohorts: a parent, quota of their own, limits beyond it") {
  const std::string cohort = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: west}\n";
  CHECK(understood(cohort).cohorts.at(0).parent.empty());
  const std::string quota =
      "  resourceGroups:\n  - coveredResources: [pods]\n    flavors:\n    - name: shared\n"
      "      resources: [{name: pods, nominalQuota: 0, lendingLimit: 5}]\n";
  const auto cluster = understood(kFlavor + "---\n" + cohort + "spec:\n  parentName: top\n" + quota);
  CHECK(cluster.cohorts.at(0).parent == "top");
  CHECK(cluster.cohorts.at(0).groups.at(0).flavors.at(0).quotas == std::vector<Quota>{{0, {}, 5}});
  CHECK(problems_of(kFlavor + "---\n" + cohort + "spec:\n" + quota) ==
        "in.yaml:17[1] spec.resourceGroups[0].flavors[0].resources[0].lendingLimit: needs a cohort above: there is "
        "nobody to borrow from or lend to\n");
}

TEST_CASE("local queues stand in a namespace and point at a queue that is there") {
  const auto queue = understood(kBoth + "---\n" + kLocalQueue).local_queues.at(0);
  CHECK(queue.ns == "search-prod");
  CHECK(queue.name == "search");
  CHECK(queue.cluster_queue == "search");
  CHECK(queue.stop == StopPolicy::None);
  CHECK(problems_of(kLocalQueue) == "in.yaml:7[0] spec: there is no ClusterQueue `search`\n");
  CHECK(problems_of(kBoth + "---\n" + edited(kLocalQueue, "  namespace: search-prod\n", "")) ==
        "in.yaml:30[2] metadata.namespace: is required for this kind\n");
  CHECK(problems_of(kBoth + "---\n" + kLocalQueue + "  fairSharing: {weight: 2}\n") ==
        "in.yaml:34[2] spec.fairSharing: is not modelled yet\n");
}

TEST_CASE("priority classes have a value of 32 bits") {
  const std::string text =
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: a, labels: {gpol.dev/role: "
      "batch}}\n";
  const auto priority = understood(text + "value: -5\ndescription: for people\n").priority_classes.at(0);
  CHECK(priority.value == -5);
  CHECK(priority.labels.at("gpol.dev/role") == "batch");
  CHECK(problems_of(text) == "in.yaml:1[0] value: is required\n");
  CHECK(problems_of(text + "value: \"5\"\n") == "in.yaml:4[0] value: must be an integer, is text\n");
  CHECK(problems_of(text + "value: 4000000000\n") == "in.yaml:4[0] value: must be at most 2147483647\n");
}

TEST_CASE("namespaces keep the labels that mean something") {
  const std::string ns =
      "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: chat\n  labels:\n    gpol.dev/tenant: chat\n    team: a\n";
  const auto cluster = understood(ns + "    kubernetes.io/metadata.name: chat\n");
  CHECK(cluster.namespaces.at(0).labels ==
        std::map<std::string, std::string>{{"gpol.dev/tenant", "chat"}, {"kubernetes.io/metadata.name", "chat"}});
  CHECK(problems_of(ns + "    kubernetes.io/metadata.name: other\n") ==
        "in.yaml:4[0] metadata: the label `kubernetes.io/metadata.name` must be the namespace's name\n");
  CHECK(problems_of(ns + "---\n" + with_spec("  namespaceSelector: {matchLabels: {team: a}}\n")) ==
        "in.yaml:1[0] : a selector asks for the label `team`, which is not understood\n");
}

TEST_CASE("lists are as long as the CRDs allow, and longer ones take no time") {
  std::string taints;
  for (int i = 0; i < 200000; ++i) taints += "  - {key: k" + std::to_string(i) + ", effect: NoSchedule}\n";
  taints.resize(1000000);
  taints.resize(taints.rfind('\n') + 1);
  const std::string head = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: f}\n";
  CHECK(problems_of(head + "spec:\n  nodeTaints:\n" + taints) == "in.yaml:6[0] spec.nodeTaints: must hold at most 8\n");
  std::string unknown;
  for (int i = 0; i < 200000; ++i) unknown += "k" + std::to_string(i) + ": 1\n";
  CHECK(observe_text(edited(head, "{name: f}", "\n  name: f") + unknown).problems.size() == 50);
  std::string checks;
  for (int i = 0; i < 65; ++i) checks += "    - name: c" + std::to_string(i) + "\n";
  CHECK(problems_of(with_spec("  admissionChecksStrategy:\n    admissionChecks:\n" + checks)) ==
        "in.yaml:17[1] spec.admissionChecksStrategy.admissionChecks: must hold at most 64\n");
}

}  // namespace
}  // namespace gpol
