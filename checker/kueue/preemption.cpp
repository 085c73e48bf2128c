#include "checker/kueue/preemption.h"

#include <algorithm>

#include "checker/kueue/amount.h"
#include "checker/kueue/candidates.h"
#include "checker/kueue/fair_preemption.h"
#include "checker/planted.h"

namespace gpol::kueue {

namespace {

// preemption.go workloadFits.
bool fits(const Ledger& snapshot, Node queue, const Amounts& requests, bool may_borrow) {
  for (const auto& [fr, amount] : requests) {
    if (!may_borrow && snapshot.holds(Rule::EndsWithinNominal) && snapshot.borrowing_with(queue, fr, amount))
      return false;
    const bool room = amount <= snapshot.available(queue, fr);
    if (room && planted(Bug::ModelAnyQuotaAvailable)) return true;
    if (!room) return false;
  }
  return true;
}

// preemption.go queueUnderNominalInResourcesNeedingPreemption: strictly below, on each of them.
bool under_nominal(const Ledger& snapshot, Node queue, const std::set<FlavorResource>& need) {
  return std::ranges::all_of(
      need, [&](const FlavorResource& fr) { return snapshot.limits(fr).nominal[queue] > snapshot.used(queue, fr); });
}

// preemption.go classicalPreemptions: the attempts in their order; true is "may borrow".
std::vector<bool> attempts(const Ledger& snapshot, Node queue, const std::set<FlavorResource>& need,
                           const Candidates& candidates) {
  const bool forbidden = snapshot.queue(queue).preemption.borrow_within_cohort == BorrowWithin::Never;
  if (!candidates.any_from_other_queues || (forbidden && !under_nominal(snapshot, queue, need))) return {true};
  if (forbidden && !candidates.any_hierarchical) return {false, true};
  return {true, false};
}

// preemption.go fillBackWorkloads: whoever is not needed after all stays, the last removed asked first.
std::vector<Victim> fill_back(Ledger& snapshot, const PreemptionRequest& request, Node queue,
                              std::vector<Victim> victims, bool may_borrow) {
  if (!snapshot.holds(Rule::FillBack)) return victims;
  for (std::size_t i = victims.size() - 1; i-- > 0;) {  // not the last: its removal made the preemptor fit
    const WorkloadId candidate = victims[i].workload;
    snapshot.hold(candidate, request.workloads[candidate]);
    if (fits(snapshot, queue, request.requests, may_borrow)) {
      victims[i] = victims.back();
      victims.pop_back();
    } else {
      snapshot.release(candidate, request.workloads[candidate]);
    }
  }
  return victims;
}

void restore(Ledger& snapshot, const PreemptionRequest& request, const std::vector<Victim>& victims) {
  for (const Victim& v : victims) snapshot.hold(v.workload, request.workloads[v.workload]);
}

}  // namespace

std::vector<Victim> find_victims(Ledger& snapshot, const PreemptionRequest& request) {
  const Node queue = request.workloads[request.preemptor].spec.queue;
  if (snapshot.compiled().cluster().config.fair_sharing) {
    std::vector<Victim> victims = fair_victims(snapshot, request);
    if (victims.empty()) return victims;
    victims = fill_back(snapshot, request, queue, std::move(victims), true);
    restore(snapshot, request, victims);
    return victims;
  }
  const Candidates candidates = collect_candidates(snapshot, request);
  for (const bool may_borrow : attempts(snapshot, queue, request.need, candidates)) {
    std::vector<Victim> victims;
    for (const Candidate& candidate : candidates.in_order) {
      if (!still_valid(snapshot, request, candidate, may_borrow)) continue;
      snapshot.release(candidate.workload, request.workloads[candidate.workload]);
      victims.push_back({candidate.workload, reason(candidate.variant)});
      if (!fits(snapshot, queue, request.requests, may_borrow)) continue;
      victims = fill_back(snapshot, request, queue, std::move(victims), may_borrow);
      restore(snapshot, request, victims);
      return victims;
    }
    restore(snapshot, request, victims);
    if (!snapshot.holds(Rule::AllOrNothing) && !victims.empty()) return victims;
  }
  return {};
}

// hierarchical_preemption.go FindHeightOfLowestSubtreeThatFits.
std::pair<int, bool> lowest_subtree_that_fits(const Ledger& snapshot, Node queue, FlavorResource fr,
                                              std::int64_t amount) {
  const auto& parent = snapshot.shape().parent;
  const bool has_parent = parent[queue] != kRoot;
  if (!has_parent || !snapshot.borrowing_with(queue, fr, amount)) return {0, has_parent};
  std::int64_t remaining = saturating_sub(amount, snapshot.local_available(queue, fr));
  Node root = parent[queue];
  for (Node v = parent[queue]; v != kRoot; v = parent[v]) {
    if (!snapshot.borrowing_with(v, fr, remaining)) return {snapshot.height(v), parent[v] != kRoot};
    remaining = saturating_sub(remaining, snapshot.local_available(v, fr));
    root = v;
  }
  return {snapshot.height(root), false};
}

std::pair<Possibility, int> simulate_preemption(Ledger& snapshot, const std::vector<Workload>& workloads,
                                                WorkloadId preemptor, FlavorResource fr, std::int64_t amount) {
  const Node queue = workloads[preemptor].spec.queue;
  const std::vector<Victim> victims = find_victims(snapshot, {workloads, preemptor, {{fr, amount}}, {fr}});
  for (const Victim& v : victims) snapshot.discount(workloads[v.workload]);
  const int height = lowest_subtree_that_fits(snapshot, queue, fr, amount).first;
  for (const Victim& v : victims) snapshot.count(workloads[v.workload]);
  if (victims.empty()) return {Possibility::NoCandidates, height};
  const bool own =
      std::ranges::any_of(victims, [&](const Victim& v) { return workloads[v.workload].spec.queue == queue; });
  return {own ? Possibility::Preempt : Possibility::Reclaim, height};
}

}  // namespace gpol::kueue
