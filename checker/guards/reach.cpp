#include "checker/guards/reach.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "checker/guards/namespaces.h"
#include "checker/guards/question.h"
#include "checker/guards/simplest.h"
#include "checker/guards/types.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

// Which policies keep bad requests of one target away: as few as can be.
std::map<const PreparedPolicy*, std::int64_t> nearness(const std::vector<const PreparedPolicy*>& policies,
                                                       const cel::ExprPtr& bad) {
  constexpr std::int64_t kWord = 1'000'000;
  std::set<std::string> words;
  collect_words(bad, words);
  std::map<const PreparedPolicy*, std::int64_t> near;
  for (const std::string& word : words) {
    const auto count =
        std::ranges::count_if(policies, [&](const PreparedPolicy* policy) { return policy->speaks_of(word); });
    for (const PreparedPolicy* policy : policies)
      if (policy->speaks_of(word)) near[policy] += kWord / count;
  }
  return near;
}

class DenierSearch {
 public:
  DenierSearch(const Cluster& cluster, std::vector<const PreparedPolicy*> kin, const AdmissionTarget& target,
               const cel::ExprPtr& bad, Solver& solver)
      : cluster_(cluster), kin_(std::move(kin)), target_(target), bad_(bad), solver_(solver) {}

  std::optional<std::vector<std::string>> deniers() {
    // A request that gets past some names the next policy: the nearest one that denies it.
    std::vector<bool> some(kin_.size());
    for (std::size_t step = 0; step < kSteps && step < kin_.size(); ++step) {
      const std::optional<std::size_t> next = step == 0 ? 0 : next_after(some);
      if (!next) return std::nullopt;
      some[*next] = true;
      if (ask(some)) return fewest(some);
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kSteps = 12;
  using Chosen = std::vector<bool>;  // of kin_

  std::vector<const PreparedPolicy*> those(const Chosen& chosen) const {
    std::vector<const PreparedPolicy*> out;
    for (std::size_t i = 0; i < kin_.size(); ++i)
      if (chosen[i]) out.push_back(kin_[i]);
    return out;
  }

  bool ask(const Chosen& chosen) {
    const Reach found =
        reach_past(cluster_, those(chosen), target_, bad_, solver_, plan_, !std::exchange(asked_, true));
    if (found.kind == Reach::Kind::Denied) return true;
    shown_.reset();
    if (found.kind != Reach::Kind::Admitted) return false;
    const cel::Result is_bad = cel::evaluate(bad_, activation_of(found.request));
    if (const bool* yes = is_bad.boolean(); yes == nullptr || !*yes) return false;
    shown_ = each_admits(kin_, cluster_.namespaces, found.request);
    shown_before_.push_back(*shown_);
    return false;
  }

  // The one to add, after the last answer.
  std::optional<std::size_t> next_after(const Chosen& chosen) const {
    for (const auto wanted : {Decision::Kind::Denied, Decision::Kind::Unknown})
      for (std::size_t i = 0; shown_ && i < kin_.size(); ++i)
        if (!chosen[i] && (*shown_)[i].kind == wanted) return i;
    if (shown_) return std::nullopt;  // it is bad, and gets past all
    const auto free = std::ranges::find(chosen, false);
    return free == chosen.end() ? std::nullopt : std::optional<std::size_t>(free - chosen.begin());
  }

  bool known_to_let_in(const Chosen& chosen) const {
    return std::ranges::any_of(shown_before_, [&](const std::vector<Decision>& each) {
      for (std::size_t i = 0; i < kin_.size(); ++i)
        if (chosen[i] && each[i].kind != Decision::Kind::Admitted) return false;
      return true;
    });
  }

  // `enough` are known to deny.
  std::vector<std::string> fewest(const Chosen& enough) {
    Chosen kept(kin_.size(), true), known = enough;
    for (std::size_t i = kin_.size(); i-- > 0;) {
      kept[i] = false;
      if (!known[i]) continue;  // what is known to be enough is still there
      if (contains(kept, true) && !known_to_let_in(kept) && ask(kept))
        known = kept;
      else
        kept[i] = true;
    }
    std::vector<std::string> names;
    for (const PreparedPolicy* policy : those(kept)) names.push_back(policy->policy->name);
    std::ranges::sort(names);
    return names;
  }

  const Cluster& cluster_;
  const std::vector<const PreparedPolicy*> kin_;
  const AdmissionTarget& target_;
  const cel::ExprPtr& bad_;
  Solver& solver_;
  std::map<std::string, symbolic::PathPlan> plan_;
  bool asked_ = false;
  std::optional<std::vector<Decision>> shown_;  // what each does to the request of the last answer
  std::vector<std::vector<Decision>> shown_before_;
};

// The policies in order, those first that are nearest to `bad` by what both speak of: a word that few of them have says
// more.
std::vector<const PreparedPolicy*> nearest_first(std::vector<const PreparedPolicy*> policies, const cel::ExprPtr& bad) {
  auto near = nearness(policies, bad);
  std::ranges::stable_sort(policies,
                           [&](const PreparedPolicy* a, const PreparedPolicy* b) { return near[a] > near[b]; });
  return policies;
}

// The names of those of `kin`, sorted, that together deny all that is bad and of which none can be left out (one is
// always named); nothing where none were found, though all together may deny it. They do not depend on which requests
// the solver happens to show: they are what is left of all after each was taken away, the last first, that is not
// needed. `kin`: those that are certain to deny what they deny, in the order in which they are to be tried.
std::optional<std::vector<std::string>> find_deniers(const Cluster& cluster, std::vector<const PreparedPolicy*> kin,
                                                     const AdmissionTarget& target, const cel::ExprPtr& bad,
                                                     Solver& solver) {
  return DenierSearch(cluster, std::move(kin), target, bad, solver).deniers();
}

// With failurePolicy Ignore a policy is passed over where it cannot be evaluated, which a sender can bring about (the
// API server gives up on expressions that cost too much, and on what it has not compiled yet): it is sure of nothing.
bool may_be_passed_over(const PreparedPolicy& policy) { return !policy.policy->fails_closed; }

Reach replay(const Cluster& cluster, const std::vector<PreparedPolicy>& policies, const AdmissionTarget& target,
             const cel::ExprPtr& bad, cel::Value request) {
  const auto judged_bad = [&](const cel::Value& one) { return cel::evaluate(bad, activation_of(one)); };
  const cel::Result is_bad = judged_bad(request);
  if (const bool* yes = is_bad.boolean(); yes == nullptr || !*yes)
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

}  // namespace

std::vector<const PreparedPolicy*> sure_about(const std::vector<PreparedPolicy>& policies,
                                              const AdmissionTarget& target) {
  std::vector<const PreparedPolicy*> sure;
  for (const PreparedPolicy& policy : policies)
    if (is_about(policy, target) && policy.exists == Tri::Yes && !may_be_passed_over(policy)) sure.push_back(&policy);
  return sure;
}

namespace {

Reach reach_target(const Cluster& cluster, const std::vector<PreparedPolicy>& policies, const AdmissionTarget& target,
                   const cel::ExprPtr& bad, Solver& solver) {
  const std::vector<const PreparedPolicy*> sure = sure_about(policies, target);
  std::vector<const PreparedPolicy*> all;
  for (const PreparedPolicy& policy : policies)
    if (is_about(policy, target)) all.push_back(&policy);
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

}  // namespace gpol
