// One scheduling cycle (pkg/scheduler/scheduler.go schedule): a head per active queue, each given an assignment against
// the state as the cycle found it, then processed in order against what the earlier ones took.
#include <algorithm>
#include <set>
#include <tuple>

#include "checker/kueue/amount.h"
#include "checker/kueue/flavor_assigner.h"
#include "checker/kueue/model_impl.h"
#include "checker/kueue/preemption.h"
#include "checker/kueue/tournament.h"

namespace gpol::kueue {

namespace {

struct Entry {
  WorkloadId id = 0;
  Assignment assignment;
  std::vector<Victim> victims;
};

class Cycle {
 public:
  Cycle(ModelState& model, Ledger snapshot) : model_(model), snapshot_(std::move(snapshot)) {}
  std::vector<Decision> run();

 private:
  const Queue& queue_of(const Entry& e) const { return snapshot_.queue(node_of(e)); }
  Node node_of(const Entry& e) const { return model_.workloads[e.id].spec.queue; }
  Entry nominate(WorkloadId id);
  Amounts asked_in_preemption(const Entry& entry) const;
  bool goes_before(const Entry& a, const Entry& b) const;
  std::size_t fairest(const std::vector<Entry>& entries);
  Requeue process(const Entry& entry, bool& admitted, Decision& decision);
  bool still_fits(const Entry& entry);
  bool reserve(const Entry& entry);
  void admit(const Entry& entry);
  std::string borrowed(const Entry& entry, const char* verb) const;

  ModelState& model_;
  Ledger snapshot_;
  std::set<WorkloadId> preempted_;  // victims of entries processed so far
};

// What the search for victims takes the workload to ask (flavorassigner.go TotalRequestsFor): not its pods. Where the
// queue covers them Assign adds them to a copy of the requests, and the workload's own stay as they were.
Amounts Cycle::asked_in_preemption(const Entry& entry) const {
  const auto& names = snapshot_.compiled().cluster().resources;
  Amounts asked = entry.assignment.usage();
  std::erase_if(asked, [&](const Amount& a) { return a.amount == 0 || names[a.fr.resource] == "pods"; });
  return asked;
}

// scheduler.go getAssignments and lastAssignmentOutdated: what the last try learned holds in the next cycle, and later
// as long as nothing left the queue.
Entry Cycle::nominate(WorkloadId id) {
  Workload& workload = model_.workloads[id];
  if (!snapshot_.holds(Rule::ScanProgress)) workload.progress.reset();
  const std::uint64_t generation = model_.generation(workload.spec.queue);
  if (workload.progress && model_.cycles - workload.progress->cycle > 1 && generation > workload.progress->generation)
    workload.progress.reset();
  Entry entry{id, assign_flavors(snapshot_, model_.workloads, id), {}};
  if (entry.assignment.mode == FitMode::Preempt) {
    PreemptionRequest request{model_.workloads, id, asked_in_preemption(entry), {}};
    for (const auto& part : entry.assignment.parts)
      if (part.mode == FitMode::Preempt) request.need.insert(part.fr);
    entry.victims = find_victims(snapshot_, request);
  }
  entry.assignment.progress.generation = generation;
  entry.assignment.progress.cycle = model_.cycles;
  workload.progress = entry.assignment.progress;
  return entry;
}

// scheduler.go makeClassicalIterator.
bool Cycle::goes_before(const Entry& a, const Entry& b) const {
  const auto key = [&](const Entry& e) {
    const Workload& w = model_.workloads[e.id];
    return std::tuple(snapshot_.holds(Rule::OrderByBorrowing) ? e.assignment.borrowing : 0,
                      snapshot_.holds(Rule::OrderByPriority) ? -w.spec.priority : 0, w.created);
  };
  return key(a) < key(b);
}

// fair_sharing_iterator.go.
std::size_t Cycle::fairest(const std::vector<Entry>& entries) {
  std::vector<Contender> contenders;
  for (const Entry& e : entries) {
    const Workload& w = model_.workloads[e.id];
    contenders.push_back({w.spec.queue, e.assignment.usage(), w.spec.priority, w.created});
  }
  return win_tournament(snapshot_, contenders);
}

// scheduler.go fits: with the victims of this entry and of all before it gone.
bool Cycle::still_fits(const Entry& entry) {
  std::set<WorkloadId> gone = preempted_;
  for (const Victim& v : entry.victims) gone.insert(v.workload);
  for (const WorkloadId id : gone) snapshot_.discount(model_.workloads[id]);
  const Amounts usage = entry.assignment.usage();
  const bool fits = std::all_of(usage.begin(), usage.end(),
                                [&](const Amount& a) { return a.amount <= snapshot_.available(node_of(entry), a.fr); });
  for (const WorkloadId id : gone) snapshot_.count(model_.workloads[id]);
  return fits;
}

// scheduler.go reserveCapacityForUnreclaimablePreempt and quotaResourcesToReserve: a head that would have to evict, and
// has nobody to evict, keeps what is free for itself for the rest of the cycle, unless its queue can always reclaim.
bool Cycle::reserve(const Entry& entry) {
  if (queue_of(entry).preemption.reclaim_within_cohort == Reclaim::Any) return false;
  if (!snapshot_.holds(Rule::Reservation)) return false;
  const Node q = node_of(entry);
  bool any = false;
  for (const auto& [fr, amount] : entry.assignment.usage()) {
    const Limits& limits = snapshot_.limits(fr);
    const bool borrows = entry.assignment.borrowing > 0;
    const std::int64_t most = borrows ? ceiling(limits, q) : limits.nominal[q];  // an absent borrowing limit sets none
    const std::int64_t room = saturating_sub(most, snapshot_.used(q, fr));
    const std::int64_t kept = std::min(amount, borrows ? room : std::max<std::int64_t>(0, room));
    // Where debt put the queue above its limit a borrowing head reserves a negative amount: what its cohort stores of
    // the queue stays, and is then not found when a victim of the queue is taken out.
    if (kept < 0)
      snapshot_.lower(q, fr, -kept);
    else
      snapshot_.add(q, fr, kept);
    any = any || kept > 0;
  }
  return any;
}

void Cycle::admit(const Entry& entry) {
  Workload& workload = model_.workloads[entry.id];
  workload.state = WorkloadState::Admitted;
  workload.reserved = model_.cycles;  // of one cycle: the same, as upstream has it to the second
  workload.held = entry.assignment.usage();
  for (const auto& part : entry.assignment.parts) workload.assigned.push_back({part.podset, part.fr, part.amount});
  workload.progress.reset();
  model_.ledger.hold(entry.id, workload);
  ++model_.generations[workload.spec.queue];
  model_.pending_of(workload.spec.queue).forget(entry.id);
}

// What the queue would hold beyond its nominal quota with this entry.
std::string Cycle::borrowed(const Entry& entry, const char* verb) const {
  std::string text;
  const Node q = node_of(entry);
  for (const auto& [fr, amount] : entry.assignment.usage()) {
    const std::int64_t over =
        saturating_sub(saturating_add(snapshot_.used(q, fr), amount), snapshot_.limits(fr).nominal[q]);
    if (over <= 0) continue;
    text += text.empty() ? verb : ", ";
    text += std::to_string(over) + " " + snapshot_.compiled().cluster().resources[fr.resource];
  }
  return text;
}

// scheduler.go processEntry. Returns why the workload is queued again, where it is.
Requeue Cycle::process(const Entry& entry, bool& admitted, Decision& decision) {
  const auto decide = [&](Decision::Kind kind, std::string why) {
    decision.kind = kind;
    decision.why = std::move(why);
  };
  const Assignment& assignment = entry.assignment;
  if (assignment.mode == FitMode::NoFit) {
    decide(Decision::Kind::Inadmissible, assignment.why);
    return Requeue::NoFit;
  }
  if (assignment.mode == FitMode::Preempt && entry.victims.empty()) {
    std::string why = borrowed(entry, "would borrow ");
    why = (why.empty() ? assignment.why : why) + "; there is nobody it may evict";
    decide(reserve(entry) ? Decision::Kind::Reserving : Decision::Kind::Inadmissible, why);
    return Requeue::NoCandidates;
  }
  if (snapshot_.holds(Rule::VictimsOnce) &&
      std::any_of(entry.victims.begin(), entry.victims.end(),
                  [&](const Victim& v) { return preempted_.contains(v.workload); })) {
    decide(Decision::Kind::Skipped, "its victims are evicted for another workload");
    return Requeue::Contended;
  }
  if (snapshot_.holds(Rule::StillFits) && !still_fits(entry)) {
    decide(Decision::Kind::Skipped, "no longer fits after another workload of this cycle");
    return Requeue::Contended;
  }
  const std::string over = borrowed(entry, "borrows ");
  for (const auto& [fr, amount] : assignment.usage()) snapshot_.add(node_of(entry), fr, amount);
  for (const Victim& v : entry.victims) preempted_.insert(v.workload);
  if (assignment.mode == FitMode::Fit) {
    admit(entry);
    admitted = true;
    decide(Decision::Kind::Admitted, over);
    return Requeue::Contended;
  }
  for (const Victim& v : entry.victims) {
    model_.evict(v.workload);
    decision.victims.push_back(v.workload);
  }
  model_.workloads[entry.id].progress.reset();
  decide(Decision::Kind::Preempting, entry.victims.front().reason);
  return Requeue::AwaitsVictims;
}

std::vector<Decision> Cycle::run() {
  std::vector<Entry> entries;
  std::vector<WorkloadId> mismatched;  // scheduler.go nominate: ValidateAdmissibility
  for (auto& [queue, pending] : model_.pending) {
    if (!snapshot_.scheduled(queue)) continue;
    const auto id = pending.pop(model_.workloads, snapshot_);
    if (!id) continue;
    if (model_.workloads[*id].spec.namespace_matches || !snapshot_.holds(Rule::NamespaceSelector))
      entries.push_back(nominate(*id));
    else
      mismatched.push_back(*id);
  }
  const bool fair = snapshot_.compiled().cluster().config.fair_sharing;
  if (!fair)
    std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) { return goes_before(a, b); });
  std::vector<Decision> decisions;
  std::vector<std::pair<WorkloadId, Requeue>> again;
  while (!entries.empty()) {
    const auto at = entries.begin() + static_cast<std::ptrdiff_t>(fair ? fairest(entries) : 0);
    const Entry entry = std::move(*at);
    entries.erase(at);
    Decision decision;
    decision.workload = entry.id;
    if (entry.assignment.mode != FitMode::NoFit && !entry.assignment.parts.empty())
      decision.flavor = entry.assignment.parts.front().fr.flavor;
    bool admitted = false;
    const Requeue reason = process(entry, admitted, decision);
    if (!admitted) again.emplace_back(entry.id, reason);
    decisions.push_back(std::move(decision));
  }
  for (const WorkloadId id : mismatched) {
    Decision decision;
    decision.workload = id;
    decision.why = "its queue does not select its namespace";
    decisions.push_back(std::move(decision));
    again.emplace_back(id, Requeue::NamespaceMismatch);
  }
  for (const auto& [id, reason] : again)
    model_.pending_of(model_.workloads[id].spec.queue).requeue(model_.workloads, snapshot_, id, reason);
  model_.arbitrary = model_.arbitrary || snapshot_.arbitrary();
  return decisions;
}

}  // namespace

// The scheduler waits for a head to look at: without one no cycle passes (manager.go Heads).
bool ModelState::any_head() const {
  return std::any_of(pending.begin(), pending.end(), [&](const auto& entry) {
    return !entry.second.waiting().empty() && ledger.scheduled(entry.first);
  });
}

std::vector<Decision> ModelState::cycle() {
  if (!ledger.holds(Rule::FreedUnheard))
    for (const Node queue : std::set<Node>(unheard)) retry_tree_of(queue);
  if (!ledger.holds(Rule::LocalQueueStopped))
    for (const auto& [local, policy] : locals)
      if (policy != StopPolicy::None) start_local(local.first, local.second);
  std::vector<Decision> decisions;
  if (any_head()) {
    ++cycles;
    decisions = Cycle(*this, ledger).run();
  }
  if (!ledger.holds(Rule::LocalQueueStopped))
    for (const auto& [local, policy] : locals)
      if (policy != StopPolicy::None) hold_local(local.first, local.second);
  return decisions;
}

}  // namespace gpol::kueue
