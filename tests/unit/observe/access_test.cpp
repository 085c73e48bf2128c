#include "tests/support/catch.h"
#include "tests/unit/observe/manifests.h"

using namespace gpol;
using manifests::observe_text;

namespace {

const std::string kRole = R"(apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: gpol-writer}
rules:
  - {apiGroups: [""], resources: [namespaces], verbs: [get, patch]}
  - {apiGroups: [kueue.x-k8s.io], resources: [cohorts], resourceNames: [one], verbs: [patch]}
)";
const std::string kBinding = R"(apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: gpol-writer}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: gpol-writer}
subjects:
  - {kind: ServiceAccount, namespace: flux-system, name: kustomize-controller}
  - {kind: Group, apiGroup: rbac.authorization.k8s.io, name: platform}
)";

}  // namespace

TEST_CASE("roles and bindings are read whole") {
  const auto role = observe_text(kRole);
  CHECK(role.problems.empty());
  REQUIRE(role.cluster.roles.size() == 1);
  REQUIRE(role.cluster.roles[0].rules.size() == 2);
  CHECK(role.cluster.roles[0].rules[0].groups == std::vector<std::string>{""});
  CHECK(role.cluster.roles[0].rules[1].names == std::vector<std::string>{"one"});
  const auto binding = observe_text(kBinding);
  CHECK(binding.problems.empty());
  REQUIRE(binding.cluster.role_bindings.size() == 1);
  CHECK(binding.cluster.role_bindings[0].role == "gpol-writer");
  REQUIRE(binding.cluster.role_bindings[0].subjects.size() == 2);
  CHECK(binding.cluster.role_bindings[0].subjects[0].ns == "flux-system");
}

TEST_CASE("what the API server would refuse of them is a problem") {
  const auto refused = [](std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return !observe_text(text.replace(at, from.size(), to)).problems.empty();
  };
  CHECK(refused(kRole, "verbs: [patch]", "verbs: []"));
  CHECK(refused(kRole, "resources: [namespaces], ", ""));
  CHECK(refused(kRole, "verbs: [get, patch]", "verbs: [get, patch], nonResourceURLs: [/]"));
  CHECK(refused(kRole, "rules:", "aggregationRule: {}\nrules:"));
  CHECK(refused(kBinding, "kind: ClusterRole,", "kind: Role,"));
  CHECK(refused(kBinding, "kind: Group", "kind: Team"));
  CHECK(refused(kBinding, "namespace: flux-system, ", ""));
  CHECK(refused(kBinding, "apiGroup: rbac.authorization.k8s.io, name: platform", "name: platform"));
}

TEST_CASE("a role of ours gathers nothing") {
  // It is what was planned, and no more: whatever else it says is reported (verify reads it, bundles access-*).
  const auto role = observe_text(kRole + "aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}\n");
  REQUIRE(role.problems.size() == 1);
  CHECK(role.problems[0].field == "aggregationRule");
}
