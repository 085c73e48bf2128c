#include "checker/kueue/candidates.h"

#include <algorithm>
#include <tuple>

#include "checker/kueue/amount.h"
#include "checker/planted.h"

namespace gpol::kueue {

namespace {

// resource_node.go IsWithinNominalInResources: on none of what the preemptor needs does the node exceed its quota.
bool within_nominal(const Ledger& snapshot, Node v, const std::set<FlavorResource>& need) {
  const auto above = [&](const FlavorResource& fr) { return snapshot.borrowing_with(v, fr, 0); };
  return planted(Bug::ModelVictimAboveAll) ? !std::ranges::all_of(need, above) : std::ranges::none_of(need, above);
}

// resource_node.go QuantitiesFitInQuota: does all that is still asked for fit within the quota of this subtree; and
// what is left to ask of the next level.
bool fits_in_quota(const Ledger& snapshot, Node v, Amounts& remaining) {
  bool fits = true;
  for (auto& [fr, amount] : remaining) {
    if (snapshot.borrowing_with(v, fr, amount)) fits = false;
    amount = spilled(amount, snapshot.local_available(v, fr));
  }
  return fits;
}

// preemption/common/preemption_policy.go.
bool satisfies_within(const Ledger& snapshot, Within policy, const Workload& preemptor, const Workload& victim) {
  constexpr std::uint64_t kBuffer = 5 * 60;  // timestampPreemptionBuffer
  const std::int64_t ours = snapshot.priority(preemptor), theirs = snapshot.priority(victim);
  if (policy == Within::LowerPriority) return theirs < ours;
  if (policy != Within::LowerOrNewerEqualPriority) return false;
  const std::uint64_t older_by = snapshot.on(Gate::SchedulerTimestampPreemptionBuffer) ? kBuffer : 0;
  return theirs < ours || (theirs == ours && snapshot.queue_time(preemptor) + older_by < snapshot.queue_time(victim));
}

bool satisfies_reclaim(const Ledger& snapshot, Reclaim policy, const Workload& preemptor, const Workload& victim) {
  if (policy == Reclaim::LowerPriority && planted(Bug::ModelEqualPriority))
    return snapshot.priority(victim) <= snapshot.priority(preemptor);
  if (policy == Reclaim::LowerPriority) return snapshot.priority(victim) < snapshot.priority(preemptor);
  return policy == Reclaim::Any || planted(Bug::ModelReclaimNever);
}

// hierarchical_preemption.go WorkloadUsesResources.
bool uses_any(const Workload& victim, const std::set<FlavorResource>& need) {
  return std::ranges::any_of(victim.held, [&](const Amount& held) { return need.contains(held.fr); });
}

// hierarchical_preemption.go classifyPreemptionVariant.
Variant classify(const Ledger& snapshot, const PreemptionRequest& request, const Workload& victim, bool has_advantage) {
  const Workload& preemptor = request.workloads[request.preemptor];
  const Preemption& settings = snapshot.queue(preemptor.spec.queue).preemption;
  if (!uses_any(victim, request.need)) return Variant::Never;
  if (victim.spec.queue == preemptor.spec.queue)
    return satisfies_within(snapshot, settings.within_cluster_queue, preemptor, victim) ? Variant::WithinQueue
                                                                                        : Variant::Never;
  // The policy binds hierarchical candidates too.
  if (!satisfies_reclaim(snapshot, settings.reclaim_within_cohort, preemptor, victim)) return Variant::Never;
  if (has_advantage) return Variant::Hierarchical;
  if (settings.borrow_within_cohort == BorrowWithin::Never || planted(Bug::ModelNeverWhileBorrowing))
    return Variant::ReclaimWithoutBorrowing;
  const std::int64_t theirs = snapshot.priority(victim);
  const bool threshold = settings.max_priority_threshold && !planted(Bug::ModelThresholdIgnored);
  const bool above = theirs >= snapshot.priority(preemptor) || (threshold && theirs > *settings.max_priority_threshold);
  return above ? Variant::ReclaimWithoutBorrowing : Variant::ReclaimWhileBorrowing;
}

struct Level {
  Node cohort = kRoot;
  bool has_advantage = false;
};

// The preemptor's ancestors. It has an advantage over what it meets at one if the request fits the quota of its queue,
// or of an ancestor below that one.
std::vector<Level> levels(const Ledger& snapshot, Node queue, Amounts remaining) {
  std::vector<Level> levels;
  bool advantage = fits_in_quota(snapshot, queue, remaining);
  for (Node v = snapshot.shape().parent[queue]; v != kRoot; v = snapshot.shape().parent[v]) {
    levels.push_back({v, advantage && snapshot.holds(Rule::Advantage)});
    if (fits_in_quota(snapshot, v, remaining)) advantage = true;
  }
  return levels;
}

// Whether `queue`, and each cohort above it below `meets`, exceeds its quota on something needed.
bool exceeds_up_to(const Ledger& snapshot, Node queue, Node meets, const std::set<FlavorResource>& need) {
  for (Node v = queue; v != meets; v = snapshot.shape().parent[v])
    if (snapshot.holds(v == queue ? Rule::VictimAboveNominal : Rule::CohortAboveQuota) &&
        within_nominal(snapshot, v, need))
      return false;
  return true;
}

// Upstream walks down from each ancestor; walking up from the few queues that hold anything finds the same candidates.
void collect_from(const Ledger& snapshot, const PreemptionRequest& request, const std::vector<Level>& ancestors,
                  std::span<const HeldAt> held, std::vector<Candidate>& out) {
  const Node queue = held.front().queue;
  const Node own = request.workloads[request.preemptor].spec.queue;
  Level meets;
  if (queue != own) {
    // Not in the snapshot: nobody can evict from it.
    if (snapshot.holds(Rule::InactiveKept) && !snapshot.scheduled(queue)) return;
    for (Node v = queue; v != kRoot && meets.cohort == kRoot; v = snapshot.shape().parent[v])
      if (const auto at = std::ranges::find(ancestors, v, &Level::cohort); at != ancestors.end()) meets = *at;
    if (meets.cohort == kRoot || !exceeds_up_to(snapshot, queue, meets.cohort, request.need)) return;
  }
  for (const HeldAt& one : held) {
    const Variant variant = classify(snapshot, request, request.workloads[one.id], meets.has_advantage);
    if (variant != Variant::Never) out.push_back({one.id, meets.cohort, variant});
  }
}

// What is listed at each queue in turn; `at` is given never nothing.
template <class At>
void each_queue(const Ledger& snapshot, At at) {
  for (auto rest = snapshot.holders(); !rest.empty();) {
    const auto more = std::ranges::find_if(rest, [&](const HeldAt& held) { return held.queue != rest.front().queue; });
    const auto count = static_cast<std::size_t>(more - rest.begin());
    at(rest.first(count));
    rest = rest.subspan(count);
  }
}

}  // namespace

const char* reason(Variant variant) {
  switch (variant) {
    case Variant::WithinQueue:
      return "InClusterQueue";
    case Variant::ReclaimWhileBorrowing:
      return "InCohortReclaimWhileBorrowing";
    case Variant::Hierarchical:
    case Variant::ReclaimWithoutBorrowing:
      return "InCohortReclamation";
    case Variant::Never:
      break;
  }
  return "";
}

Candidates collect_candidates(const Ledger& snapshot, const PreemptionRequest& request) {
  const Node own = request.workloads[request.preemptor].spec.queue;
  const std::vector<Level> ancestors = levels(snapshot, own, request.requests);
  Candidates found;
  each_queue(snapshot,
             [&](std::span<const HeldAt> held) { collect_from(snapshot, request, ancestors, held, found.in_order); });
  for (const Candidate& c : found.in_order) {
    if (c.variant != Variant::WithinQueue) found.any_from_other_queues = true;
    if (c.variant == Variant::Hierarchical) found.any_hierarchical = true;
  }
  // candidate_generator.go NewCandidateIterator and preemption/common/ordering.go: those already evicted, then by
  // group, in each the lowest priority and, of equal ones, the most recently admitted first.
  const auto group = [](Variant v) { return v == Variant::Hierarchical ? 0 : v == Variant::WithinQueue ? 2 : 1; };
  const auto key = [&](const Candidate& c) {
    const Workload& w = request.workloads[c.workload];
    return std::tuple(snapshot.holds(Rule::EvictedFirst) && w.state != WorkloadState::Evicting, group(c.variant),
                      snapshot.holds(Rule::LowestPriorityFirst) ? snapshot.priority(w) : 0,
                      snapshot.holds(Rule::NewestFirst) ? ~w.reserved : 0, c.workload);
  };
  std::ranges::sort(found.in_order, [&](const Candidate& a, const Candidate& b) { return key(a) < key(b); });
  return found;
}

std::vector<WorkloadId> fair_candidates(const Ledger& snapshot, const PreemptionRequest& request) {
  const Workload& preemptor = request.workloads[request.preemptor];
  const Node own = preemptor.spec.queue;
  const Preemption& settings = snapshot.queue(own).preemption;
  const auto root = [&](Node v) { return root_of(snapshot.shape(), v); };
  std::vector<WorkloadId> found;
  each_queue(snapshot, [&](std::span<const HeldAt> held) {
    const Node queue = held.front().queue;
    const bool kept = snapshot.holds(Rule::InactiveKept) && !snapshot.scheduled(queue);
    const bool within = snapshot.holds(Rule::VictimAboveNominal) && within_nominal(snapshot, queue, request.need);
    if (queue != own && (kept || root(queue) != root(own) || within)) return;
    for (const HeldAt& one : held) {
      const Workload& victim = request.workloads[one.id];
      const bool legal = queue == own ? satisfies_within(snapshot, settings.within_cluster_queue, preemptor, victim)
                                      : satisfies_reclaim(snapshot, settings.reclaim_within_cohort, preemptor, victim);
      if (legal && uses_any(victim, request.need)) found.push_back(one.id);
    }
  });
  // preemption/common/ordering.go CandidatesOrdering.
  const auto key = [&](WorkloadId id) {
    const Workload& w = request.workloads[id];
    return std::tuple(snapshot.holds(Rule::EvictedFirst) && w.state != WorkloadState::Evicting, w.spec.queue == own,
                      snapshot.holds(Rule::LowestPriorityFirst) ? snapshot.priority(w) : 0,
                      snapshot.holds(Rule::NewestFirst) ? ~w.reserved : 0, id);
  };
  std::ranges::sort(found, [&](WorkloadId a, WorkloadId b) { return key(a) < key(b); });
  return found;
}

// candidate_generator.go candidateIsValid.
bool still_valid(const Ledger& snapshot, const PreemptionRequest& request, const Candidate& candidate,
                 bool may_borrow) {
  if (candidate.variant == Variant::WithinQueue) return true;
  if (snapshot.holds(Rule::EndsWithinNominal) && may_borrow && candidate.variant == Variant::ReclaimWithoutBorrowing)
    return false;
  return exceeds_up_to(snapshot, request.workloads[candidate.workload].spec.queue, candidate.meets, request.need);
}

}  // namespace gpol::kueue
