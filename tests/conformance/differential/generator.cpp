#include <algorithm>
#include <set>

#include "tests/conformance/differential/draw.h"
#include "tests/conformance/differential/history.h"
#include "tests/support/random_tree.h"

namespace gpol::differential {

namespace {

using testing::Dice;

// One group of all resources becomes two: the last resource in a group and a flavor order of its own. A flavor stands
// in one group of a queue only (the webhook demands it), so the flavors are shared out, too.
void split_groups(std::vector<ResourceGroup>& groups) {
  ResourceGroup& whole = groups.front();
  ResourceGroup rest;
  rest.covered = {whole.covered.back()};
  whole.covered.pop_back();
  rest.flavors = {whole.flavors.back()};
  whole.flavors.pop_back();
  rest.flavors.front().quotas = {rest.flavors.front().quotas.back()};
  for (auto& row : whole.flavors) row.quotas.pop_back();
  groups.push_back(std::move(rest));
}

constexpr const char* kUnlisted = "example.com/unlisted";  // by no queue

// Every other history is crowded: few owners lend to many, much is evicted and asks again, sizes and priorities are
// often equal. Rules about evictions decide little elsewhere.
bool crowded(std::uint64_t seed) { return seed % 2 == 0; }

// And in three of eight, that are not crowded, many ask at once: who goes first decides much.
bool rivals(std::uint64_t seed) { return !crowded(seed) && seed % 8 != 7; }

void crowd(Dice& dice, Queue& queue) {
  for (auto& group : queue.groups)
    for (auto& row : group.flavors) {
      const bool owner = dice.one_in(3);
      for (Quota& quota : row.quotas) {  // of one resource sometimes the other way round: no joint reclaim
        const bool owned = owner != dice.one_in(8);
        quota = {owned ? 4 + dice.upto(5) : dice.upto(1), std::nullopt, std::nullopt};
      }
    }
  Preemption& p = queue.preemption;
  if (!dice.one_in(3)) p.within_cluster_queue = Within::LowerOrNewerEqualPriority;
  if (!dice.one_in(3)) p.reclaim_within_cohort = Reclaim::Any;
  if (p.reclaim_within_cohort != Reclaim::Never && dice.one_in(2)) {
    p.borrow_within_cohort = BorrowWithin::LowerPriority;
    if (!dice.one_in(3)) p.max_priority_threshold = 0;
  }
}

void settings(Dice& dice, Queue& queue) {
  queue.strategy = dice.one_in(2) ? QueueingStrategy::StrictFIFO : QueueingStrategy::BestEffortFIFO;
  Preemption& p = queue.preemption;
  p.within_cluster_queue = pick(dice, {Within::Never, Within::LowerPriority, Within::LowerOrNewerEqualPriority});
  p.reclaim_within_cohort = pick(dice, {Reclaim::Never, Reclaim::LowerPriority, Reclaim::Any, Reclaim::Any});
  if (p.reclaim_within_cohort != Reclaim::Never && dice.one_in(2)) {  // refused beside Never
    p.borrow_within_cohort = BorrowWithin::LowerPriority;
    if (dice.one_in(2)) p.max_priority_threshold = dice.upto(3);
  }
  queue.when_can_borrow = pick(dice, {Search::MayStopSearch, Search::TryNextFlavor});
  queue.when_can_preempt = pick(dice, {Search::MayStopSearch, Search::TryNextFlavor});
  if (queue.when_can_borrow == Search::TryNextFlavor && queue.when_can_preempt == Search::TryNextFlavor)
    queue.fungibility_preference = pick(dice, {"", "BorrowingOverPreemption", "PreemptionOverBorrowing"});
}

// Another set of limits for one or two queues: what a window or an edit brings.
Mode changed_limits(Dice& dice, const Cluster& cluster) {
  Mode mode{"changed", {}};
  for (std::int64_t n = 1 + dice.upto(1); n > 0; --n) {
    const Queue& queue = cluster.queues[any(dice, cluster.queues.size())];
    for (const auto& group : queue.groups)
      for (const auto& row : group.flavors)
        for (std::size_t r = 0; r < group.covered.size(); ++r) {
          Quota quota = row.quotas[r];
          if (quota.nominal < 1'000) quota.nominal = dice.upto(5);
          if (!queue.cohort.empty()) {
            quota.borrowing = dice.one_in(2) ? std::optional(dice.upto(6)) : std::nullopt;
            quota.lending = dice.one_in(2) ? std::optional(dice.upto(quota.nominal)) : std::nullopt;
          }
          mode.changed[{queue.name, cluster.flavors[row.flavor].name, cluster.resources[group.covered[r]]}] = quota;
        }
  }
  return mode;
}

Cluster cluster_of(Dice& dice, std::uint64_t seed) {
  testing::TreeSizes sizes;
  sizes.queues_min = crowded(seed) ? 5 : 3;
  sizes.queues_max = 6;
  sizes.cohorts_min = 3;
  sizes.cohorts_max = 4;
  sizes.flavors = 2;
  sizes.resources = 3;
  sizes.nominal_most = 5;
  sizes.limit_most = 6;
  Cluster cluster = testing::random_tree(seed, sizes).cluster;
  for (auto& resource : cluster.resources) resource = "example.com/" + resource;
  if (seed % 4 == 3) cluster.resources.back() = "pods";
  const bool split = dice.one_in(5);
  for (auto& cohort : cluster.cohorts)
    if (split && !cohort.groups.empty()) split_groups(cohort.groups);
  for (auto& queue : cluster.queues) {
    if (split)
      split_groups(queue.groups);
    else if (dice.one_in(3))
      std::reverse(queue.groups.front().flavors.begin(), queue.groups.front().flavors.end());
    settings(dice, queue);
    if (crowded(seed)) crowd(dice, queue);
  }
  cluster.modes.push_back(changed_limits(dice, cluster));
  if (!dice.one_in(4)) cluster.config.quota_check_strategy = "IgnoreUndeclared";
  if (dice.one_in(6) && seed % 4 != 3) draw_transformations(dice, cluster);  // their outputs are no pods
  cluster.resources.emplace_back(kUnlisted);
  if (dice.upto(9) < 6) share_fairly(dice, cluster);
  if (dice.one_in(8)) draw_taints(dice, cluster);
  return cluster;
}

class Writer {
 public:
  Writer(Dice& dice, Switches& switches, History& history)
      : dice_(dice), switches_(switches), history_(history), crowded_(crowded(history.seed)) {}

  void write() {
    const std::int64_t rounds = 10 + dice_.upto(14);
    for (std::int64_t i = 0; i < rounds; ++i) {
      for (std::int64_t n = dice_.upto(crowded_ ? 7 : 3); n > 0; --n) submit();
      if (rivals(history_.seed)) compete();
      if (submitted_ > 0 && dice_.one_in(crowded_ ? 2 : 4)) {
        Op op;
        op.kind = Op::Kind::Finish;
        op.id = any(dice_, submitted_);
        history_.ops.push_back(op);
      }
      if (dice_.one_in(12)) change_limits();
      if (dice_.one_in(12)) stop(Op::Kind::Stop);
      if (dice_.one_in(20)) stop(Op::Kind::StopLocal);
      if (dice_.one_in(24)) delist();
      if (gone_ ? !dice_.one_in(3) : dice_.one_in(60)) lose_or_find_a_flavor();
      if (dice_.one_in(24)) change_cohort();
      if (dice_.one_in(24)) move();
      pass_time();
      for (std::int64_t n = 1 + dice_.upto(2); n > 0; --n) {
        history_.ops.push_back({});
        get_ready();
        if (dice_.one_in(crowded_ ? 6 : 2)) simple(Op::Kind::Release);
      }
    }
  }

 private:
  void simple(Op::Kind kind) {
    Op op;
    op.kind = kind;
    history_.ops.push_back(std::move(op));
  }

  // Most queues ask for little at once, on a flavor each, and some of what runs ends.
  void compete() {
    Dice& dice = switches_.dice;
    const Cluster& cluster = history_.cluster;
    for (std::uint32_t queue = 0; queue < cluster.queues.size(); ++queue) {
      if (dice.one_in(4)) continue;
      Op op;
      op.kind = Op::Kind::Submit;
      op.id = submitted_++;
      op.workload.queue = queue;
      op.workload.priority = dice.upto(1);
      op.workload.asks_again = dice.one_in(2);
      op.workload.local = dice.one_in(2) ? 1 : 0;
      op.workload.flavor = static_cast<std::uint32_t>(any(dice, cluster.flavors.size()));
      for (std::uint32_t r = 0; r < cluster.resources.size(); ++r)
        if (cluster.resources[r] != kUnlisted && cluster.resources[r] != kRaw && cluster.resources[r] != "pods" &&
            dice.one_in(2))
          op.workload.requests.push_back({r, 1 + dice.upto(2)});
      if (op.workload.requests.empty()) op.workload.requests.push_back({0, 1});
      history_.ops.push_back(std::move(op));
    }
    for (int n = 0; n < 4 && submitted_ > 0; ++n) about(Op::Kind::Finish, any(dice, submitted_));
  }

  void about(Op::Kind kind, std::size_t id) {
    Op op;
    op.kind = kind;
    op.id = id;
    history_.ops.push_back(std::move(op));
  }

  // Timeouts, and time itself, which only gate SchedulerTimestampPreemptionBuffer heeds.
  void pass_time() {
    Dice& dice = switches_.dice;
    const auto& gates = history_.cluster.config.gates;
    if (gates.contains("SchedulerTimestampPreemptionBuffer") && dice.one_in(4)) {
      simple(Op::Kind::Wait);
      history_.ops.back().seconds = pick(dice, {30, 290, 300, 310});
    }
    if (submitted_ > 0 && dice.one_in(8)) {
      about(Op::Kind::Ended, any(dice, submitted_));
      history_.ops.back().podset = dice.one_in(4) ? 1 : 0;
    }
    if (switches_.evictions && submitted_ > 0 && !dice.one_in(3)) about(Op::Kind::Evict, any(dice, submitted_));
  }

  // Pods become ready some time after their workload was admitted, mostly, and now and then no longer are.
  void get_ready() {
    Dice& dice = switches_.dice;
    if (submitted_ == 0) return;
    if (!history_.cluster.config.wait_for_pods_ready->block_admission) {
      if (dice.one_in(24)) about(Op::Kind::Ready, any(dice, submitted_));
      return;
    }
    for (std::size_t id = 0; id < submitted_; ++id) {
      if (!dice.one_in(3)) continue;
      about(Op::Kind::Ready, id);
      history_.ops.back().ready = !dice.one_in(16);
    }
  }

  void submit() {
    const Cluster& cluster = history_.cluster;
    Op op;
    op.kind = Op::Kind::Submit;
    op.id = submitted_++;
    if (crowded_ && !asked_.empty() && dice_.one_in(3)) {
      op.workload = asked_[any(dice_, asked_.size())];
      op.workload.boost = boost();
      history_.ops.push_back(std::move(op));
      return;
    }
    op.workload.queue = static_cast<std::uint32_t>(any(dice_, cluster.queues.size()));
    op.workload.priority = crowded_ ? pick(dice_, {0, 0, 1, 1, 2}) : dice_.upto(3);
    op.workload.local = dice_.one_in(3) ? 1 : 0;
    op.workload.namespace_matches = !dice_.one_in(40);
    op.workload.asks_again = crowded_ ? !dice_.one_in(5) : dice_.one_in(2);
    kueue::PodSet first = podset(1);
    op.workload.requests = std::move(first.requests);
    op.workload.flavor = first.flavor;
    op.workload.count = first.count;
    op.workload.tolerations = std::move(first.tolerations);
    if (dice_.one_in(5))
      for (std::int64_t n = 1 + dice_.upto(1); n > 0; --n) op.workload.more.push_back(podset(2));
    op.workload.boost = boost();
    // Only those of equal priority heed how much newer one is.
    if (cluster.config.gates.contains("SchedulerTimestampPreemptionBuffer")) op.workload.priority = 0;
    asked_.push_back(op.workload);
    history_.ops.push_back(std::move(op));
  }

  std::int64_t boost() { return switches_.dice.one_in(4) ? pick(switches_.dice, {-2, -1, 1, 2}) : 0; }

  // Some pods of one template; `share`: smaller where the workload has several podsets.
  kueue::PodSet podset(std::int64_t share) {
    const Cluster& cluster = history_.cluster;
    kueue::PodSet made;
    made.count = dice_.one_in(4) ? 1 + dice_.upto(2) : 1;
    const std::int64_t most = (dice_.one_in(3) ? 6 : 2) / (share * made.count);
    if (switches_.dice.one_in(8)) made.count = 0;
    for (std::uint32_t r = 0; r < cluster.resources.size(); ++r) {
      const std::string& name = cluster.resources[r];
      if (name == "pods") continue;  // Kueue counts them itself
      if (name == kUnlisted ? dice_.one_in(64) : name == kRaw ? dice_.one_in(2) : r == 0 || !dice_.one_in(4))
        made.requests.push_back({r, made.count * (1 + dice_.upto(most))});
    }
    const bool tainted = std::any_of(cluster.flavors.begin(), cluster.flavors.end(),
                                     [](const Flavor& flavor) { return !flavor.taints.empty(); });
    if (tainted && !dice_.one_in(3)) made.tolerations = draw_tolerations(dice_);
    if (dice_.one_in(5)) made.flavor = static_cast<std::uint32_t>(any(dice_, cluster.flavors.size()));
    return made;
  }

  void change_limits() {
    Op op;
    op.kind = Op::Kind::Mode;
    op.mode = mode_ = 1 - mode_;
    history_.ops.push_back(std::move(op));
  }

  // Once per queue, and only where another flavor stays in the group.
  void delist() {
    const std::size_t queue = any(dice_, history_.cluster.queues.size());
    const auto& flavors = history_.cluster.queues[queue].groups.front().flavors;
    if (flavors.size() < 2 || !delisted_.insert(queue).second) return;
    Op op;
    op.kind = Op::Kind::Delist;
    op.queue = static_cast<std::uint32_t>(queue);
    op.flavor = flavors[any(dice_, flavors.size())].flavor;
    history_.ops.push_back(std::move(op));
  }

  // The queues that list a flavor without an object stand still: it comes back soon.
  void lose_or_find_a_flavor() {
    Op op;
    op.kind = Op::Kind::Flavor;
    op.deleted = !gone_;
    op.flavor = gone_ ? *gone_ : static_cast<std::uint32_t>(any(dice_, history_.cluster.flavors.size()));
    gone_ = op.deleted ? std::optional(op.flavor) : std::nullopt;
    history_.ops.push_back(std::move(op));
  }

  // To another cohort, with its usage. (One without a cohort stays so: it may have no limits, others do.)
  void move() {
    const auto& queues = history_.cluster.queues;
    const std::size_t queue = any(dice_, queues.size());
    if (queues[queue].cohort.empty()) return;
    Op op;
    op.kind = Op::Kind::Move;
    op.queue = static_cast<std::uint32_t>(queue);
    op.cohort.name =
        dice_.one_in(6) ? "named" : history_.cluster.cohorts[any(dice_, history_.cluster.cohorts.size())].name;
    history_.ops.push_back(std::move(op));
  }

  // Other quotas, another parent (never one below it), a limit forgotten, or gone altogether.
  void change_cohort() {
    auto& cohorts = cohorts_;
    if (cohorts.empty()) cohorts = history_.cluster.cohorts;
    const std::size_t i = any(dice_, cohorts.size());
    CohortNode& cohort = cohorts[i];
    Op op;
    op.kind = Op::Kind::Cohort;
    op.deleted = dice_.one_in(5);
    if (i > 0 && dice_.one_in(3)) {
      cohort.parent = dice_.one_in(3) ? "" : cohorts[any(dice_, i)].name;
      if (cohort.parent.empty())
        for (auto& group : cohort.groups)
          for (auto& row : group.flavors)
            for (Quota& quota : row.quotas) quota.borrowing = quota.lending = std::nullopt;
    }
    for (auto& group : cohort.groups)
      for (auto& row : group.flavors)
        for (Quota& quota : row.quotas) {
          if (quota.nominal < 1'000 && dice_.one_in(2)) quota.nominal = dice_.upto(5);
          if (dice_.one_in(3)) quota.lending = std::nullopt;
        }
    op.cohort = cohort;
    history_.ops.push_back(std::move(op));
  }

  void stop(Op::Kind what) {
    Op op;
    op.kind = what;
    op.local = static_cast<std::uint32_t>(dice_.upto(1));
    op.queue = static_cast<std::uint32_t>(any(dice_, history_.cluster.queues.size()));
    op.policy = pick(dice_, {StopPolicy::None, StopPolicy::None, StopPolicy::Hold, StopPolicy::HoldAndDrain});
    history_.ops.push_back(std::move(op));
  }

  Dice& dice_;
  Switches& switches_;
  History& history_;
  const bool crowded_;
  std::vector<kueue::WorkloadSpec> asked_;  // so far
  std::set<std::size_t> delisted_;
  std::optional<std::uint32_t> gone_;  // the flavor whose object is
  std::vector<CohortNode> cohorts_;    // as last edited
  std::size_t submitted_ = 0;
  std::uint32_t mode_ = 0;
};

}  // namespace

History random_history(std::uint64_t seed) {
  Dice dice(seed * 7919 + 13);
  Switches switches(seed);
  History history{seed, cluster_of(dice, seed), "", {}};
  if (rivals(seed)) make_rivals(switches.dice, history.cluster);
  flip(switches, history.cluster);
  Writer(dice, switches, history).write();
  return history;
}

}  // namespace gpol::differential
