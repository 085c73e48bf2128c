// ValidatingAdmissionPolicy and its binding: admissionregistration.k8s.io/v1, defaults as in Kubernetes'
// pkg/apis/admissionregistration/v1/defaults.go. Expressions are kept as text; what cannot be understood denies
// nothing.
#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {
namespace {

std::vector<MatchResources::Rule> read_rules(const View& view, std::string_view key) {
  std::vector<MatchResources::Rule> rules;
  const auto read = [&](const View& item) {
    MatchResources::Rule rule;
    const auto required = [&](std::string_view name) {
      auto words = item.texts(name);
      if (words.empty()) item.problem(name, "must not be empty");
      return words;
    };
    rule.groups = required("apiGroups");
    rule.versions = required("apiVersions");
    rule.operations = required("operations");
    rule.resources = required("resources");
    rule.names = item.texts("resourceNames");
    rule.scope = item.text("scope").value_or("*");
    if (rule.scope != "*" && rule.scope != "Cluster" && rule.scope != "Namespaced")
      item.problem("scope", shown(rule.scope) + " is none of *, Cluster, Namespaced");
    for (const auto& operation : rule.operations)
      if (operation != "*" && operation != "CREATE" && operation != "UPDATE" && operation != "DELETE" &&
          operation != "CONNECT")
        item.problem("operations", shown(operation) + " is none of *, CREATE, UPDATE, DELETE, CONNECT");
    item.finish();
    rules.push_back(std::move(rule));
  };
  view.each_map(key, read, kMostItems);
  return rules;
}

MatchResources read_match(const View& view) {
  MatchResources match;
  const auto selector = [&](std::string_view key) {
    Selector read = read_selector(view, key);
    read.present = true;  // absent is everything
    return read;
  };
  match.namespaces = selector("namespaceSelector");
  match.objects = selector("objectSelector");
  match.rules = read_rules(view, "resourceRules");
  match.excluded = read_rules(view, "excludeResourceRules");
  static constexpr std::pair<std::string_view, bool> words[] = {{"Equivalent", true}, {"Exact", false}};
  match.equivalent = view.choice<bool>("matchPolicy", words, true);
  view.finish();
  return match;
}

std::vector<AdmissionPolicy::Named> read_named(const View& spec, std::string_view key) {
  std::vector<AdmissionPolicy::Named> out;
  const auto read = [&](const View& item) {
    out.push_back({item.required_text("name"), item.required_text("expression")});
    item.finish();
  };
  spec.each_map(key, read, kMostItems);
  return out;
}

}  // namespace

void read_admission_policy(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "ValidatingAdmissionPolicy", Scope::Cluster);
  AdmissionPolicy policy;
  if (const auto spec = object.required_map("spec")) {
    static constexpr std::pair<std::string_view, bool> words[] = {{"Fail", true}, {"Ignore", false}};
    policy.fails_closed = spec->choice<bool>("failurePolicy", words, true);
    policy.params = spec->has("paramKind");
    spec->ignore("paramKind", Node::Kind::Map);  // with it the policy is taken to deny nothing
    if (const auto match = spec->map("matchConstraints")) policy.match = read_match(*match);
    policy.conditions = read_named(*spec, "matchConditions");
    policy.variables = read_named(*spec, "variables");
    const auto read = [&](const View& item) {
      policy.validations.push_back({item.required_text("expression"), item.text("message").value_or("")});
      for (const auto* key : {"messageExpression", "reason"}) item.ignore(key, Node::Kind::Text);  // for people
      item.finish();
    };
    spec->each_map("validations", read, kMostItems);
    spec->ignore("auditAnnotations", Node::Kind::List);
    spec->finish();
  }
  keep(object, metadata, policy, draft.cluster.admission_policies);
}

void read_admission_binding(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "ValidatingAdmissionPolicyBinding", Scope::Cluster);
  AdmissionBinding binding;
  if (const auto spec = object.required_map("spec")) {
    binding.policy = spec->required_text("policyName");
    binding.actions = spec->texts("validationActions");
    if (binding.actions.empty()) spec->problem("validationActions", "must not be empty");
    if (const auto match = spec->map("matchResources")) binding.match = read_match(*match);
    spec->ignore("paramRef", Node::Kind::Map);
    spec->finish();
  }
  keep(object, metadata, binding, draft.cluster.admission_bindings);
}

}  // namespace gpol::manifest
