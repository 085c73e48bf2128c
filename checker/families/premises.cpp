#include "checker/families/premises.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/doors.h"
#include "checker/families/dropped.h"
#include "checker/families/families.h"
#include "checker/families/guard_book.h"
#include "checker/families/rests.h"
#include "compiler/source/edit_distance.h"

namespace gpol {
namespace {

const Trust* trust_of(const std::vector<Trust>& trusts, std::string_view key) {
  for (const Trust& trust : trusts)
    if (trust.premise == key) return &trust;
  return nullptr;
}

void open(const Proof& proof, const Premise& premise, const Kept& kept, Report& report) {
  Obligation o;
  o.family = premise.family;
  o.code = Code::OpenPremise;
  o.verdict = Verdict::Refuted;
  o.required = true;
  o.subject.kind = "Premise";
  o.subject.name = premise.key;
  Detail detail;
  const std::string line = fmt::format("trust {} because \"...\" by @owner", premise.key);
  detail.message = fmt::format(
      "the proof takes for granted that {}; nothing enforces it ({} could) and the policy does "
      "not accept it",
      premise.text, premise.enforceable_by);
  detail.story = story_of(kept);
  if (detail.story.empty()) detail.story = story_without(proof, report, premise.key);
  if (kept.broken && !kept.request)
    detail.message += fmt::format("; that its guards deny it when {} {} was not proven: {}", kept.broken->who,
                                  kept.broken->does, kept.why);
  detail.fix = Fix{fmt::format("enforce it, or accept it by a line `{}`", line), {}};
  if (const Trust* over = trust_of(proof.intent.ended, premise.key)) {
    o.span = over->span;
    detail.message = fmt::format("the proof takes for granted that {}; {} accepted it until {}, and that day is over",
                                 premise.text, over->by, over->until);
    detail.fix = Fix{"enforce it, or accept it again: give the line a later `until`", {}};
  }
  o.detail = std::make_shared<const Detail>(std::move(detail));
  report.obligations.push_back(std::move(o));
}

// Each family says something of itself: that no premise of admission is open is its one finding.
void close_bypass(Report& report) {
  report.analysed.push_back(Family::Bypass);
  if (std::any_of(report.obligations.begin(), report.obligations.end(),
                  [](const Obligation& o) { return o.family == Family::Bypass; }))
    return;
  Obligation o;
  o.family = Family::Bypass;
  o.code = Code::OpenPremise;
  o.verdict = Verdict::Proven;
  o.required = true;
  o.subject.kind = "Cluster";
  report.obligations.push_back(std::move(o));
}

std::string help_for(std::string_view key) {
  std::vector<std::string_view> keys;
  for (const Premise& premise : premises()) keys.push_back(premise.key);
  if (const auto near = nearest(key, keys)) return fmt::format("did you mean `{}`?", *near);
  return fmt::format("the premises are {}", fmt::join(keys, ", "));
}

void judge_trusts(const Proof& proof, const Rested& rests, Report& report) {
  std::vector<Trust> written = proof.intent.trusts;
  written.insert(written.end(), proof.intent.ended.begin(), proof.intent.ended.end());
  const bool promised =
      std::any_of(report.obligations.begin(), report.obligations.end(), [](const Obligation& o) { return o.required; });
  for (const Trust& trust : written) {
    const auto all = premises();
    const auto known =
        std::find_if(all.begin(), all.end(), [&](const Premise& premise) { return premise.key == trust.premise; });
    if (known == all.end())
      report.diagnostics.push_back({Code::UnknownName,
                                    Severity::Error,
                                    trust.span,
                                    fmt::format("`{}` is not a premise of any proof", trust.premise),
                                    {},
                                    help_for(trust.premise)});
    else if (promised && !rests.on(known->rests) &&
             !rests.unproven)  // what is not proven yet may need it once it is mended
      report.diagnostics.push_back({Code::UnusedTrust,
                                    Severity::Warning,
                                    trust.span,
                                    fmt::format("nothing that is proven here rests on `{}`", trust.premise),
                                    {},
                                    "remove the line"});
  }
}

void judge_guard_modes(const Proof& proof, Report& report) {
  std::vector<std::string_view> names;
  for (const AdmissionPolicy& policy : proof.cluster.admission_policies) names.push_back(policy.name);
  for (const GuardMode& rolled : proof.intent.guards) {
    if (std::find(names.begin(), names.end(), rolled.guard) != names.end()) continue;
    const auto near = nearest(rolled.guard, names);
    report.diagnostics.push_back(
        {Code::UnknownName,
         Severity::Error,
         rolled.span,
         fmt::format("`{}` is no guard of this policy", rolled.guard),
         {},
         near ? fmt::format("did you mean `{}`?", *near) : fmt::format("its guards are {}", fmt::join(names, ", "))});
  }
}

// Kueue itself keeps strangers out of a queue whose selector names namespaces by the one label nobody can set.
bool namespaces_enforced(const Cluster& cluster) {
  return std::all_of(cluster.queues.begin(), cluster.queues.end(), [](const Queue& queue) {
    return !queue.namespaces.present || lists_names(queue.namespaces);  // absent: it admits nobody
  });
}

constexpr std::array<Premise, 17> kPremises = {{
    {"admission-only", "no pod uses a GPU, or stands on the nodes of a pool, that Kueue did not admit; daemons apart",
     "a guard on pods and Jobs", Family::Bypass, Rests::Always},
    {"objects-unchanged", "nobody but the pipeline writes the objects that gpol emits, and no other queue joins them",
     "a guard on Kueue's objects, once `writers` are named,", Family::Bypass, Rests::Always},
    {"controller-as-emitted",
     "Kueue runs in the stated version with the emitted Configuration, and nobody weakens the guards", "the pipeline",
     Family::Bypass, Rests::Always},
    {"own-namespaces", "only the tenant's namespaces can use its queue",
     "namespaceSelector by kubernetes.io/metadata.name", Family::Bypass, Rests::Always},
    {"nodes-as-declared",
     "the nodes are at least those declared, labelled so, and attach as many volumes as their pods ask for; daemons "
     "take "
     "no more than their share of them, and never more than the tolerated number is lost",
     "a check of the nodes against the declaration", Family::Capacity, Rests::OnNodes},
    {"batch-leaves", "batch pods carry at most the declared grace, no finalizers, and are of the listed job kinds only",
     "a guard on batch pods", Family::Bypass, Rests::OnEviction},
    {"pods-do-not-preempt",
     "kube-scheduler evicts no pod of serving queues, and no batch for batch: all their pods have priority 0",
     "a guard on the pods of tenants", Family::Priority, Rests::OnQueued},
    {"outside-preempts", "pods of a tenant that preempts have the priority of its class, and may preempt",
     "a guard on its pods", Family::Priority, Rests::OnPreemption},
    {"scheduler-as-upstream", "kube-scheduler runs with its own plugins, and its preemption is not switched off",
     "the pipeline", Family::Priority, Rests::OnPreemption},
    {"batch-stays",
     "while a tenant that preempts waits, nobody but kube-scheduler takes batch pods from its nodes: no user, no "
     "controller, not Kueue",
     "nothing in Kubernetes", Family::Priority, Rests::OnPreemption},
    {"pods-repel-no-others",
     "no pod keeps pods of other namespaces off nodes by a required anti-affinity, nor by a node nominated for it, and "
     "none that serves asks for a port of its node",
     "a guard on pods", Family::Placement, Rests::OnNodes},
    {"batch-runs-on",
     "while a serving pod of the queue waits for a node, running batch pods there are ended for serving alone: by no "
     "user, no time limit and no other batch queue, which free their quota before their node",
     "nothing in Kubernetes", Family::Fragmentation, Rests::OnBeside},
    {"shapes-kept",
     "batch pods, and the replicas of serving tenants that share a pool, ask for as many GPUs as declared",
     "a guard on pods", Family::Fragmentation, Rests::OnShapes},
    {"requests-as-declared",
     "replicas of serving tenants that share a pool ask for the declared cpu and memory, or for the share that goes "
     "with "
     "their GPUs",
     "nothing that gpol emits", Family::Fragmentation, Rests::OnShared},
    {"priorities-pinned",
     "batch workloads use no priority class but their own, which is below every serving one and below none at all",
     "a guard on the priority-class label", Family::Priority, Rests::OnPriorities},
    {"serving-within-reserve", "a serving tenant that may borrow asks for no more than its own reserve",
     "`borrow at most 0`, which is the safe pattern,", Family::Bypass, Rests::OnServingWithin},
    {"times-hold", "no step takes longer than its declared time constant", "measurement", Family::Slo, Rests::OnTimes},
}};

}  // namespace

std::span<const Premise> premises() { return kPremises; }

void judge_premises(const Proof& proof, Report& report) {
  GuardBook guards(proof.cluster, proof.intent, proof.solver);
  judge_premises(proof, [&](std::string_view premise) { return guards.look(premise); }, report);
}

void judge_premises(const Proof& proof, const LookAtGuards& look, Report& report) {
  const Rested rests = rested(proof, report);
  for (const Premise& premise : kPremises) {
    if (!rests.on(premise.rests)) continue;
    Assumption assumption;
    assumption.text = premise.text;
    const Kept kept = look(premise.key);
    if (kept.kept) {
      assumption.status = Assumption::Status::Enforced;
      assumption.by = fmt::format("{}", fmt::join(kept.policies, ", "));
    } else if (premise.key == "own-namespaces" && namespaces_enforced(proof.cluster)) {
      assumption.status = Assumption::Status::Enforced;
      assumption.by = "ClusterQueue.spec.namespaceSelector";
    } else if (const Trust* trust = trust_of(proof.intent.trusts, premise.key)) {
      assumption.status = Assumption::Status::Trusted;
      assumption.by = trust->by;
      assumption.until = trust->until;
    } else {
      open(proof, premise, kept, report);
    }
    report.assumptions.push_back(std::move(assumption));
  }
  if (rests.on(Rests::Always)) close_bypass(report);
  judge_trusts(proof, rests, report);
  judge_guard_modes(proof, report);
}

}  // namespace gpol
