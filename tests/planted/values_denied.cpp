// Guards of one or two comparisons against every request of a small world: what is said to be denied, no request in it
// gets past; and where two such conditions have a request between them, it is found.
#include "checker/guards/reach.h"
#include "tests/conformance/guards/random_guards.h"
#include "tests/support/catch.h"

using namespace gpol;

namespace {

using random_guards::Dice;
const std::vector<std::string> kNames = {"a", "ab", "ba", "bab", "3", "-3", "x"};

std::string compared(Dice& dice) {
  const std::string name = "object.spec.name", part = dice.of({"'a'", "'b'", "'ab'"});
  const std::string order = dice.of({" < ", " <= ", " > ", " >= ", " == "});
  switch (dice.below(4)) {
    case 0:
      return name + "." + dice.of({"startsWith", "endsWith", "contains"}) + "(" + part + ")";
    case 1:
      return "int(" + name + ")" + order + std::to_string(dice.below(5) - 2);
    case 2:
      return dice.of({"'team'", "'tier'"}) + " in object.metadata.labels";
    default:
      return "object.spec.grace" + order + std::to_string(dice.below(3));
  }
}

std::string condition(Dice& dice) {
  std::string text = (dice.one_in(2) ? "!(" : "(") + compared(dice) + ")";
  if (dice.one_in(2)) text += dice.of({" && ", " || "}) + (dice.one_in(2) ? "!(" : "(") + compared(dice) + ")";
  return text;
}

std::vector<cel::Value> every_request() {
  std::vector<cel::Value> all;
  Dice dice(3);
  cel::Value request = random_guards::request(dice);
  for (const std::string& name : kNames)
    for (int grace = 0; grace < 4; ++grace)
      for (int labels = 0; labels < 3; ++labels) {
        cel::Map map = *request.as<cel::Map>(), metadata{{"name", "a"}};
        if (labels > 0) metadata["labels"] = cel::Map{{labels == 1 ? "team" : "tier", "a"}};
        map["operation"] = "CREATE";
        map.erase("subResource");
        map.erase("oldObject");
        map["object"] = cel::Map{{"apiVersion", "v1"},
                                 {"kind", "Pod"},
                                 {"metadata", std::move(metadata)},
                                 {"spec", cel::Map{{"name", name}, {"grace", grace}}}};
        all.emplace_back(std::move(map));
      }
  return all;
}

}  // namespace

TEST_CASE("comparisons: no request of a small world gets past what is said to deny it") {
  const auto requests = every_request();
  Dice dice(21);
  Solver solver;
  std::map<Reach::Kind, int> count;
  for (int i = 0; i < 500; ++i) {
    Cluster cluster;
    AdmissionPolicy policy;
    policy.name = "policy";
    policy.fails_closed = dice.one_in(2);
    policy.match.namespaces.present = policy.match.objects.present = true;
    MatchResources::Rule rule;
    rule.groups = {""};
    rule.versions = {"v1"};
    rule.operations = {"*"};
    rule.resources = {"pods"};
    policy.match.rules = {rule};
    policy.validations = {{condition(dice), ""}};
    AdmissionBinding binding{"binding", "policy", {"Deny"}, {}};
    binding.match.namespaces.present = binding.match.objects.present = true;
    cluster.admission_policies = {policy};
    cluster.admission_bindings = {binding};
    const std::string bad = condition(dice);
    const Reach reach = gpol::reach(cluster, {{{"CREATE", "", "v1", "pods", "", true}}, bad}, solver);
    ++count[reach.kind];
    if (reach.kind == Reach::Kind::Admitted) continue;
    const auto parsed = cel::parse(bad);
    const auto prepared = prepare_policies(cluster.admission_policies, cluster.admission_bindings);
    for (const auto& request : requests) {
      const auto result = cel::evaluate(parsed.expr, activation_of(request));
      if (result.boolean() == nullptr || !*result.boolean()) continue;
      INFO(bad << "\n" << policy.validations[0].expression << "\n" << cel::to_json(request));
      if (reach.kind == Reach::Kind::Denied) CHECK(admits(prepared, {}, request).kind != Decision::Kind::Admitted);
    }
  }
  INFO(count[Reach::Kind::Denied] << " denied, " << count[Reach::Kind::Admitted] << " admitted, "
                                  << count[Reach::Kind::Unknown] << " unknown");
  CHECK(count[Reach::Kind::Denied] >= 12);
  CHECK(count[Reach::Kind::Admitted] >= 100);
  CHECK(count[Reach::Kind::Unknown] <= 100);
}
