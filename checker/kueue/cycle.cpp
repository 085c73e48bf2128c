// One scheduling cycle (pkg/scheduler/scheduler.go schedule): a head per active queue, each given an assignment against
// the state as the cycle found it, then processed in order against what the earlier ones took.
#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "checker/kueue/amount.h"
#include "checker/kueue/candidates.h"
#include "checker/kueue/flavor_assigner.h"
#include "checker/kueue/model_impl.h"
#include "checker/kueue/preemption.h"
#include "checker/kueue/tournament.h"

namespace gpol::kueue {

namespace {

class Cycle {
 public:
  Cycle(ModelState& model, CycleState state) : model_(model), state_(std::move(state)), snapshot_(state_.snapshot) {}
  Cycle(const Cycle&) = delete;
  Cycle& operator=(const Cycle&) = delete;

  void nominate_heads();
  // Until the end, or until an entry must wait.
  std::vector<Decision> process_entries();

 private:
  const Queue& queue_of(const Entry& e) const { return snapshot_.queue(node_of(e)); }
  Node node_of(const Entry& e) const { return model_.workloads[e.id].spec.queue; }
  const std::vector<Workload>& workloads() const { return state_.seen.empty() ? model_.workloads : state_.seen; }
  void forget_progress(WorkloadId id);
  void assign(Entry& entry, const Nominated* nominated);
  void nominate(Entry& entry);
  void nominate_again(Entry& entry);
  Amounts asked_in_preemption(const Entry& entry) const;
  bool goes_before(const Entry& a, const Entry& b) const;
  void note_ties();
  std::size_t fairest();
  Requeue process(Entry& entry, Decision& decision);
  Requeue preempt(const Entry& entry, Decision& decision);
  bool still_fits(const Entry& entry);
  bool reserve(const Entry& entry);
  void admit(const Entry& entry);
  void tell_unready();
  std::string borrowed(const Entry& entry, const char* verb) const;

  ModelState& model_;
  CycleState state_;
  Ledger& snapshot_;
};

// What the search for victims takes the workload to ask (flavorassigner.go TotalRequestsFor): not its pods. Where the
// queue covers them Assign adds them to a copy of the requests, and the workload's own stay as they were.
Amounts Cycle::asked_in_preemption(const Entry& entry) const {
  const auto& names = snapshot_.compiled().cluster().resources;
  Amounts asked = entry.assignment.usage();
  std::erase_if(asked, [&](const Amount& a) { return a.amount == 0 || names[a.fr.resource] == "pods"; });
  return asked;
}

void Cycle::forget_progress(WorkloadId id) {
  model_.workloads[id].progress.reset();
  if (!state_.seen.empty()) state_.seen[id].progress.reset();
}

// scheduler.go getInitialAssignments.
void Cycle::assign(Entry& entry, const Nominated* nominated) {
  entry.assignment = assign_flavors(snapshot_, workloads(), entry.id, nominated);
  entry.victims.clear();
  if (entry.assignment.mode == FitMode::Preempt) {
    PreemptionRequest request{workloads(), entry.id, asked_in_preemption(entry), {}};
    for (const auto& part : entry.assignment.parts)
      if (part.mode == FitMode::Preempt) request.need.insert(part.fr);
    entry.victims = find_victims(snapshot_, request);
  }
}

// scheduler.go getAssignments and lastAssignmentOutdated: what the last try learned holds in the next cycle, and later
// as long as nothing left the queue.
void Cycle::nominate(Entry& entry) {
  Workload& workload = model_.workloads[entry.id];
  if (!snapshot_.holds(Rule::ScanProgress)) workload.progress.reset();
  const std::uint64_t generation = model_.generation(workload.spec.queue);
  if (const auto& last = workload.progress) {
    const bool recent = snapshot_.on(Gate::FlavorFungibilityPreserveScanProgress) && model_.cycles - last->cycle <= 1;
    if (!recent && generation > last->generation) workload.progress.reset();
  }
  assign(entry, nullptr);
  entry.assignment.progress.generation = generation;
  entry.assignment.progress.cycle = model_.cycles;
  workload.progress = entry.assignment.progress;
}

// scheduler.go updateAssignmentIfNeeded: as if the victims of all entries before it were gone, and on the flavors of
// its nomination. What it learns is remembered.
void Cycle::nominate_again(Entry& entry) {
  Nominated nominated;
  for (const auto& part : entry.assignment.parts) nominated[{part.podset, part.fr.resource}] = part.fr.flavor;
  Progress progress = entry.assignment.progress;
  forget_progress(entry.id);
  for (const WorkloadId id : state_.preempted) snapshot_.release(id, workloads()[id]);
  assign(entry, &nominated);
  for (const WorkloadId id : state_.preempted) snapshot_.hold(id, workloads()[id]);
  progress.tried = entry.assignment.progress.tried;
  entry.assignment.progress = progress;
  model_.workloads[entry.id].progress = progress;
}

// scheduler.go makeClassicalIterator.
bool Cycle::goes_before(const Entry& a, const Entry& b) const {
  const auto key = [&](const Entry& e) {
    const Workload& w = workloads()[e.id];
    return std::tuple(!(snapshot_.on(Gate::PrioritizePreemptorWorkloads) && e.preemptor),
                      snapshot_.holds(Rule::OrderByBorrowing) ? e.assignment.borrowing : 0,
                      snapshot_.holds(Rule::OrderByPriority) ? -snapshot_.priority(w) : 0, snapshot_.queue_time(w));
  };
  return key(a) < key(b);
}

// Two that were evicted at once, and have kept that time, may come in either order.
void Cycle::note_ties() {
  for (std::size_t i = 1; i < state_.entries.size(); ++i)
    if (!goes_before(state_.entries[i - 1], state_.entries[i])) snapshot_.note_arbitrary();
}

// fair_sharing_iterator.go.
std::size_t Cycle::fairest() {
  std::vector<Contender> contenders;
  for (const Entry& e : state_.entries) {
    const Workload& w = workloads()[e.id];
    contenders.push_back(
        {w.spec.queue, e.assignment.usage(), snapshot_.priority(w), snapshot_.queue_time(w), e.preemptor});
  }
  return win_tournament(snapshot_, contenders);
}

// scheduler.go fits: with the victims of this entry and of all before it gone.
bool Cycle::still_fits(const Entry& entry) {
  std::set<WorkloadId> gone = state_.preempted;
  for (const Victim& v : entry.victims) gone.insert(v.workload);
  for (const WorkloadId id : gone) snapshot_.discount(workloads()[id]);
  const Amounts usage = entry.assignment.usage();
  const bool fits = std::ranges::all_of(
      usage, [&](const Amount& a) { return a.amount <= snapshot_.available(node_of(entry), a.fr); });
  for (const WorkloadId id : gone) snapshot_.count(workloads()[id]);
  return fits;
}

// scheduler.go reserveCapacityForUnreclaimablePreempt and quotaResourcesToReserve: a head that would have to evict, and
// has nobody to evict, keeps what is free for itself for the rest of the cycle, unless its queue can always reclaim.
bool Cycle::reserve(const Entry& entry) {
  const bool awaits_victims = snapshot_.on(Gate::PrioritizePreemptorWorkloads) && entry.preemptor;
  if (queue_of(entry).preemption.reclaim_within_cohort == Reclaim::Any && !awaits_victims) return false;
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
  const Node queue = workload.spec.queue;
  ++model_.generations[queue];
  if (workload.state == WorkloadState::Gone) return;  // while the cycle waited
  workload.state = WorkloadState::Admitted;
  workload.reserved = model_.clock;  // of one cycle: the same, as upstream has it to the second
  workload.evicted.reset();
  workload.ready = workload.ready_told = false;
  workload.held = entry.assignment.usage();
  for (const auto& part : entry.assignment.parts) workload.assigned.push_back({part.podset, part.fr, part.amount});
  workload.progress.reset();
  model_.ledger.hold(entry.id, workload);
  // Of one whose LocalQueue was stopped while the cycle waited the queues do not hear (manager.go
  // deleteWorkloadWithoutLock finds no LocalQueue).
  if (model_.runs(workload.spec)) model_.pending_of(queue).forget(entry.id);
  if (model_.drained(workload.spec)) model_.evict(entry.id);  // while the cycle waited
}

// The cache hears of it when the cycle has ended, or waits again.
void Cycle::tell_unready() {
  for (const WorkloadId id : state_.unready) model_.workloads[id].ready = false;
  state_.unready.clear();
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

// scheduler.go issuePreemptions.
Requeue Cycle::preempt(const Entry& entry, Decision& decision) {
  for (const Victim& v : entry.victims) {
    // What upstream does to one that has changed while the cycle waited depends on which of its writes come first.
    if (!state_.seen.empty() && model_.workloads[v.workload].state != state_.seen[v.workload].state)
      snapshot_.note_arbitrary();
    // What is written of it is all as the cycle knows it, its pods' readiness too (patching.go admissionStatusPatch);
    // nothing where it was being evicted already.
    if (!state_.seen.empty())
      if (const Workload& seen = state_.seen[v.workload];
          seen.state == WorkloadState::Admitted && seen.ready_told && !seen.ready)
        state_.unready.push_back(v.workload);
    const bool while_borrowing = std::string_view(v.reason) == reason(Variant::ReclaimWhileBorrowing);
    model_.evict(v.workload, while_borrowing ? Eviction::ReclaimWhileBorrowing : Eviction::Other);
    decision.victims.push_back(v.workload);
  }
  forget_progress(entry.id);
  decision.kind = Decision::Kind::Preempting;
  decision.why = entry.victims.front().reason;
  return Requeue::AwaitsVictims;
}

// scheduler.go processEntry, but for an entry that fits: that is admitted, or waits. Returns why the workload is queued
// again, where it is.
Requeue Cycle::process(Entry& entry, Decision& decision) {
  const auto decide = [&](Decision::Kind kind, std::string why) {
    decision.kind = kind;
    decision.why = std::move(why);
  };
  const auto overlaps = [&] {
    return std::ranges::any_of(entry.victims, [&](const Victim& v) { return state_.preempted.contains(v.workload); });
  };
  const Assignment& assignment = entry.assignment;
  if (snapshot_.on(Gate::RecomputeAssignmentUponPreemptionTargetsOverlap) && overlaps()) {
    nominate_again(entry);
    if (assignment.mode == FitMode::Fit) {  // DeferredFit
      for (const auto& [fr, amount] : assignment.usage()) snapshot_.add(node_of(entry), fr, amount);
      forget_progress(entry.id);
      decide(Decision::Kind::Skipped, "will fit once the victims of another workload are gone");
      return Requeue::AwaitsVictims;
    }
  }
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
  const bool contended = snapshot_.holds(Rule::VictimsOnce) && overlaps();
  if (contended || (snapshot_.holds(Rule::StillFits) && !still_fits(entry))) {
    if (!snapshot_.on(Gate::FlavorFungibilityPreserveScanProgress)) forget_progress(entry.id);
    decide(Decision::Kind::Skipped, contended ? "its victims are evicted for another workload"
                                              : "no longer fits after another workload of this cycle");
    return Requeue::Contended;
  }
  decision.why = borrowed(entry, "borrows ");
  for (const auto& [fr, amount] : assignment.usage()) snapshot_.add(node_of(entry), fr, amount);
  for (const Victim& v : entry.victims) state_.preempted.insert(v.workload);
  if (assignment.mode == FitMode::Preempt) return preempt(entry, decision);
  decision.kind = Decision::Kind::Admitted;
  return Requeue::Contended;
}

void Cycle::nominate_heads() {
  for (const auto& [queue, id] : model_.pop_heads(snapshot_))
    if (model_.workloads[id].spec.namespace_matches || !snapshot_.holds(Rule::NamespaceSelector))
      state_.entries.push_back({id, model_.pending.at(queue).preempts(id), {}, {}});
    else
      state_.mismatched.push_back(id);
  for (Entry& entry : state_.entries) nominate(entry);
  if (snapshot_.compiled().cluster().config.fair_sharing) {
    std::set<Node> roots;  // of the trees in which something happens
    for (const Entry& entry : state_.entries)
      if (entry.assignment.mode == FitMode::Fit || !entry.victims.empty())
        roots.insert(root_of(snapshot_.shape(), node_of(entry)));
    state_.any_order = roots.size() > 1;
    return;
  }
  std::ranges::sort(state_.entries, [&](const Entry& a, const Entry& b) { return goes_before(a, b); });
  note_ties();
}

std::vector<Decision> Cycle::process_entries() {
  if (state_.waits) admit(*state_.waits);
  state_.waits.reset();
  const bool fair = snapshot_.compiled().cluster().config.fair_sharing;
  std::vector<Decision> decisions;
  while (!state_.entries.empty()) {
    const auto at = state_.entries.begin() + static_cast<std::ptrdiff_t>(fair ? fairest() : 0);
    Entry entry = std::move(*at);
    state_.entries.erase(at);
    Decision decision;
    decision.workload = entry.id;
    const Requeue reason = process(entry, decision);
    if (entry.assignment.mode != FitMode::NoFit && !entry.assignment.parts.empty())
      decision.flavor = entry.assignment.parts.front().fr.flavor;
    decisions.push_back(std::move(decision));
    if (decisions.back().kind != Decision::Kind::Admitted) {
      state_.again.emplace_back(entry.id, reason);
    } else if (model_.all_ready()) {
      admit(entry);
    } else {  // scheduler.go waitForPodsReadyIfNeeded
      decisions.pop_back();
      model_.arbitrary = model_.arbitrary || snapshot_.arbitrary() || state_.any_order;
      state_.waits = std::move(entry);
      tell_unready();
      if (state_.seen.empty()) state_.seen = model_.workloads;
      model_.paused = std::move(state_);
      return decisions;
    }
  }
  for (const WorkloadId id : state_.mismatched) {  // scheduler.go nominate: ValidateAdmissibility
    Decision decision;
    decision.workload = id;
    decision.why = "its queue does not select its namespace";
    decisions.push_back(std::move(decision));
    state_.again.emplace_back(id, Requeue::NamespaceMismatch);
  }
  for (const auto& [id, reason] : state_.again) {
    const Workload& workload = model_.workloads[id];  // where the cycle waited it may be gone, or nobody may ask for it
    if (workload.state != WorkloadState::Pending || !model_.runs(workload.spec)) continue;
    PendingQueue& queue = model_.pending_of(workload.spec.queue);
    const bool anew = queue.waiting().contains(id);  // with what its new listing knows, that is nothing
    if (!queue.requeue(model_.workloads, model_.ledger, id, reason)) snapshot_.note_arbitrary();
    if (anew) model_.workloads[id].progress.reset();
  }
  tell_unready();
  model_.arbitrary = model_.arbitrary || snapshot_.arbitrary();
  return decisions;
}

}  // namespace

std::vector<Decision> ModelState::cycle() {
  if (paused) {
    if (!all_ready()) return {};
    Cycle cycle(*this, std::move(*paused));
    paused.reset();
    return cycle.process_entries();
  }
  if (!ledger.holds(Rule::FreedUnheard))
    for (const Node queue : std::set<Node>(unheard)) retry_tree_of(queue);
  if (!ledger.holds(Rule::LocalQueueStopped))
    for (const auto& [local, policy] : locals)
      if (policy != StopPolicy::None) start_local(local.first, local.second);
  std::vector<Decision> decisions;
  if (any_head()) {
    ++cycles;
    Cycle cycle(*this, CycleState(ledger));
    cycle.nominate_heads();
    decisions = cycle.process_entries();
  } else {
    pop_heads(ledger);  // none is found, and none is in flight any more
  }
  if (!ledger.holds(Rule::LocalQueueStopped))
    for (const auto& [local, policy] : locals)
      if (policy != StopPolicy::None) hold_local(local.first, local.second);
  return decisions;
}

}  // namespace gpol::kueue
