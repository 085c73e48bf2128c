#include "checker/observe/rests.h"

#include "tests/support/catch.h"

using gpol::manifest::Rests;
using gpol::manifest::rests_on;

TEST_CASE("rests: what a text names that a verdict rests on") {
  const auto is = [](Rests rests, std::string_view text) {
    INFO(text);
    CHECK(rests_on(text) == rests);
  };
  for (const char* text :
       {"", "# Node pools, and kinds of queues\n", "kind: Service\nspec: {selector: {app: {{ x }}}}\n",
        "title: kindly say which nodes\nowners: [@a]\n", "apiVersion: apps/v1\nkind: {{ .Values.kind }}\n",
        "apiVersion: v1\nkind: ConfigMap\ndata: {dashboard: clusterqueues}\n",
        "apiVersion: serving.knative.dev/v1\nkind: Configuration\n",
        "apiVersion: {{ api }}\nkind: HPA\nscaleTargetRef: {kind: {{ kind }}}\n",
        "kind: Job\nmetadata: {labels: {kueue.x-k8s.io/queue-name: a}}\n", "honorTimestamps: {{ x }}\n"})
    is(Rests::Nothing, text);
  for (const char* text :
       {"kind: Job\nmetadata: {labels: {kueue.x-k8s.io/priority-class: a}}\n", "a: \"x\\nmps: {}\"\n", "{\"mps\": {}}",
        "kind: Deployment\nlimits: {nvidia.com/gpu: 1}\n", "resourceClaims: [{name: gpu}]\n", "kind: Node\n",
        "kind: ClusterRoleBinding\n", "apiVersion: {{ api }}\nkind: PriorityClass\n"})
    is(Rests::Premises, text);
  for (const char* text :
       {"apiVersion: kueue.x-k8s.io/v1beta2\n", "apiVersion : \"kueue.x-k8s.io/v1beta1\"\nkind: {{ kind }}\n",
        "{\"apiVersion\":\"kueue.x-k8s.io/v1beta2\"", "x: \"{\\\"apiVersion\\\": \\\"kueue.x-k8s.io/v1beta2\\\"}\"",
        "kind:\n  ClusterQueue\n", "kind: 'Cohort'\n", "kind: {\n",
        "apiVersion: kueue.x-k8s/v1beta2\nkind: ClusterQueue\n", "apiVersion: kueue.openshift.io/v1\nkind: Kueue\n",
        "text: |\n  apiVersion: config.kueue.x-k8s.io/v1beta2\n"})
    is(Rests::Figures, text);
  is(Rests::Figures, std::string_view("a\0:\0", 4));
}
