#include "checker/guards/guard.h"

#include "tests/support/catch.h"
#include "tests/unit/guards/support.h"

using namespace gpol;
using namespace gpol::guard_test;

namespace {

using D = Decision::Kind;

const std::string kCreate =
    R"({"operation": "CREATE", "resource": {"group": "", "version": "v1", "resource": "pods"}, "name": "p",
  "namespace": "train", "userInfo": {"username": "u"}, "object": {"metadata": {"labels": {"team": "a"}}, "spec": {"x": 1}}})";

int decide(const Cluster& cluster, const std::string& request = kCreate) {
  return static_cast<int>(
      admits(cluster.admission_policies, cluster.admission_bindings, cluster.namespaces, json(request)).kind);
}
constexpr int kAdmitted = static_cast<int>(D::Admitted), kDenied = static_cast<int>(D::Denied),
              kUnknown = static_cast<int>(D::Unknown);

}  // namespace

TEST_CASE("a policy denies what its rules name") {
  Cluster cluster = guarded(about("", "pods"), {"false"});
  MatchResources& match = cluster.admission_policies[0].match;
  CHECK(decide(cluster) == kDenied);
  SECTION("resources") {
    match.rules[0].resources = {"*"};
    CHECK(decide(cluster) == kDenied);
    match.rules[0].resources = {"pods/status", "pods/binding"};
    CHECK(decide(cluster) == kAdmitted);
    match.rules[0].resources = {"pods/*"};  // the pods and every subresource
    CHECK(decide(cluster) == kDenied);
    match.rules[0].resources = {"*/*"};
    CHECK(decide(cluster) == kDenied);
  }
  SECTION("operations") {
    match.rules[0].operations = {"UPDATE"};
    CHECK(decide(cluster) == kAdmitted);
    match.rules[0].operations = {"*"};
    CHECK(decide(cluster) == kDenied);
  }
  SECTION("versions, groups, scope, names") {
    match.rules[0].versions = {"v1beta1"};
    CHECK(decide(cluster) == kAdmitted);  // pods have no other version
    match.rules[0].versions = {"*"};
    match.rules[0].groups = {"apps"};
    CHECK(decide(cluster) == kAdmitted);
    match.rules[0].groups = {"*"};
    match.rules[0].scope = "Cluster";
    CHECK(decide(cluster) == kAdmitted);
    match.rules[0].scope = "Namespaced";
    CHECK(decide(cluster) == kDenied);
    match.rules[0].names = {"q"};
    CHECK(decide(cluster) == kAdmitted);
    match.rules[0].names = {"p"};
    CHECK(decide(cluster) == kDenied);
  }
  SECTION("excluded rules") {
    match.excluded = match.rules;
    CHECK(decide(cluster) == kAdmitted);
  }
  SECTION("the object, or the one before") {
    match.objects.match_labels.emplace("team", "b");
    CHECK(decide(cluster) == kAdmitted);
    std::string update = kCreate;
    update.replace(update.find("CREATE"), 6, "UPDATE");
    update.insert(update.size() - 1, R"(, "oldObject": {"metadata": {"labels": {"team": "b"}}})");
    CHECK(decide(cluster, update) == kDenied);
  }
  SECTION("the namespace") {
    match.namespaces.match_labels.emplace("kubernetes.io/metadata.name", "train");
    CHECK(decide(cluster) == kDenied);
    match.namespaces.match_labels.emplace("team", "x");
    CHECK(decide(cluster) == kUnknown);
    match.namespaces.match_labels.begin()->second = "other";
    CHECK(decide(cluster) == kAdmitted);
  }
  SECTION("the binding's own") {
    cluster.admission_bindings[0].match = about("", "pods", {"UPDATE"});
    CHECK(decide(cluster) == kAdmitted);
  }
  SECTION("actions") {
    cluster.admission_bindings[0].actions = {"Warn", "Audit"};
    CHECK(decide(cluster) == kAdmitted);
  }
}

TEST_CASE("conditions, variables and failures") {
  Cluster cluster = guarded(about("", "pods"), {"object.spec.none == 1"});
  AdmissionPolicy& policy = cluster.admission_policies[0];
  CHECK(decide(cluster) == kDenied);
  policy.fails_closed = false;
  CHECK(decide(cluster) == kAdmitted);
  policy.validations.push_back({"object.spec.x != 1", ""});
  CHECK(decide(cluster) == kDenied);
  policy.conditions = {{"error", "object.spec.none == 2"}};
  CHECK(decide(cluster) == kAdmitted);
  policy.fails_closed = true;
  CHECK(decide(cluster) == kDenied);
  policy.conditions.push_back({"no", "object.spec.x == 2"});  // one that is false outweighs one that fails
  CHECK(decide(cluster) == kAdmitted);
  policy.conditions.clear();
  policy.variables = {{"x", "object.spec.x"}, {"twice", "variables.x * 2"}};
  policy.validations = {{"variables.twice == 2", ""}};
  CHECK(decide(cluster) == kAdmitted);
  policy.validations = {{"variables.twice == 3", ""}};
  CHECK(decide(cluster) == kDenied);
  policy.conditions = {{"variables", "variables.x == 1"}};  // the API server refuses this
  CHECK(decide(cluster) == kAdmitted);
  policy.conditions.clear();
  policy.variables[0].expression = "isURL('x')";
  CHECK(decide(cluster) == kUnknown);
}
