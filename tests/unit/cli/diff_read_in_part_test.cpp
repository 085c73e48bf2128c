// gpol diff: what differs, was read, and gives no figure is not compared.
#include "tests/support/catch.h"
#include "tests/support/manifests.h"
#include "tests/support/run_gpol.h"

using namespace gpol::test;

namespace {

struct Pair {
  std::string name, before, after;
};

// Beside two queues of which one serves.
Ran diff_of(const Pair& pair, const std::string& beside = "") {
  const Scratch dir;
  const std::string queues =
      cluster_queue("chat", "nominalQuota: 8, lendingLimit: 0") + cluster_queue("train", "nominalQuota: 8");
  for (const std::string side : {"old", "new"}) {
    write_text(dir / (side + "/queues.yaml"), queues);
    if (!beside.empty()) write_text(dir / (side + "/beside.yaml"), beside);
    write_text(dir / (side + "/" + pair.name), side == "old" ? pair.before : pair.after);
  }
  return run_gpol({"diff", (dir / "old").string(), (dir / "new").string(), "--serving", "chat"});
}

void not_compared(const Pair& pair, const std::string& beside = "") {
  const Ran ran = diff_of(pair, beside);
  INFO(ran.out << ran.err);
  CHECK(ran.code == 3);
  CHECK(ran.out.find("new/" + pair.name + "` differs (") != std::string::npos);
  CHECK(diff_of({pair.name, pair.after, pair.after}, beside).code == 0);
}

std::string guard(const std::string& more) {
  return "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: g}\nspec:\n"
         "  matchConstraints: {resourceRules: [{apiGroups: [\"\"], apiVersions: [v1], operations: [CREATE], "
         "resources: [pods]}]}\n  validations: [{expression: 'false', message: no}]\n" +
         more +
         "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n"
         "metadata: {name: g}\nspec:\n  policyName: g\n  validationActions: [Deny]\n";
}

std::string of_label(const std::string& value) {
  return "apiVersion: v1\nkind: Namespace\nmetadata: {name: research, labels: {" + value + "}}\n";
}

std::string release(const std::string& version) {
  return "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: kueue, namespace: x}\nspec:\n"
         "  chart: {spec: {chart: kueue, version: \"" +
         version + "\", sourceRef: {kind: HelmRepository, name: k}}}\n";
}

}  // namespace

TEST_CASE("diff: parameters of a guard, and labels of Namespaces that it asks for, are not compared") {
  const std::string with = guard("  paramKind: {apiVersion: v1, kind: ConfigMap}\n") +
                           "  paramRef: {name: limits, namespace: x, parameterNotFoundAction: Deny}\n";
  const auto limits = [](const std::string& most) {
    return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: limits, namespace: x}\ndata: {most: \"" + most + "\"}\n";
  };
  not_compared({"limits.yaml", limits("4"), limits("400")}, with);
  const std::string selects = guard("") + "  matchResources: {namespaceSelector: {matchLabels: {gpus: guarded}}}\n";
  not_compared({"ns.yaml", of_label("gpus: guarded"), of_label("gpus: free")}, selects);
  CHECK(diff_of({"ns.yaml", of_label("gpus: guarded"), of_label("team: a")}, selects).code == 3);
  CHECK(diff_of({"ns.yaml", of_label("team: a"), of_label("team: b")}, selects).code == 0);
}

TEST_CASE("diff: what may change queues when they are applied is not compared") {
  const auto kyverno = [](const std::string& kind, const std::string& value) {
    return "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: p}\nspec:\n  rules:\n  - name: a\n"
           "    match: {any: [{resources: {kinds: [" +
           kind + "]}}]}\n    mutate: {patchStrategicMerge: {spec: {a: " + value + "}}}\n";
  };
  not_compared({"p.yaml", kyverno("ClusterQueue", "x"), kyverno("ClusterQueue", "y")});
  CHECK(diff_of({"p.yaml", kyverno("Service", "x"), kyverno("Service", "y")}).code == 0);
}

TEST_CASE("diff: a release of Kueue whose version is a range, and values of a chart of queues, are not compared") {
  not_compared({"kueue.yaml", release(">=0.19.0 <0.20.0"), release(">=0.10.0 <0.11.0")});
  const auto values = [](const std::string& quota) {
    return "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: team, namespace: x}\nspec:\n"
           "  chart: {spec: {chart: ./charts/team, sourceRef: {kind: GitRepository, name: g}}}\n"
           "  values: {clusterQueues: [{name: greedy, nominalQuota: " +
           quota + "}]}\n";
  };
  not_compared({"team.yaml", values("4"), values("400")});
}

TEST_CASE("diff: scripts and programs that name queues are not compared, others change nothing") {
  not_compared({"apply.sh", "kubectl patch clusterqueue chat -p a\n", "kubectl patch clusterqueue chat -p b\n"});
  not_compared({"q.tf", "", "manifest = { apiVersion = \"kueue.x-k8s.io/v1beta2\" }\n"});
  CHECK(diff_of({"run.sh", "echo a\n", "echo b\n"}).code == 0);
}

TEST_CASE("diff: `images` and `replicas` of a release of Kueue that is not read are not compared") {
  const auto kustomization = [](const std::string& tag) {
    return "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- queues.yaml\n"
           "- https://github.com/kubernetes-sigs/kueue/config/default?ref=v0.19.2\n"
           "images:\n- {name: registry.k8s.io/kueue/kueue, newTag: " +
           tag + "}\n";
  };
  const std::string file = "kustomization.yaml", now = kustomization("v0.19.2");
  CHECK(diff_of({file, now, kustomization("v0.10.0")}).out.find("it changes a release of Kueue") != std::string::npos);
}
