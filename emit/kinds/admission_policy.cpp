// ValidatingAdmissionPolicy and its binding (admissionregistration.k8s.io/v1, Kubernetes 1.30 and later).
#include <utility>

#include "emit/kinds/kinds.h"

namespace gpol::kinds {

namespace {

constexpr const char* kApi = "admissionregistration.k8s.io/v1";

yaml::List rules(const std::vector<MatchResources::Rule>& list) {
  yaml::List out;
  for (const MatchResources::Rule& rule : list) {
    yaml::Map map{{"apiGroups", string_list(rule.groups)},
                  {"apiVersions", string_list(rule.versions)},
                  {"operations", string_list(rule.operations)},
                  {"resources", string_list(rule.resources)}};
    add_unless_empty(map, "resourceNames", string_list(rule.names));
    map.emplace_back("scope", rule.scope);
    out.emplace_back(std::move(map));
  }
  return out;
}

bool selects_all(const Selector& selector) {
  return selector.present && selector.match_labels.empty() && selector.expressions.empty();
}

// The API server's defaults written out: an empty selector is everything.
yaml::Map match_resources(const MatchResources& match) {
  yaml::Map map{{"matchPolicy", match.equivalent ? "Equivalent" : "Exact"}};
  if (!selects_all(match.namespaces)) map.emplace_back("namespaceSelector", label_selector(match.namespaces));
  if (!selects_all(match.objects)) map.emplace_back("objectSelector", label_selector(match.objects));
  add_unless_empty(map, "resourceRules", rules(match.rules));
  add_unless_empty(map, "excludeResourceRules", rules(match.excluded));
  return map;
}

yaml::List named(const std::vector<AdmissionPolicy::Named>& list) {
  yaml::List out;
  for (const auto& [name, expression] : list) out.emplace_back(yaml::Map{{"name", name}, {"expression", expression}});
  return out;
}

}  // namespace

yaml::Value admission_policy(const AdmissionPolicy& policy) {
  yaml::Map spec{{"failurePolicy", policy.fails_closed ? "Fail" : "Ignore"},
                 {"matchConstraints", match_resources(policy.match)}};
  add_unless_empty(spec, "matchConditions", named(policy.conditions));
  add_unless_empty(spec, "variables", named(policy.variables));
  yaml::List validations;
  for (const auto& [expression, message] : policy.validations)
    validations.emplace_back(yaml::Map{{"expression", expression}, {"message", message}});
  spec.emplace_back("validations", std::move(validations));
  return with(object({.api_version = kApi, .kind = "ValidatingAdmissionPolicy", .name = policy.name}), "spec",
              std::move(spec));
}

yaml::Value admission_binding(const AdmissionBinding& binding) {
  yaml::Map spec{{"policyName", binding.policy}, {"validationActions", string_list(binding.actions)}};
  const bool all = binding.match.rules.empty() && binding.match.excluded.empty() &&
                   selects_all(binding.match.namespaces) && selects_all(binding.match.objects);
  if (!all) spec.emplace_back("matchResources", match_resources(binding.match));
  return with(object({.api_version = kApi, .kind = "ValidatingAdmissionPolicyBinding", .name = binding.name}), "spec",
              std::move(spec));
}

}  // namespace gpol::kinds
