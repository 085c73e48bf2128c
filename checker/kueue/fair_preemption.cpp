#include "checker/kueue/fair_preemption.h"

#include <algorithm>

#include "checker/kueue/candidates.h"
#include "checker/kueue/fair_order.h"
#include "checker/planted.h"

namespace gpol::kueue {

namespace {

using Strategies = KueueConfig::FairStrategies;

class FairSearch {
 public:
  FairSearch(Ledger& snapshot, const PreemptionRequest& request)
      : snapshot_(snapshot), request_(request), own_(request.workloads[request.preemptor].spec.queue) {}

  std::vector<Victim> run() {
    const std::vector<WorkloadId> candidates = fair_candidates(snapshot_, request_);
    if (candidates.empty()) return {};
    for (const WorkloadId id : candidates) rank_.emplace(id, rank_.size());
    const Strategies strategies = snapshot_.compiled().cluster().config.fair_strategies;
    usage(+1);  // shares include the incoming workload
    bool fits = first(candidates, strategies != Strategies::LessThanInitialShare);
    if (!fits && strategies == Strategies::Both) fits = second();
    usage(-1);
    if (fits) return std::move(victims_);
    for (const Victim& v : victims_) snapshot_.hold(v.workload, request_.workloads[v.workload]);
    return {};
  }

 private:
  void usage(int sign) {
    for (const auto& [fr, amount] : request_.requests) snapshot_.add(own_, fr, sign * amount);
  }

  // workloadFitsForFairSharing
  bool fits() {
    usage(-1);
    const bool fits = std::ranges::all_of(request_.requests,
                                          [&](const Amount& a) { return a.amount <= snapshot_.available(own_, a.fr); });
    usage(+1);
    return fits;
  }

  bool take(WorkloadId id, const char* reason) {
    snapshot_.release(id, request_.workloads[id]);
    victims_.push_back({id, reason});
    return fits();
  }

  // queueWithinNominalInResourcesNeedingPreemption, the incoming workload included.
  bool within_nominal() const {
    return std::ranges::none_of(request_.need,
                                [&](const FlavorResource& fr) { return snapshot_.borrowing_with(own_, fr, 0); });
  }

  static bool infinite(const Share& share) { return share.weight == 0 && share.ratio != 0; }

  // The share of the victim's side with the workload gone.
  Share without(WorkloadId id, Node node) {
    snapshot_.discount(request_.workloads[id]);
    Share share = dominant_share(snapshot_, node);
    snapshot_.count(request_.workloads[id]);
    return share;
  }

  // runFirstFsStrategy: LessThanOrEqualToFinalShare, or LessThanInitialShare where that is the only one.
  bool first(const std::vector<WorkloadId>& candidates, bool final_share) {
    FairOrder order(snapshot_, request_.workloads, own_, candidates, rank_);
    const bool entitled = snapshot_.holds(Rule::EntitledToNominal) && within_nominal();
    while (const auto queue = order.next()) {
      if (*queue == own_ || entitled) {
        if (take(order.pop(*queue), *queue == own_ ? "InClusterQueue" : "InCohortReclamation"))
          return done(order, true);
        continue;
      }
      const auto [ours, theirs] = order.almost_common(*queue);
      const Share preemptor = dominant_share(snapshot_, ours), before = dominant_share(snapshot_, theirs);
      if (infinite(preemptor) && !infinite(before)) {  // fsStrategyUnsatisfiable
        while (order.has(*queue)) retry_.push_back(order.pop(*queue));
        continue;
      }
      while (order.has(*queue)) {
        const WorkloadId id = order.pop(*queue);
        const int by_final = compare(preemptor, without(id, theirs)) + (planted(Bug::ModelFinalShareBelow) ? 1 : 0);
        const bool passed = final_share ? by_final <= 0 : compare(preemptor, before) < 0;
        if (!passed) {
          retry_.push_back(id);
          continue;
        }
        if (take(id, "InCohortFairSharing")) return done(order, true);
        break;  // the shares have changed: perhaps another queue comes next
      }
    }
    return done(order, false);
  }

  // runSecondFsStrategy: LessThanInitialShare on what the first did not take, once per queue.
  bool second() {
    FairOrder order(snapshot_, request_.workloads, own_, retry_, rank_);
    while (const auto queue = order.next()) {
      const auto [ours, theirs] = order.almost_common(*queue);
      const bool passed = compare(dominant_share(snapshot_, ours), dominant_share(snapshot_, theirs)) < 0;
      const WorkloadId id = order.pop(*queue);
      if (passed && take(id, "InCohortFairSharing")) return done(order, true);
      order.drop(*queue);
    }
    return done(order, false);
  }

  bool done(const FairOrder& order, bool fits) {
    if (order.arbitrary()) snapshot_.note_arbitrary();
    return fits;
  }

  Ledger& snapshot_;
  const PreemptionRequest& request_;
  const Node own_;
  std::vector<Victim> victims_;
  std::map<WorkloadId, std::size_t> rank_;
  std::vector<WorkloadId> retry_;
};

}  // namespace

std::vector<Victim> fair_victims(Ledger& snapshot, const PreemptionRequest& request) {
  return FairSearch(snapshot, request).run();
}

}  // namespace gpol::kueue
