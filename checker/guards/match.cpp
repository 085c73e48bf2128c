#include "checker/guards/match.h"

#include <algorithm>
#include <set>

#include "checker/planted.h"
#include "compiler/source/lookup.h"

namespace gpol {

Tri both(Tri a, Tri b) { return std::min(a, b); }
Tri either(Tri a, Tri b) { return std::max(a, b); }
Tri negation(Tri a) { return a == Tri::Maybe ? a : a == Tri::Yes ? Tri::No : Tri::Yes; }

namespace {

bool lists(const std::vector<std::string>& items, const std::string& wanted) {
  return std::ranges::any_of(items, [&](const auto& item) { return item == "*" || item == wanted; });
}

bool resource_listed(const MatchResources::Rule& rule, const AdmissionTarget& target) {
  return std::ranges::any_of(rule.resources, [&](const std::string& item) {
    const auto slash = item.find('/');
    const std::string resource = item.substr(0, slash);
    const std::string sub = slash == std::string::npos ? "" : item.substr(slash + 1);
    return (resource == "*" || resource == target.resource) && (sub == "*" || sub == target.subresource);
  });
}

bool in_scope(const MatchResources::Rule& rule, const AdmissionTarget& target) {
  if (rule.scope == "*" || rule.scope.empty()) return true;
  const bool is_namespace = target.group.empty() && target.version == "v1" && target.resource == "namespaces";
  const bool namespaced = target.namespaced && !is_namespace;
  return rule.scope == (namespaced ? "Namespaced" : "Cluster");
}

// Resources that are stored once and served under several groups or versions. Of the groups named here every resource
// but events has been served in one version only since Kubernetes 1.25.
bool has_equivalents(const AdmissionTarget& target) {
  static const std::set<std::string> kSingle = {"", "apps", "batch"};
  return kSingle.count(target.group) == 0 || target.resource == "events";
}

Tri satisfies(const Selector::Expression& wanted, const Labels::Found& found) {
  if (!found.known) return Tri::Maybe;
  const bool listed = found.value && contains(wanted.values, *found.value);
  if (wanted.op == "In") return listed ? Tri::Yes : Tri::No;
  if (wanted.op == "NotIn" && planted(Bug::ModelNotInAbsent)) return listed || !found.value ? Tri::No : Tri::Yes;
  if (wanted.op == "NotIn") return listed ? Tri::No : Tri::Yes;
  if (wanted.op == "Exists") return found.value ? Tri::Yes : Tri::No;
  if (wanted.op == "DoesNotExist") return found.value ? Tri::No : Tri::Yes;
  return Tri::Maybe;
}

}  // namespace

RuleReach rules_reach(const std::vector<MatchResources::Rule>& rules, bool equivalent, const AdmissionTarget& target) {
  RuleReach reach;
  for (const auto& rule : rules) {
    if (!in_scope(rule, target) || !lists(rule.operations, target.operation) || !resource_listed(rule, target))
      continue;
    if (lists(rule.groups, target.group) && lists(rule.versions, target.version)) {
      if (rule.names.empty()) reach.any_name = Tri::Yes;
      reach.names.insert(reach.names.end(), rule.names.begin(), rule.names.end());
    } else if (equivalent && has_equivalents(target)) {
      reach.any_name = either(reach.any_name, Tri::Maybe);
    }
  }
  return reach;
}

bool exempt_from_policies(const std::string& group, const std::string& resource) {
  if (group == "admissionregistration.k8s.io")
    return resource.starts_with("validatingadmissionpolic") || resource.starts_with("mutatingadmissionpolic");
  if (group == "authentication.k8s.io") return resource == "selfsubjectreviews" || resource == "tokenreviews";
  static const std::set<std::string> kReviews = {"localsubjectaccessreviews", "selfsubjectaccessreviews",
                                                 "selfsubjectrulesreviews", "subjectaccessreviews"};
  return group == "authorization.k8s.io" && kReviews.count(resource) != 0;
}

bool selects_all(const Selector& selector) {
  return selector.present && selector.match_labels.empty() && selector.expressions.empty();
}

Tri selects(const Selector& selector, const Labels& labels) {
  if (!selector.present) return Tri::No;
  Tri all = Tri::Yes;
  for (const auto& [key, value] : selector.match_labels)
    all = both(all, satisfies({key, "In", {value}}, labels.find(key)));
  for (const auto& expression : selector.expressions)
    all = both(all, satisfies(expression, labels.find(expression.key)));
  return all;
}

}  // namespace gpol
