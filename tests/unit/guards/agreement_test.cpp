// The symbolic answer against the concrete one: where reach() says Denied, no random request may be bad and admitted.
#include <map>

#include "checker/guards/reach.h"
#include "tests/conformance/guards/random_guards.h"
#include "tests/support/catch.h"

using namespace gpol;

TEST_CASE("what is said to be denied is denied: random guards, random requests", "[slow]") {
  std::map<std::string, std::vector<cel::Value>> requests;  // by operation and subresource
  random_guards::Dice dice(7);
  for (int i = 0; i < 3000; ++i) {
    cel::Value request = random_guards::request(dice);
    const auto text = [&](const char* name) {
      const auto* found = cel::member(&request, name);
      return found == nullptr ? std::string() : *found->as<std::string>();
    };
    requests[text("operation") + "/" + text("subResource")].push_back(std::move(request));
  }
  Solver solver;
  std::map<Reach::Kind, int> count;
  for (int i = 0; i < 400; ++i) {
    Cluster cluster;
    auto set = random_guards::policies(dice, false);
    cluster.admission_policies = std::move(set.policies);
    cluster.admission_bindings = std::move(set.bindings);
    const std::string bad = dice.one_in(3) ? "!(" + cluster.admission_policies[0].validations[0].expression + ")"
                                           : random_guards::expression(dice, 2, false);
    const AdmissionTarget target{dice.of({"CREATE", "UPDATE", "DELETE"}), "",  "v1", "pods",
                                 dice.one_in(4) ? "status" : "",          true};
    const Reach reach = gpol::reach(cluster, {{target}, bad}, solver);
    ++count[reach.kind];
    if (reach.kind != Reach::Kind::Denied) continue;
    const auto parsed = cel::parse(bad);
    const auto prepared = prepare_policies(cluster.admission_policies, cluster.admission_bindings);
    for (const auto& request : requests.at(target.operation + "/" + target.subresource)) {
      const auto result = cel::evaluate(parsed.expr, activation_of(request));
      if (result.boolean() == nullptr || !*result.boolean()) continue;
      INFO(bad << "\n" << cluster.admission_policies[0].validations[0].expression << "\n" << cel::to_json(request));
      CHECK(admits(prepared, {}, request).kind != Decision::Kind::Admitted);
    }
  }
  INFO(count[Reach::Kind::Denied] << " denied, " << count[Reach::Kind::Admitted] << " admitted, "
                                  << count[Reach::Kind::Unknown] << " unknown");
  CHECK(count[Reach::Kind::Denied] >= 40);
  CHECK(count[Reach::Kind::Admitted] >= 100);
  CHECK(count[Reach::Kind::Unknown] <= 60);
}

// Operators: apimachinery pkg/labels/selector.go (Requirement.Matches).
TEST_CASE("what is said to be denied is denied: each operator of a selector, each state of the label") {
  struct State {
    const char* label;  // null: it is not there
    const char* bad;
  };
  const State states[] = {
      {nullptr, "!has(object.metadata.labels) || !('team' in object.metadata.labels)"},
      {"a", "has(object.metadata.labels) && 'team' in object.metadata.labels && object.metadata.labels['team'] == 'a'"},
      {"b",
       "has(object.metadata.labels) && 'team' in object.metadata.labels && object.metadata.labels['team'] == 'b'"}};
  struct Operator {
    const char* name;
    bool selects[3];
  };
  const Operator operators[] = {{"In", {false, true, false}},
                                {"NotIn", {true, false, true}},
                                {"Exists", {false, true, true}},
                                {"DoesNotExist", {true, false, false}}};
  const AdmissionTarget target{"CREATE", "", "v1", "pods", "", true};
  Solver solver;
  random_guards::Dice dice(3);
  cel::Value request = random_guards::request(dice);
  for (const Operator& op : operators)
    for (std::size_t s = 0; s < std::size(states); ++s) {
      Cluster cluster;
      AdmissionPolicy policy;
      policy.name = "policy";
      policy.match.rules = {{{""}, {"v1"}, {"*"}, {"pods"}, {}, {}}};
      policy.match.namespaces.present = policy.match.objects.present = true;
      policy.match.objects.expressions = {{"team", op.name, {}}};
      if (std::string_view(op.name).ends_with("In")) policy.match.objects.expressions[0].values = {"a", "c"};
      policy.validations = {{"false", ""}};
      AdmissionBinding binding{"binding", "policy", {"Deny"}, {}};
      binding.match.namespaces.present = binding.match.objects.present = true;
      cluster.admission_policies = {policy};
      cluster.admission_bindings = {binding};
      cel::Map map = *request.as<cel::Map>(), metadata{{"name", "a"}};
      if (states[s].label != nullptr) metadata["labels"] = cel::Map{{"team", states[s].label}};
      map["operation"] = "CREATE";
      map.erase("subResource");
      map.erase("oldObject");
      map["object"] = cel::Map{{"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", std::move(metadata)}};
      const auto prepared = prepare_policies(cluster.admission_policies, cluster.admission_bindings);
      INFO(op.name << " of " << states[s].bad);
      CHECK(gpol::reach(cluster, {{target}, states[s].bad}, solver).kind ==
            (op.selects[s] ? Reach::Kind::Denied : Reach::Kind::Admitted));
      CHECK(admits(prepared, {}, std::move(map)).kind ==
            (op.selects[s] ? Decision::Kind::Denied : Decision::Kind::Admitted));
    }
}
