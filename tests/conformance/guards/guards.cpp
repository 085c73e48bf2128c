// Prints random cases, one a line of JSON, each with what gpol says of it (judge/main.go compares).
//   guards SEED COUNT
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "checker/guards/types.h"
#include "tests/conformance/guards/random_guards.h"

using namespace gpol;
using nlohmann::json;

namespace {

json selector(const Selector& from) {
  json out = json::object();
  if (!from.match_labels.empty()) out["matchLabels"] = from.match_labels;
  for (const auto& e : from.expressions)
    out["matchExpressions"].push_back({{"key", e.key}, {"operator", e.op}, {"values", e.values}});
  return out;
}

json rules(const std::vector<MatchResources::Rule>& from) {
  json out = json::array();
  for (const auto& rule : from)
    out.push_back({{"apiGroups", rule.groups},
                   {"apiVersions", rule.versions},
                   {"operations", rule.operations},
                   {"resources", rule.resources},
                   {"resourceNames", rule.names},
                   {"scope", rule.scope}});
  return out;
}

json match(const MatchResources& from) {
  return {{"resourceRules", rules(from.rules)},
          {"excludeResourceRules", rules(from.excluded)},
          {"namespaceSelector", selector(from.namespaces)},
          {"objectSelector", selector(from.objects)},
          {"matchPolicy", from.equivalent ? "Equivalent" : "Exact"}};
}

json policy_json(const AdmissionPolicy& from) {
  json spec = {{"failurePolicy", from.fails_closed ? "Fail" : "Ignore"}, {"matchConstraints", match(from.match)}};
  for (const auto& one : from.conditions)
    spec["matchConditions"].push_back({{"name", one.name}, {"expression", one.expression}});
  for (const auto& one : from.variables)
    spec["variables"].push_back({{"name", one.name}, {"expression", one.expression}});
  for (const auto& one : from.validations) spec["validations"].push_back({{"expression", one.expression}});
  return {{"metadata", {{"name", from.name}}}, {"spec", std::move(spec)}};
}

// As the API server takes each expression, whether something denies or not.
std::string exists(const AdmissionPolicy& policy) {
  AdmissionPolicy alone = policy;
  alone.params = false;
  const auto prepared = prepare_policies({alone}, {AdmissionBinding{"b", policy.name, {"Deny"}, {}}});
  return prepared[0].exists == Tri::Yes ? "yes" : prepared[0].exists == Tri::No ? "no" : "maybe";
}

void print_case(random_guards::Dice& dice) {
  const bool wild = !dice.one_in(3);
  const auto set = random_guards::policies(dice, wild);
  const cel::Value request = random_guards::request(dice);
  json line = {{"request", json::parse(cel::to_json(request))}};
  for (const auto& policy : set.policies) {
    line["policies"].push_back(policy_json(policy));
    line["exists"].push_back(exists(policy));
  }
  for (const auto& binding : set.bindings) {
    json spec = {{"policyName", binding.policy},
                 {"validationActions", binding.actions},
                 {"matchResources", match(binding.match)}};
    line["bindings"].push_back({{"metadata", {{"name", binding.name}}}, {"spec", std::move(spec)}});
  }
  const auto prepared = prepare_policies(set.policies, set.bindings);
  cel::Activation activation = activation_of(request);
  activation.variables = prepared[0].variables;
  for (const auto& validation : prepared[0].validations) {
    const cel::Result result = cel::evaluate(validation, activation);
    const bool* b = result.boolean();
    line["results"].push_back(b != nullptr ? (*b ? "true" : "false") : result.is_error() ? "error" : "unknown");
  }
  const Decision decision = admits(set.policies, set.bindings, {}, request);
  line["verdict"] = decision.kind == Decision::Kind::Admitted ? "admitted"
                    : decision.kind == Decision::Kind::Denied ? "denied"
                                                              : "unknown";
  std::cout << line.dump() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "guards SEED COUNT\n";
    return 2;
  }
  const auto seed = std::strtoull(argv[1], nullptr, 10), count = std::strtoull(argv[2], nullptr, 10);
  for (std::uint64_t i = 0; i < count; ++i) {
    random_guards::Dice dice(seed + i);
    print_case(dice);
  }
}
