// Pod templates of whatever kind of object: who asks for devices, and who is counted with its owner.
#include "checker/observe/existing.h"
#include "tests/support/catch.h"

using namespace gpol;

namespace {

// "KIND ns/name resource", one per line.
std::string asks_of(const std::string& text) {
  const YamlFile file{"in.yaml", text};
  std::string out;
  for (const PodFacts& pods : observe_existing({&file, 1}).pods)
    if (!pods.asks.empty())
      out += pods.kind + " " + pods.name + " " + pods.asks.begin()->first + (pods.queue_of_object ? " queues" : "") +
             (pods.queue_of_pods && pods.kind != "Pod" ? " with its pods" : "") + "\n";
  return out;
}

std::string pod(const std::string& name, const std::string& more, const std::string& spec) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", namespace: x" + more + "}\nspec: {" + spec +
         "}\n---\n";
}

const std::string kGpu = "containers: [{name: a, resources: {limits: {nvidia.com/gpu: 1}}}]";

std::string owner(const std::string& kind, const std::string& name) {
  return ", ownerReferences: [{apiVersion: " +
         std::string(kind == "ReplicaSet" ? "apps/v1"
                     : kind == "Pod"      ? "v1"
                                          : "example.com/v1") +
         ", kind: " + kind + ", name: " + name + ", controller: true}]";
}

}  // namespace

TEST_CASE("pods: whoever asks for a device is found, and nobody else") {
  CHECK(asks_of(pod("a", "", kGpu)) == "Pod x/a nvidia.com/gpu\n");
  CHECK(asks_of(pod("a", "", "containers: [{name: a, resources: {limits: {cpu: 1, nvidia.com/gpu: 0}}}]")).empty());
  CHECK(asks_of(pod("a", ", labels: {kueue.x-k8s.io/queue-name: q}", kGpu)) == "Pod x/a nvidia.com/gpu queues\n");
  CHECK(asks_of(pod("a", "", "resourceClaims: [{name: g}], containers: [{name: a}]")) == "Pod x/a \n");
}

TEST_CASE("pods: what is owned is counted with its owner, where that was read and has pods itself") {
  const std::string replica_set =
      "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: r, namespace: x}\nspec: {template: {spec: {" + kGpu +
      "}}}\n---\n";
  CHECK(asks_of(replica_set + pod("a", owner("ReplicaSet", "r"), kGpu)) == "ReplicaSet x/r nvidia.com/gpu\n");
  CHECK(asks_of(pod("a", owner("ReplicaSet", "r"), kGpu)) == "Pod x/a nvidia.com/gpu\n");
  const std::string says_nothing =
      "apiVersion: example.com/v1\nkind: Desk\nmetadata: {name: d, namespace: x}\nspec: {}\n---\n";
  CHECK(asks_of(says_nothing + pod("a", owner("Desk", "d"), kGpu)) == "Pod x/a nvidia.com/gpu\n");
}

TEST_CASE("pods: a circle of owners is counted") {
  CHECK(asks_of(pod("a", owner("Pod", "b"), kGpu) + pod("b", owner("Pod", "a"), kGpu)) ==
        "Pod x/a nvidia.com/gpu\nPod x/b nvidia.com/gpu\n");
}

TEST_CASE(
    "pods: of a single container the labels beside its template count, its owner's only where they are handed on") {
  const auto made = [](const std::string& api, const std::string& kind, const std::string& labels,
                       const std::string& spec) {
    return asks_of("apiVersion: " + api + "\nkind: " + kind + "\nmetadata: {name: a, namespace: x" + labels +
                   "}\nspec: " + spec + "\n");
  };
  const std::string labels = ", labels: {kueue.x-k8s.io/queue-name: q}";
  const std::string metadata = "metadata: {labels: {kueue.x-k8s.io/queue-name: q}}, ";
  const std::string one = "resources: {limits: {nvidia.com/gpu: 1}}";
  const std::string argo = "argoproj.io/v1alpha1";
  CHECK(made(argo, "Workflow", labels, "{templates: [{container: {" + one + "}}]}") ==
        "Workflow x/a nvidia.com/gpu queues\n");
  for (const std::string& of : std::vector<std::string>{"container: {" + one + "}", "script: {" + one + "}",
                                                        "sidecars: [{" + one + "}]", "containerSet: {" + kGpu + "}"})
    CHECK(made(argo, "Workflow", "", "{templates: [{" + metadata + of + "}]}") ==
          "Workflow x/a nvidia.com/gpu with its pods\n");
  CHECK(made(argo, "Workflow", "",
             "{podMetadata: {labels: {kueue.x-k8s.io/queue-name: q}}, templates: [{container: {" + one + "}}]}") ==
        "Workflow x/a nvidia.com/gpu with its pods\n");
  CHECK(made("serving.kserve.io/v1beta1", "InferenceService", labels, "{predictor: {model: {" + one + "}}}") ==
        "InferenceService x/a nvidia.com/gpu queues with its pods\n");
  CHECK(made("example.com/v1", "InferenceService", labels, "{predictor: {model: {" + one + "}}}") ==
        "InferenceService x/a nvidia.com/gpu queues\n");
}

TEST_CASE("pods: what a runtime says counts as that of whoever names it, in its namespace and with its labels") {
  const auto job = [](const std::string& name, const std::string& labels, const std::string& ref) {
    return "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: " + name + ", namespace: x" +
           labels + "}\nspec: {runtimeRef: {" + ref + "}}\n---\n";
  };
  const auto runtime = [](const std::string& kind, const std::string& ns) {
    return "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: " + kind + "\nmetadata: {name: r" + ns +
           "}\nspec: {template: {spec: {replicatedJobs: [{template: {spec: {template: {spec: {" + kGpu +
           "}}}}}]}}}\n---\n";
  };
  const std::string queued = ", labels: {kueue.x-k8s.io/queue-name: q}";
  const std::string everywhere = runtime("ClusterTrainingRuntime", ""),
                    here = runtime("TrainingRuntime", ", namespace: x");
  CHECK(asks_of(everywhere).empty());
  CHECK(asks_of(job("a", "", "name: r")).empty());
  CHECK(asks_of(job("a", "", "name: r") + everywhere) == "TrainJob x/a nvidia.com/gpu\n");
  CHECK(asks_of(everywhere + job("a", queued, "name: r") + job("b", "", "name: r")) ==
        "TrainJob x/a nvidia.com/gpu queues\nTrainJob x/b nvidia.com/gpu\n");
  CHECK(asks_of(here + job("a", "", "name: r")).empty());
  CHECK(asks_of(here + job("a", "", "name: r, kind: TrainingRuntime")) == "TrainJob x/a nvidia.com/gpu\n");
  const std::string elsewhere = runtime("TrainingRuntime", ", namespace: y");
  CHECK(asks_of(elsewhere + job("a", "", "name: r, kind: TrainingRuntime")).empty());
  // What the controller makes of it is counted with it.
  const std::string made =
      "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: a, namespace: x, ownerReferences: "
      "[{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, name: a, controller: true}]}\nspec: "
      "{replicatedJobs: [{template: {spec: {template: {spec: {" +
      kGpu + "}}}}}]}\n---\n";
  CHECK(asks_of(everywhere + job("a", queued, "name: r") + made) == "TrainJob x/a nvidia.com/gpu queues\n");
  CHECK(asks_of(job("a", queued, "name: r") + made).empty());
  CHECK(asks_of(job("a", "", "name: r") + made) == "JobSet x/a nvidia.com/gpu\n");
}

TEST_CASE("pods: what is not known of them is told where they are") {
  const auto unread = [](const std::string& api, const std::string& kind, const std::string& spec) {
    const YamlFile file{"in.yaml", "apiVersion: " + api + "\nkind: " + kind + "\nmetadata: {name: a}\nspec: " + spec};
    std::string out;
    for (const PodFacts& pods : observe_existing({&file, 1}).pods)
      out += (pods.unread         ? pods.unread->at.field
              : pods.asks.empty() ? "nothing"
                                  : pods.asks.begin()->second.field) +
             "\n";
    return out;
  };
  const std::string argo = "argoproj.io/v1alpha1", kserve = "serving.kserve.io/v1beta1";
  CHECK(unread(kserve, "InferenceService", "{predictor: {model: {runtime: r}}}") == "spec.predictor.model.runtime\n");
  CHECK(unread(kserve, "InferenceService", "{predictor: {model: {}}}") == "spec.predictor.model\n");
  CHECK(unread(kserve, "InferenceService", "{predictor: {sklearn: {}}}") == "spec.predictor.sklearn\n");
  CHECK(unread(kserve, "InferenceService", "{predictor: {containers: [{name: a}]}}").empty());
  CHECK(unread(argo, "Workflow", "{podSpecPatch: '{{a}}'}") == "spec.podSpecPatch\n");
  CHECK(unread(argo, "Workflow", "{podSpecPatch: 'priorityClassName: \"{{a}}\"'}") == "spec.podSpecPatch\n");
  CHECK(unread(argo, "Workflow", "{podSpecPatch: 'containers: [{name: m, resources: {limits: \"{{a}}\"}}]'}") ==
        "spec.podSpecPatch\n");
  CHECK(unread(argo, "Workflow", "{podSpecPatch: 'containers: [{name: m, resources: {limits: {cpu: \"{{a}}\"}}}]'}")
            .empty());
  CHECK(
      unread(argo, "Workflow", "{podSpecPatch: 'containers: [{name: m, resources: {limits: {nvidia.com/gpu: 1}}}]'}") ==
      "spec.podSpecPatch.containers[0].resources.limits[nvidia.com/gpu]\n");
  CHECK(unread(argo, "Workflow", "{templates: [{resource: {action: patch, manifest: 'a: b'}}]}") ==
        "spec.templates[0].resource.manifest\n");
  CHECK(unread(argo, "Workflow", "{templates: [{resource: {action: get, manifest: 'a: b'}}]}").empty());
  CHECK(unread(argo, "CronWorkflow", "{workflowSpec: {workflowTemplateRef: {name: a, clusterScope: true}}}") ==
        "spec.workflowSpec.workflowTemplateRef.name\n");
}

TEST_CASE("pods: two objects whose names the API server makes are two") {
  const std::string made =
      "apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: a-, namespace: x}\nspec: {template: "
      "{spec: {" +
      kGpu + "}}}\n---\n";
  CHECK(asks_of(made + made) == "Job x/a- nvidia.com/gpu\nJob x/a- nvidia.com/gpu\n");
}
