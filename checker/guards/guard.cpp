#include "checker/guards/guard.h"

#include <algorithm>
#include <utility>

#include "checker/guards/types.h"
#include "compiler/source/lookup.h"

namespace gpol {

using cel::Value;

namespace {

constexpr std::string_view kNameLabel = "kubernetes.io/metadata.name";

std::string text_at(const Value& value, std::initializer_list<std::string_view> path) {
  const Value* found = cel::at(value, path);
  const auto* text = found == nullptr ? nullptr : found->as<std::string>();
  return text == nullptr ? "" : *text;
}

// What makes a policy impossible outranks what makes it doubtful.
void doubt(PreparedPolicy& policy, Tri exists, std::string why) {
  if (exists >= policy.exists) return;
  policy.exists = exists;
  policy.why = std::move(why);
}

cel::ExprPtr prepare(PreparedPolicy& policy, const std::string& text, const std::string& what, cel::TypeScope& scope,
                     const std::string* variable) {
  const cel::Parsed parsed = cel::parse(text);
  if (!parsed.expr) {
    doubt(policy, Tri::No, what + ": " + parsed.error);
    if (variable != nullptr) scope.variables[*variable] = {};
    return nullptr;
  }
  cel::Checked checked = cel::check(parsed.expr, scope);
  if (checked.ok() && variable == nullptr && checked.type.kind != cel::Type::Kind::Bool)
    checked = {cel::Checked::Verdict::Refused, {}, "is no boolean"};
  if (!checked.ok())
    doubt(policy, checked.verdict == cel::Checked::Verdict::Refused ? Tri::No : Tri::Maybe, what + ": " + checked.why);
  if (variable != nullptr) {
    const bool structure = checked.type.kind == cel::Type::Kind::Struct;  // composition.go: declared as open
    scope.variables[*variable] = structure ? cel::Type{} : checked.type;
  }
  return parsed.expr;
}

class ObjectLabels : public Labels {
 public:
  explicit ObjectLabels(const Value* object)
      : labels_(object == nullptr ? nullptr : cel::at(*object, {"metadata", "labels"})) {}
  Found find(const std::string& key) const override {
    const Value* found = cel::member(labels_, key);
    const auto* text = found == nullptr ? nullptr : found->as<std::string>();
    return {true, text == nullptr ? std::nullopt : std::optional(*text)};
  }

 private:
  const Value* labels_;
};

class NamespaceLabels : public Labels {
 public:
  NamespaceLabels(std::string name, const Value* object, const std::vector<Namespace>& all)
      : name_(std::move(name)), object_(object), all_(all) {}
  Found find(const std::string& key) const override {
    if (object_ != nullptr) return ObjectLabels(object_).find(key);
    if (key == kNameLabel) return {true, name_};
    if (key.starts_with("gpol.dev/"))
      for (const Namespace& one : all_)
        if (one.name == name_) {
          const auto found = one.labels.find(key);
          return {true, found == one.labels.end() ? std::nullopt : std::optional(found->second)};
        }
    return {false, std::nullopt};
  }

 private:
  std::string name_;
  const Value* object_;
  const std::vector<Namespace>& all_;
};

struct Asked {
  const Value& request;
  const std::vector<Namespace>& namespaces;
  AdmissionTarget target;
  std::string name, ns;
};

AdmissionTarget target_of(const Value& request) {
  AdmissionTarget target;
  target.operation = text_at(request, {"operation"});
  target.group = text_at(request, {"resource", "group"});
  target.version = text_at(request, {"resource", "version"});
  target.resource = text_at(request, {"resource", "resource"});
  target.subresource = text_at(request, {"subResource"});
  target.namespaced = !text_at(request, {"namespace"}).empty();
  return target;
}

const Value* object_of(const Value& request, const char* which) {
  const Value* object = cel::member(&request, which);
  return object == nullptr || object->as<cel::Map>() == nullptr ? nullptr : object;
}

Tri in_namespace(const Selector& selector, const Asked& asked) {
  const bool is_namespace = asked.target.resource == "namespaces";
  if (asked.ns.empty() && !is_namespace) return Tri::Yes;  // cluster-scoped: never exempted
  if (selects_all(selector)) return Tri::Yes;
  const bool writes = asked.target.operation == "CREATE" || asked.target.operation == "UPDATE";
  if (is_namespace && asked.target.subresource.empty() && writes)
    return selects(selector, ObjectLabels(object_of(asked.request, "object")));
  return selects(selector, NamespaceLabels(asked.ns, object_of(asked.request, "namespaceObject"), asked.namespaces));
}

Tri is_object(const Selector& selector, const Asked& asked) {
  if (selects_all(selector)) return Tri::Yes;
  Tri any = Tri::No;
  for (const char* which : {"object", "oldObject"})
    if (const Value* object = object_of(asked.request, which))
      any = either(any, selects(selector, ObjectLabels(object)));
  return any;
}

Tri ruled(const std::vector<MatchResources::Rule>& rules, bool equivalent, const Asked& asked) {
  const RuleReach reach = rules_reach(rules, equivalent, asked.target);
  return contains(reach.names, asked.name) ? Tri::Yes : reach.any_name;
}

Tri matches(const MatchResources& match, bool of_policy, const Asked& asked) {
  Tri all = both(in_namespace(match.namespaces, asked), is_object(match.objects, asked));
  all = both(all, negation(ruled(match.excluded, match.equivalent, asked)));
  if (of_policy || !match.rules.empty()) all = both(all, ruled(match.rules, match.equivalent, asked));
  return all;
}

// What a matching policy says: Yes: it denies.
Tri denies(const PreparedPolicy& policy, cel::Activation activation, std::string& why) {
  const Tri failed = policy.policy->fails_closed ? Tri::Yes : Tri::No;
  Value in = std::exchange(activation.names["namespaceObject"], Value());  // conditions do not see it (matcher.go)
  Tri error = Tri::No;
  for (const auto& condition : policy.conditions) {
    const cel::Result result = cel::evaluate(condition, activation);
    const bool* met = result.boolean();
    if (met != nullptr && !*met) return Tri::No;
    if (met == nullptr) error = either(error, result.is_unknown() ? Tri::Maybe : Tri::Yes), why = result.why;
  }
  if (error == Tri::Yes) return failed;
  activation.names["namespaceObject"] = std::move(in);
  activation.variables = policy.variables;
  Tri denied = Tri::No;
  for (const auto& validation : policy.validations) {
    const cel::Result result = cel::evaluate(validation, activation);
    const bool* holds = result.boolean();
    const Tri one = holds != nullptr ? (*holds ? Tri::No : Tri::Yes) : result.is_unknown() ? Tri::Maybe : failed;
    if (one > denied) denied = one, why = result.is_value() ? "it does not hold" : result.why;
  }
  if (error == Tri::No) return denied;
  return failed == Tri::Yes || denied != Tri::No ? Tri::Maybe : Tri::No;  // not known, or an error, or not its business
}

Decision by_one(const PreparedPolicy& policy, const Asked& asked, const cel::Activation& activation) {
  Decision out{Decision::Kind::Admitted, "", ""};
  if (policy.exists == Tri::No || exempt_from_policies(asked.target.group, asked.target.resource)) return out;
  Tri bound = Tri::No;
  for (const AdmissionBinding* binding : policy.bindings) bound = either(bound, matches(binding->match, false, asked));
  Tri denied = both(bound, matches(policy.policy->match, true, asked));
  if (denied == Tri::No) return out;
  std::string why = "it is not known whether it is about this request";
  denied = both(denied, denies(policy, activation, why));
  if (policy.exists == Tri::Maybe) why = policy.why;
  denied = both(denied, policy.exists);
  if (denied == Tri::No) return out;
  return {denied == Tri::Yes ? Decision::Kind::Denied : Decision::Kind::Unknown, policy.policy->name, why};
}

Asked asked_of(const std::vector<Namespace>& namespaces, const Value& request) {
  return {request, namespaces, target_of(request), text_at(request, {"name"}), text_at(request, {"namespace"})};
}

}  // namespace

void match_as(PreparedPolicy& prepared, const AdmissionPolicy& policy, const std::vector<AdmissionBinding>& bindings) {
  prepared.policy = &policy;
  prepared.bindings.clear();
  for (const AdmissionBinding& binding : bindings)
    if (binding.policy == policy.name && contains(binding.actions, "Deny")) prepared.bindings.push_back(&binding);
  prepared.listed.clear();
  for (const auto& expression : policy.match.namespaces.expressions)
    prepared.listed.insert(prepared.listed.end(), expression.values.begin(), expression.values.end());
  std::ranges::sort(prepared.listed);
}

std::vector<PreparedPolicy> prepare_policies(const std::vector<AdmissionPolicy>& policies,
                                             const std::vector<AdmissionBinding>& bindings) {
  std::vector<PreparedPolicy> prepared;
  for (const AdmissionPolicy& policy : policies) {
    PreparedPolicy& out = prepared.emplace_back();
    match_as(out, policy, bindings);
    if (policy.params) doubt(out, Tri::No, "it takes parameters, which are not modelled");
    cel::TypeScope conditions{{}, false}, scope;
    for (const auto& condition : policy.conditions)
      out.conditions.push_back(prepare(out, condition.expression, "condition " + condition.name, conditions, nullptr));
    for (const auto& variable : policy.variables) {
      if (out.variables.count(variable.name) != 0) doubt(out, Tri::No, "the variable " + variable.name + " twice");
      out.variables[variable.name] =
          prepare(out, variable.expression, "variable " + variable.name, scope, &variable.name);
    }
    for (const auto& validation : policy.validations)
      out.validations.push_back(prepare(out, validation.expression, "validation", scope, nullptr));
    if (out.bindings.empty()) doubt(out, Tri::No, "no binding of it denies");
    for (const auto* expressions : {&out.conditions, &out.validations})
      for (const cel::ExprPtr& expr : *expressions) collect_words(expr, out.words);
    for (const auto& [name, expr] : out.variables) collect_words(expr, out.words);
  }
  return prepared;
}

bool PreparedPolicy::speaks_of(const std::string& word) const {
  return words.contains(word) || std::ranges::binary_search(listed, word);
}

void collect_words(const cel::ExprPtr& expr, std::set<std::string>& words) {
  if (!expr) return;
  if (!expr->name.empty()) words.insert(expr->name);
  if (const auto* text = expr->value.as<std::string>(); text != nullptr) words.insert(*text);
  for (const auto& arg : expr->args) collect_words(arg, words);
}

cel::Activation activation_of(const Value& request) {
  cel::Activation out;
  cel::Map shown;
  if (const auto* all = request.as<cel::Map>())
    for (const auto& [name, value] : *all)
      if (name != "object" && name != "oldObject" && name != "namespaceObject") shown[name] = value;
  for (const auto& [name, from] :
       {std::pair{"requestKind", "kind"}, {"requestResource", "resource"}, {"requestSubResource", "subResource"}})
    if (const auto found = shown.find(from); found != shown.end()) shown.emplace(name, found->second);
  out.names["request"] = std::move(shown);
  for (const char* name : {"object", "oldObject", "namespaceObject"}) {
    const Value* found = cel::member(&request, name);
    out.names[name] = found == nullptr ? Value() : *found;
  }
  return out;
}

Decision admits(const std::vector<PreparedPolicy>& policies, const std::vector<Namespace>& namespaces,
                const Value& request) {
  const Asked asked = asked_of(namespaces, request);
  const cel::Activation activation = activation_of(request);
  Decision out{Decision::Kind::Admitted, "", ""};
  for (const PreparedPolicy& policy : policies) {
    Decision one = by_one(policy, asked, activation);
    if (one.kind == Decision::Kind::Denied) return one;
    if (one.kind == Decision::Kind::Unknown && out.kind == Decision::Kind::Admitted) out = std::move(one);
  }
  return out;
}

std::vector<Decision> each_admits(const std::vector<const PreparedPolicy*>& policies,
                                  const std::vector<Namespace>& namespaces, const Value& request) {
  const Asked asked = asked_of(namespaces, request);
  const cel::Activation activation = activation_of(request);
  std::vector<Decision> out;
  out.reserve(policies.size());
  for (const PreparedPolicy* policy : policies) out.push_back(by_one(*policy, asked, activation));
  return out;
}

Decision admits(const std::vector<AdmissionPolicy>& policies, const std::vector<AdmissionBinding>& bindings,
                const std::vector<Namespace>& namespaces, const Value& request) {
  return admits(prepare_policies(policies, bindings), namespaces, request);
}

}  // namespace gpol
