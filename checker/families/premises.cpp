#include "checker/families/premises.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/codes.h"
#include "checker/families/doors.h"
#include "checker/families/dropped.h"
#include "compiler/source/codes.h"
#include "compiler/source/edit_distance.h"
#include "compiler/source/lookup.h"

namespace gpol {
namespace {

const Trust* trust_of(const std::vector<Trust>& trusts, std::string_view key) {
  return find_by(trusts, key, &Trust::premise);
}

// A namespace whose Jobs no ResourceQuota counts as the policy says; empty: there is none.
std::string uncounted_namespace(const Cluster& cluster, const Intent& intent) {
  for (const JobLimit& limit : intent.job_limits)
    if (std::ranges::none_of(cluster.resource_quotas, [&](const ResourceQuota& quota) { return bounds(quota, limit); }))
      return limit.ns;
  return {};
}

// Kueue itself keeps strangers out of a queue whose selector names namespaces by the one label nobody can set.
bool namespaces_enforced(const Cluster& cluster) {
  return std::ranges::all_of(cluster.queues, [](const Queue& queue) {
    return !queue.namespaces.present || lists_names(queue.namespaces);  // absent: it admits nobody
  });
}

// What gpol could do about a premise that is open. The guards of tenants deny in the namespaces of tenants alone: with
// a queue that lets others in, and no guard that was told otherwise, it is the queue.
std::string_view cure_of(const Proof& proof, const Premise& premise) {
  if (premise.key == "objects-unchanged" && !proof.intent.writers.empty()) return kLetGuardsDeny;
  const bool strangers = proof.intent.of_policy && !namespaces_enforced(proof.cluster) && proof.intent.guards.empty();
  if (premise.enforce == kLetGuardsDeny && strangers)
    return "leave the `namespaceSelector` of each queue at `own`, since guards deny in the namespaces of tenants";
  return premise.enforce;
}

void open(const Proof& proof, const Premise& premise, const Kept& kept, const GuardAnswers& guards, Report& report) {
  Obligation o = obligation(premise.family, code::OpenPremise, Verdict::Refuted, {"Premise", premise.key});
  Detail detail;
  const std::string line = fmt::format("trust {} because \"...\" by @owner", premise.key);
  detail.message = fmt::format(
      "the proof takes for granted that {}; nothing enforces it ({} could) and the policy does "
      "not accept it",
      premise.text, premise.enforceable_by);
  detail.story = story_of(kept);
  if (detail.story.empty()) detail.story = story_without(proof, report, premise.key, guards);
  if (kept.broken && !kept.request)
    detail.message += fmt::format("; that its guards deny it when {} {} was not proven: {}", kept.broken->who,
                                  kept.broken->does, kept.why);
  if (premise.key == "jobs-bounded")
    if (const auto ns = uncounted_namespace(proof.cluster, proof.intent); !ns.empty())
      detail.message += fmt::format("; namespace `{}` has no such ResourceQuota", ns);
  // Only what gpol could do about it is said first; of the rest nothing is left but to accept it.
  const std::string_view enforce = cure_of(proof, premise);
  if (enforce != premise.enforce && premise.key != "objects-unchanged") detail.follows_premise = "own-namespaces";
  detail.fix = Fix{enforce.empty() ? fmt::format("accept it by a line `{}`", line)
                                   : fmt::format("{}, or accept it by a line `{}`", enforce, line)};
  if (const Trust* over = trust_of(proof.intent.ended, premise.key)) {
    o.span = over->span;
    detail.message = fmt::format("the proof takes for granted that {}; {} accepted it until {}, and that day is over",
                                 premise.text, over->by, over->until);
    detail.fix = Fix{enforce.empty() ? "accept it again: give the line a later `until`"
                                     : fmt::format("{}, or accept it again: give the line a later `until`", enforce)};
  }
  report.add(std::move(o), std::move(detail));
}

// Each family says something of itself: that no premise of admission is open is its one finding.
void close_bypass(bool any_open, Report& report) {
  report.analysed.push_back(Family::Bypass);
  if (!any_open) report.add(proven_of_cluster(Family::Bypass, code::OpenPremise));
}

std::vector<std::string_view> keys() {
  std::vector<std::string_view> keys;
  for (const Premise& premise : premises()) keys.push_back(premise.key);
  return keys;
}

std::string help_for(std::string_view key) {
  if (const auto near = nearest(key, keys())) return fmt::format("did you mean `{}`?", *near);
  return fmt::format("the premises are {}", fmt::join(keys(), ", "));
}

// A trust whose key is misspelt is an error of its own, which leaves nothing proven: that this premise is open, too, is
// the same mistake.
bool meant_by_mistake(const std::vector<Trust>& trusts, std::string_view premise) {
  const auto known = keys();
  return std::ranges::any_of(trusts, [&](const Trust& trust) {
    return !contains(known, trust.premise) && nearest(trust.premise, known) == premise;
  });
}

// Why nothing rests on a trust; empty: something does.
std::string idle(const Premise& premise, const Proof& proof, const Rested& rests,
                 const std::vector<Assumption>& assumptions) {
  if (!concerns(premise, proof.cluster) || !premise.ground->asks(rests))
    return fmt::format("nothing that is proven here rests on `{}`", premise.key);
  const bool enforced = std::ranges::any_of(assumptions, [&](const Assumption& assumption) {
    return assumption.key == premise.key && assumption.status == Assumption::Status::Enforced;
  });
  if (!enforced) return {};
  return fmt::format("nothing rests on this trust: what is emitted enforces `{}`", premise.key);
}

void judge_trusts(const Proof& proof, const Rested& rests, Report& report) {
  std::vector<Trust> written = proof.intent.trusts;
  written.insert(written.end(), proof.intent.ended.begin(), proof.intent.ended.end());
  const bool promised = std::ranges::any_of(report.obligations, &Obligation::required);
  for (const Trust& trust : written) {
    const Premise* known = find_by(premises(), trust.premise, &Premise::key);
    if (known == nullptr)
      report.diagnostics.push_back(error_at(code::UnknownName, trust.span,
                                            fmt::format("`{}` is not a premise of any proof", trust.premise),
                                            help_for(trust.premise)));
    else if (promised && !rests.unproven)  // what is not proven yet may need it once it is mended
      if (std::string why = idle(*known, proof, rests, report.assumptions); !why.empty())
        report.diagnostics.push_back(warning_at(code::UnusedTrust, trust.span, std::move(why), "remove the line"));
  }
}

void judge_guard_modes(const Proof& proof, Report& report) {
  std::vector<std::string_view> names;
  for (const AdmissionPolicy& policy : proof.cluster.admission_policies) names.push_back(policy.name);
  for (const GuardMode& rolled : proof.intent.guards) {
    if (rolled.guard == kAllGuards) continue;
    if (contains(names, rolled.guard)) continue;
    const auto near = nearest(rolled.guard, names);
    report.diagnostics.push_back(error_at(
        code::UnknownName, rolled.span, fmt::format("`{}` is no guard of this policy", rolled.guard),
        near ? fmt::format("did you mean `{}`?", *near) : fmt::format("its guards are {}", fmt::join(names, ", "))));
  }
}

bool denies(const AdmissionBinding& binding) { return contains(binding.actions, "Deny"); }

bool all_deny(const Cluster& cluster, const std::vector<std::string>& policies) {
  return std::ranges::all_of(policies, [&](const std::string& policy) {
    return std::ranges::any_of(cluster.admission_bindings, [&](const AdmissionBinding& binding) {
      return binding.policy == policy && denies(binding);
    });
  });
}

// Its guards once `guard all` is gone: a guard with a line of its own stays as that says.
Cluster rolled_out(const Cluster& cluster, const Intent& intent) {
  Cluster out = cluster;
  for (AdmissionBinding& binding : out.admission_bindings)
    if (!contains(intent.guards, binding.policy, &GuardMode::guard)) binding.actions = {"Deny"};
  return out;
}

void judge(const Proof& proof, const LookAtGuards& look, const GuardAnswers& guards, Report& report) {
  const Rested rests = rested(proof, report);
  bool bypass_open = false;
  std::vector<Kept> looked;  // all of them first: the story of one premise may turn on the guards of another
  const auto asked = [&](const Premise& premise) {
    return concerns(premise, proof.cluster) && premise.ground->asks(rests);
  };
  for (const Premise& premise : premises()) looked.push_back(asked(premise) ? look(premise.key) : Kept{});
  for (std::size_t i = 0; i < looked.size(); ++i) {
    const Premise& premise = premises()[i];
    if (!asked(premise)) continue;
    Assumption assumption;
    assumption.text = premise.text;
    assumption.key = premise.key;
    Kept& kept = looked[i];
    if (premise.key == "jobs-bounded")
      kept.kept = kept.kept && uncounted_namespace(proof.cluster, proof.intent).empty();
    if (!premise.taken.empty()) {
      assumption.status = Assumption::Status::Trusted;
      assumption.by = premise.taken;
    } else if (kept.kept && rolls_out(proof.intent) && !all_deny(proof.cluster, kept.policies)) {
      assumption.status = Assumption::Status::Trusted;
      assumption.by = "guards-not-yet-denying";
    } else if (kept.kept) {
      assumption.status = Assumption::Status::Enforced;
      assumption.by = fmt::format("{}", fmt::join(kept.policies, ", "));
    } else if (premise.key == "own-namespaces" && namespaces_enforced(proof.cluster)) {
      assumption.status = Assumption::Status::Enforced;
      assumption.by = "ClusterQueue.spec.namespaceSelector";
    } else if (const Trust* trust = trust_of(proof.intent.trusts, premise.key)) {
      assumption.status = Assumption::Status::Trusted;
      assumption.by = trust->by;
      assumption.until = trust->until;
    } else if (!meant_by_mistake(proof.intent.trusts, premise.key)) {
      open(proof, premise, kept, guards, report);
    }
    bypass_open |= premise.family == Family::Bypass && assumption.status == Assumption::Status::Open;
    report.assumptions.push_back(std::move(assumption));
  }
  if (ground::kAlways.asks(rests)) close_bypass(bypass_open, report);
  judge_trusts(proof, rests, report);
  judge_guard_modes(proof, report);
}

}  // namespace

void judge_premises(const Proof& proof, Report& report) {
  GuardAnswers answers;
  const std::optional<Cluster> later =
      rolls_out(proof.intent) ? std::optional(rolled_out(proof.cluster, proof.intent)) : std::nullopt;
  GuardBook guards(later ? *later : proof.cluster, proof.intent, proof.solver, answers.keep());
  judge(proof, [&](std::string_view premise) { return guards.look(premise); }, answers, report);
}

void judge_premises(const Proof& proof, const LookAtGuards& look, Report& report) { judge(proof, look, {}, report); }

}  // namespace gpol
