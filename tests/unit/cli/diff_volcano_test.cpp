// gpol diff of Volcano's manifests: what stands beside the Queues and no figure shows is not called the same.
#include "tests/support/catch.h"
#include "tests/support/manifests.h"
#include "tests/support/run_gpol.h"

using namespace gpol::test;

namespace {

std::string guard(const std::string& expression) {
  return "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: g}\nspec:\n"
         "  matchConstraints: {resourceRules: [{apiGroups: [scheduling.volcano.sh], apiVersions: [v1beta1], "
         "operations: [CREATE], resources: [podgroups]}]}\n  validations: [{expression: '" +
         expression +
         "', message: refused}]\n---\napiVersion: admissionregistration.k8s.io/v1\n"
         "kind: ValidatingAdmissionPolicyBinding\nmetadata: {name: g}\nspec:\n  policyName: g\n"
         "  validationActions: [Deny]\n";
}

std::string workload(const std::string& queue, const std::string& image = "chat") {
  return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: chat, namespace: chat}\nspec:\n  replicas: 4\n"
         "  template:\n    metadata: {annotations: {scheduling.volcano.sh/queue-name: " +
         queue +
         "}}\n    spec:\n      schedulerName: volcano\n      containers:\n      - {name: chat, image: " + image +
         ", resources: {limits: {nvidia.com/gpu: 1}}}\n";
}

Ran diff_of(const std::string& before, const std::string& after) {
  const std::string queues = read_text(GPOL_ROOT "/tests/bundles/volcano-tree-batch-below-one/manifests.yaml");
  const Scratch dir;
  for (const std::string side : {"old", "new"}) {
    write_text(dir / (side + "/queues.yaml"), queues);
    write_text(dir / (side + "/beside.yaml"), side == "old" ? before : after);
  }
  return run_gpol({"diff", (dir / "old").string(), (dir / "new").string()});
}

void not_compared(const std::string& before, const std::string& after, const std::string& what) {
  const Ran ran = diff_of(before, after);
  INFO(ran.out << ran.err);
  CHECK(ran.code == 3);
  CHECK(ran.out.starts_with("NOT KNOWN  " + what + " differ"));
  CHECK(diff_of(before, before).out.starts_with("means the same"));
}

}  // namespace

TEST_CASE("diff, Volcano: admission policies that differ, or are gone, are not compared") {
  not_compared(guard("false"), guard("true"), "admission policies");
  not_compared(guard("false"), "# none\n", "admission policies");
}

TEST_CASE("diff, Volcano: a workload that changes its Queue is not compared; another image says nothing") {
  not_compared(workload("serving"), workload("b1"), "pods and their Queues");
  CHECK(diff_of(workload("serving"), workload("serving", "other")).code == 0);
}

TEST_CASE("diff, Volcano: the group of a Node that differs is not compared") {
  const auto node = [](const std::string& group) {
    return "apiVersion: v1\nkind: Node\nmetadata: {name: n2, labels: {volcano.sh/nodegroup-name: " + group +
           "}}\nstatus: {allocatable: {nvidia.com/gpu: 8, cpu: 96, memory: 512Gi, pods: 110}}\n";
  };
  not_compared(node("g1"), node("g2"), "groups and pools of the Nodes");
}

TEST_CASE("diff, Volcano: Nodes that have more are told, and no promise is lost") {
  const auto node = [](int devices) {
    return "apiVersion: v1\nkind: Node\nmetadata: {name: n2}\nstatus: {allocatable: {nvidia.com/gpu: " +
           std::to_string(devices) + ", cpu: 96, memory: 512Gi, pods: 110}}\n";
  };
  const Ran ran = diff_of(node(8), node(16));
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
  CHECK(ran.out.starts_with("CHANGED  no promise is lost or exposed"));
  CHECK(ran.out.find("18 GPUs") != std::string::npos);
  CHECK(ran.out.find("26 GPUs") != std::string::npos);
}

TEST_CASE("diff, Volcano: a guard that is not understood as a whole is not compared where its file differs") {
  const auto half = [](const std::string& words) {  // `CONECT` is no operation
    std::string text = guard(words);
    return text.replace(text.find("[CREATE]"), 8, "[CONECT]");
  };
  const Ran ran = diff_of(half("false"), half("true"));
  INFO(ran.out << ran.err);
  CHECK(ran.code == 3);
  CHECK(ran.out.find("an admission policy that is not understood as a whole") != std::string::npos);
  CHECK(diff_of(half("false"), half("false")).code == 0);
}
