#include "checker/kueue/fair_preemption.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "checker/kueue/candidates.h"
#include "checker/kueue/ledger.h"
#include "checker/kueue/shares.h"
#include "checker/planted.h"

namespace gpol::kueue {

namespace {

// In which order fair sharing looks for victims (pkg/scheduler/preemption/fairsharing/ordering.go at v0.19.2): from the
// root down to the child with the highest share that still borrows and has candidates, one workload at a time, since
// every removal changes the shares. In: the snapshot, which the caller changes between calls, and the candidates in
// order. Out: queues to take the next victim from.
class FairOrder {
 public:
  // `rank`: of every candidate in the order of all of them (fair_candidates).
  FairOrder(const Ledger& snapshot, const std::vector<Workload>& workloads, Node preemptor,
            const std::vector<WorkloadId>& candidates, const std::map<WorkloadId, std::size_t>& rank);

  // The queue to look at next; nothing when no more victims can be found. Between two calls one of its candidates must
  // be popped, or the queue dropped.
  std::optional<Node> next();
  bool has(Node queue) const { return left_.contains(queue); }
  WorkloadId pop(Node queue);
  void drop(Node queue) { pruned_.insert(queue); }

  // The two nodes below the lowest cohort above both the preemptor and the queue: whose shares are compared.
  std::pair<Node, Node> almost_common(Node queue) const;
  // Two cohorts had the same highest share: upstream takes either (its children are an unordered set).
  bool arbitrary() const { return arbitrary_; }

 private:
  std::optional<Node> next_below(Node cohort);

  const Ledger& snapshot_;
  Node preemptor_;
  std::set<Node> ancestors_;                      // of the preemptor's queue
  std::map<Node, std::vector<WorkloadId>> left_;  // by queue, the next one first; no entry is empty
  const std::map<WorkloadId, std::size_t>& rank_;
  std::set<Node> pruned_;
  bool arbitrary_ = false;
};

FairOrder::FairOrder(const Ledger& snapshot, const std::vector<Workload>& workloads, Node preemptor,
                     const std::vector<WorkloadId>& candidates, const std::map<WorkloadId, std::size_t>& rank)
    : snapshot_(snapshot), preemptor_(preemptor), rank_(rank) {
  for (Node v = snapshot.shape().parent[preemptor]; v != kRoot; v = snapshot.shape().parent[v]) ancestors_.insert(v);
  for (const WorkloadId id : candidates) left_[workloads[id].spec.queue].push_back(id);
}

WorkloadId FairOrder::pop(Node queue) {
  auto& left = left_.at(queue);
  const WorkloadId first = left.front();
  left.erase(left.begin());
  if (left.empty()) left_.erase(queue);
  return first;
}

std::optional<Node> FairOrder::next() {
  const auto& parent = snapshot_.shape().parent;
  if (parent[preemptor_] == kRoot)
    return has(preemptor_) && !pruned_.contains(preemptor_) ? std::optional(preemptor_) : std::nullopt;
  Node root = preemptor_;
  while (parent[root] != kRoot) root = parent[root];
  while (!pruned_.contains(root))
    if (const auto queue = next_below(root)) return queue;  // else something was pruned: once more
  return std::nullopt;
}

// nextTarget
std::optional<Node> FairOrder::next_below(Node cohort) {
  std::optional<Node> queue, below;
  Share of_queue, of_below;
  of_queue.ratio = of_below.ratio = -1;  // NegativeDRS
  bool tie = false;
  for (const Node child : snapshot_.shape().children[cohort]) {
    if (pruned_.contains(child)) continue;
    Share share = dominant_share(snapshot_, child);
    if (child >= snapshot_.shape().queues) {
      if (!share.borrowing() && !ancestors_.contains(child)) {
        pruned_.insert(child);
      } else if (const int order = compare(share, of_below); order >= 0) {
        tie = order == 0;
        below = child;
        of_below = std::move(share);
      }
      continue;
    }
    if ((!share.borrowing() && child != preemptor_) || !has(child)) {
      pruned_.insert(child);
      continue;
    }
    const int order = snapshot_.holds(Rule::HighestShareFirst) ? compare(share, of_queue) : (queue ? 0 : 1);
    if (order > 0 || (order == 0 && rank_.at(left_.at(child).front()) < rank_.at(left_.at(*queue).front()))) {
      queue = child;
      of_queue = std::move(share);
    }
  }
  if (!queue && !below) {
    pruned_.insert(cohort);
    return std::nullopt;
  }
  if (compare(of_below, of_queue) < 0) return queue;
  arbitrary_ = arbitrary_ || tie;
  return next_below(*below);
}

// least_common_ancestor.go
std::pair<Node, Node> FairOrder::almost_common(Node queue) const {
  const auto& parent = snapshot_.shape().parent;
  Node theirs = queue;
  while (!ancestors_.contains(parent[theirs])) theirs = parent[theirs];
  Node ours = preemptor_;
  while (parent[ours] != parent[theirs]) ours = parent[ours];
  return {ours, theirs};
}

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
        if (const bool passed = final_share ? by_final <= 0 : compare(preemptor, before) < 0; !passed) {
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
      if (const WorkloadId id = order.pop(*queue); passed && take(id, "InCohortFairSharing")) return done(order, true);
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
