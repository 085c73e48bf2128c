// ValidatingAdmissionPolicy and its binding (admissionregistration.k8s.io/v1, Kubernetes 1.30 and later).
#include <utility>

#include "emit/kinds/kinds.h"
#include "emit/kinds/selector.h"

namespace gpol::kinds {

namespace {

constexpr const char* kApi = "admissionregistration.k8s.io/v1";

yaml::List texts(const std::vector<std::string>& list) { return {list.begin(), list.end()}; }

yaml::List rules(const std::vector<MatchResources::Rule>& list) {
  yaml::List out;
  for (const MatchResources::Rule& rule : list) {
    yaml::Map map;
    map.emplace_back("apiGroups", texts(rule.groups));
    map.emplace_back("apiVersions", texts(rule.versions));
    map.emplace_back("operations", texts(rule.operations));
    map.emplace_back("resources", texts(rule.resources));
    if (!rule.names.empty()) map.emplace_back("resourceNames", texts(rule.names));
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
  yaml::Map map;
  map.emplace_back("matchPolicy", match.equivalent ? "Equivalent" : "Exact");
  if (!selects_all(match.namespaces)) map.emplace_back("namespaceSelector", label_selector(match.namespaces));
  if (!selects_all(match.objects)) map.emplace_back("objectSelector", label_selector(match.objects));
  if (!match.rules.empty()) map.emplace_back("resourceRules", rules(match.rules));
  if (!match.excluded.empty()) map.emplace_back("excludeResourceRules", rules(match.excluded));
  return map;
}

yaml::List named(const std::vector<AdmissionPolicy::Named>& list) {
  yaml::List out;
  for (const auto& [name, expression] : list) out.emplace_back(yaml::Map{{"name", name}, {"expression", expression}});
  return out;
}

}  // namespace

yaml::Value admission_policy(const AdmissionPolicy& policy) {
  yaml::Map spec;
  spec.emplace_back("failurePolicy", policy.fails_closed ? "Fail" : "Ignore");
  spec.emplace_back("matchConstraints", match_resources(policy.match));
  if (!policy.conditions.empty()) spec.emplace_back("matchConditions", named(policy.conditions));
  if (!policy.variables.empty()) spec.emplace_back("variables", named(policy.variables));
  yaml::List validations;
  for (const auto& [expression, message] : policy.validations)
    validations.emplace_back(yaml::Map{{"expression", expression}, {"message", message}});
  spec.emplace_back("validations", std::move(validations));
  yaml::Map map = object({.api_version = kApi, .kind = "ValidatingAdmissionPolicy", .name = policy.name});
  map.emplace_back("spec", std::move(spec));
  return map;
}

yaml::Value admission_binding(const AdmissionBinding& binding) {
  yaml::Map spec;
  spec.emplace_back("policyName", binding.policy);
  spec.emplace_back("validationActions", texts(binding.actions));
  const bool all = binding.match.rules.empty() && binding.match.excluded.empty() &&
                   selects_all(binding.match.namespaces) && selects_all(binding.match.objects);
  if (!all) spec.emplace_back("matchResources", match_resources(binding.match));
  yaml::Map map = object({.api_version = kApi, .kind = "ValidatingAdmissionPolicyBinding", .name = binding.name});
  map.emplace_back("spec", std::move(spec));
  return map;
}

}  // namespace gpol::kinds
