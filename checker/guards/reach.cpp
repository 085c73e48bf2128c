#include "checker/guards/reach.h"

#include <map>
#include <set>

#include "checker/guards/namespaces.h"
#include "checker/guards/question.h"
#include "checker/guards/search.h"
#include "checker/guards/simplest.h"
#include "checker/guards/types.h"

namespace gpol {

namespace {

// With failurePolicy Ignore a policy is passed over where it cannot be evaluated, which a sender can bring about (the
// API server gives up on expressions that cost too much, and on what it has not compiled yet): it is sure of nothing.
bool may_be_passed_over(const PreparedPolicy& policy) { return !policy.policy->fails_closed; }

Reach replay(const Cluster& cluster, const std::vector<PreparedPolicy>& policies, const AdmissionTarget& target,
             const cel::ExprPtr& bad, cel::Value request) {
  const auto judged_bad = [&](const cel::Value& one) { return cel::evaluate(bad, activation_of(one)); };
  const cel::Result is_bad = judged_bad(request);
  const bool* yes = is_bad.boolean();
  if (yes == nullptr || !*yes)
    return unknown("a request was found that may be bad, but whether it is depends on what is not modelled: " +
                   is_bad.why);
  const Decision decision = admits(policies, cluster.namespaces, request);
  if (decision.kind != Decision::Kind::Admitted)
    return unknown("whether policy " + decision.policy + " denies depends on what is not modelled: " + decision.why);
  Reach out;
  out.kind = Reach::Kind::Admitted;
  std::set<std::string> names;
  for (const Namespace& one : cluster.namespaces) names.insert(one.name);
  const std::set<std::string> apart = representatives(cluster, names, bad.get());  // one of each kind: not thousands
  std::vector<std::string> namespaces;
  for (const Namespace& one : cluster.namespaces)
    if (apart.contains(one.name)) namespaces.push_back(one.name);
  namespaces.emplace_back("somewhere");  // which is none of these: the solver would make up one name or another
  out.request = simplest(
      std::move(request), symbolic::always_there(target), texts_of(*bad), namespaces, [&](const cel::Value& simpler) {
        const cel::Result still = judged_bad(simpler);
        const bool* so = still.boolean();
        return so != nullptr && *so && admits(policies, cluster.namespaces, simpler).kind == Decision::Kind::Admitted;
      });
  return out;
}

bool is_about(const PreparedPolicy& policy, const AdmissionTarget& target) {
  if (policy.exists == Tri::No || exempt_from_policies(target.group, target.resource)) return false;
  const RuleReach rules = rules_reach(policy.policy->match.rules, policy.policy->match.equivalent, target);
  return rules.any_name != Tri::No || !rules.names.empty();
}

Reach reach_target(const Cluster& cluster, const std::vector<PreparedPolicy>& policies, const AdmissionTarget& target,
                   const cel::ExprPtr& bad, Solver& solver) {
  std::vector<const PreparedPolicy*> sure, all;
  for (const PreparedPolicy& policy : policies) {
    if (!is_about(policy, target)) continue;
    all.push_back(&policy);
    if (policy.exists == Tri::Yes && !may_be_passed_over(policy)) sure.push_back(&policy);
  }
  if (auto deniers = find_deniers(cluster, nearest_first(sure, bad), target, bad, solver))
    return {Reach::Kind::Denied, {}, {}, *std::move(deniers)};
  const auto past = [&](const std::vector<const PreparedPolicy*>& those) {
    std::map<std::string, symbolic::PathPlan> plan;  // a new one: what is shown is as small as can be
    return reach_past(cluster, those, target, bad, solver, plan);
  };
  Reach out = past(sure);
  if (out.kind == Reach::Kind::Denied)
    for (const PreparedPolicy* policy : sure) out.policies.push_back(policy->policy->name);
  if (out.kind != Reach::Kind::Admitted) return out;
  if (all.size() > sure.size()) {
    Reach with_doubtful = past(all);
    if (with_doubtful.kind == Reach::Kind::Denied)
      return unknown(
          "only policies deny them that are not certain to: the API server may refuse the policy, or pass over "
          "it where it cannot be evaluated (failurePolicy Ignore)");
    if (with_doubtful.kind == Reach::Kind::Unknown) return with_doubtful;
    out = std::move(with_doubtful);
  }
  return replay(cluster, policies, target, bad, std::move(out.request));
}

}  // namespace

Reach reach(const Cluster& cluster, const BadRequests& bad, Solver& solver) {
  return reach(cluster, prepare_policies(cluster.admission_policies, cluster.admission_bindings), bad, solver);
}

Reach reach(const Cluster& cluster, const std::vector<PreparedPolicy>& policies, const BadRequests& bad,
            Solver& solver) {
  const cel::Parsed parsed = cel::parse(bad.expression);
  if (!parsed.expr) return unknown("the description of bad requests: " + parsed.error);
  const cel::Checked checked = cel::check(parsed.expr, {{}, false});
  if (!checked.ok()) return unknown("the description of bad requests: " + checked.why);
  Reach all;
  all.kind = Reach::Kind::Denied;
  std::set<std::string> used;
  for (const AdmissionTarget& target : bad.targets) {
    Reach one = reach_target(cluster, policies, target, parsed.expr, solver);
    if (one.kind == Reach::Kind::Admitted) return one;
    used.insert(one.policies.begin(), one.policies.end());
    if (one.kind == Reach::Kind::Unknown && all.kind == Reach::Kind::Denied) all = std::move(one);
  }
  if (all.kind == Reach::Kind::Denied) all.policies.assign(used.begin(), used.end());
  return all;
}

std::string nearest_policy(const std::vector<PreparedPolicy>& policies, const AdmissionTarget& target,
                           const std::string& bad) {
  const cel::Parsed parsed = cel::parse(bad);
  std::vector<const PreparedPolicy*> about;
  for (const PreparedPolicy& policy : policies)
    if (parsed.expr && is_about(policy, target)) about.push_back(&policy);
  return about.empty() ? "" : nearest_first(std::move(about), parsed.expr).front()->policy->name;
}

}  // namespace gpol
