// Priority: no class of batch has a priority that reaches a serving one. Kueue's scale alone: the value of the
// WorkloadPriorityClass that a workload is labelled with (pkg/controller/jobframework/reconciler.go ExtractPriority);
// by it heads are ordered and victims chosen. Who may name which class, and the scale of kube-scheduler, are premises
// (priorities-pinned, pods-do-not-preempt): guards keep them. One obligation per class of batch that is too high, and
// one that is proven when there is none.
#include <algorithm>

#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/families/doors.h"
#include "checker/families/families.h"
#include "checker/guards/reach.h"
#include "compiler/source/lookup.h"

namespace gpol {
namespace {

bool is(const WorkloadPriorityClass& c, std::string_view role) { return has_value(c.labels, "gpol.dev/role", role); }

// A Job of batch in that class: one that gets in, or that none does.
Reach job_in(const Proof& proof, const std::string& name, std::string& who) {
  Doors doors;
  for (std::size_t q = 0; q < proof.intent.roles.size(); ++q)
    if (proof.intent.roles[q].kind == QueueRole::Kind::Batch) doors.add(proof.cluster.queues[q].namespaces);
  if (!doors.any) return {Reach::Kind::Denied, {}, {}, {}};
  who = doors.who();
  const std::string bad = doors.here({}) +
                          "has(object.metadata.labels) && 'kueue.x-k8s.io/priority-class' in object.metadata.labels && "
                          "object.metadata.labels['kueue.x-k8s.io/priority-class'] == " +
                          quoted(name);
  return reach(proof.cluster, {{{"CREATE", "batch", "v1", "jobs", "", true}}, bad}, proof.solver);
}

}  // namespace

void prove_priority(const Proof& proof, Report& report) {
  const auto& classes = proof.cluster.priority_classes;
  const WorkloadPriorityClass* lowest = nullptr;
  for (const auto& c : classes)
    if (is(c, "serving") && (lowest == nullptr || c.value < lowest->value)) lowest = &c;
  const bool serves = contains(proof.intent.roles, QueueRole::Kind::Serving, &QueueRole::kind);
  if (lowest == nullptr || !serves) return;  // nobody serves by a class: nothing is said
  bool found = false;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto& c = classes[i];
    const Span at = i < proof.origins.priority_class.size() ? proof.origins.priority_class[i] : Span{};
    if (!is(c, "batch") || c.value < std::min<std::int64_t>(lowest->value, 0)) continue;
    std::string who;
    Reach reached = job_in(proof, c.name, who);
    if (reached.kind == Reach::Kind::Denied) continue;  // nobody of batch can be in it
    found = true;
    const bool admitted = reached.kind == Reach::Kind::Admitted;
    Detail detail;
    const bool above = c.value >= lowest->value;
    const std::string than = above ? fmt::format("that of `{}`, {}", lowest->name, lowest->value)
                                   : std::string("0, which a serving workload has that names no class");
    detail.message = fmt::format("the priority of `{}`, {}, is not below {}", c.name, c.value, than);
    detail.reason = std::move(reached.why);
    if (admitted)
      detail.story = {
          {"", who, fmt::format("creates a Job of class `{}`", c.name)},
          {"", "API server", "lets it in: " + cel::to_json(reached.request)},
          {"", "Kueue", fmt::format("gives it priority {}; serving has {}", c.value, above ? lowest->value : 0)}};
    detail.fix = Fix{fmt::format("give `{}` a value below 0 and below every serving class", c.name)};
    report.add(obligation(Family::Priority, code::PriorityInversion, admitted ? Verdict::Refuted : Verdict::Undecided,
                          {"WorkloadPriorityClass", c.name}, at),
               std::move(detail));
  }
  report.analysed.push_back(Family::Priority);
  if (!found) report.add(proven_of_cluster(Family::Priority, code::PriorityInversion));
}

}  // namespace gpol
