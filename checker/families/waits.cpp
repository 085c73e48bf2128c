// Class A waits for nobody. That nobody can hold its quota is what claim proves; a head of another queue that reserves
// in every round what it cannot have keeps it waiting all the same (kueue.md N15), and so do pods that never become
// ready (waitForPodsReady.blockAdmission), a topology, a check, or another serving queue that takes a flavor of it
// before its own (kueue.md 10). What reclaim has a replayed story of is then said of a queue whose claim holds: what is
// promised of it says nothing. Where reclaim is undecided so is class A.
#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/families/families.h"

namespace gpol {

void judge_waits(const Proof& proof, Report& report) {
  std::map<std::string_view, bool> held;  // whether others can hold anything of the queue
  std::set<std::string_view> shut;        // it admits nothing, which is said elsewhere
  std::map<std::string_view, const Obligation*> waits;
  for (const Obligation& o : report.obligations) {
    if (o.subject.kind != "ClusterQueue") continue;
    if (o.family == Family::Vacuity && o.verdict == Verdict::Refuted && o.detail &&
        (o.detail->place.field == "spec.stopPolicy" || o.detail->place.field == "spec.namespaceSelector"))
      shut.insert(o.subject.name);
    if (o.family == Family::Claim) held[o.subject.name] = held[o.subject.name] || o.verdict != Verdict::Proven;
    const bool late = o.code == code::ReclaimLate || o.code == code::BackLate;    // of its own start-up
    if (o.family != Family::Reclaim || !o.detail || o.detail->follows) continue;  // that family tells the cause
    if (o.verdict == Verdict::Refuted ? !late : o.verdict == Verdict::Undecided) waits.emplace(o.subject.name, &o);
  }
  std::vector<Obligation> found;
  for (std::size_t q = 0; q < proof.cluster.queues.size(); ++q) {
    const Queue& queue = proof.cluster.queues[q];
    const QueueRole& role = proof.intent.roles[q];
    const auto reclaim = waits.find(queue.name);
    if (role.kind != QueueRole::Kind::Serving || role.isolation != Isolation::A || queue.stop != StopPolicy::None ||
        reclaim == waits.end() || held[queue.name] || shut.contains(queue.name))
      continue;
    Obligation o = *reclaim->second;
    o.family = Family::Vacuity;
    o.code = code::Vacuity;
    o.required = true;
    o.figures = {};
    o.subject.flavor = o.subject.resource = {};
    Detail detail = *o.detail;
    if (o.verdict == Verdict::Refuted) {
      detail.message =
          fmt::format("nobody can hold what `{}` owns, and it waits all the same: {}", queue.name, detail.message);
    } else {
      if (!detail.waits.empty()) detail.reason = detail.waits;
      detail.message = fmt::format("nobody can hold what `{}` owns, and whether it waits all the same is not known: {}",
                                   queue.name, detail.reason);
    }
    o.say(std::move(detail));
    found.push_back(std::move(o));
  }
  if (found.empty()) return;
  std::erase_if(report.obligations,
                [](const Obligation& o) { return o.family == Family::Vacuity && o.verdict == Verdict::Proven; });
  for (Obligation& o : found) report.add(std::move(o));
}

}  // namespace gpol
