#include "tests/conformance/verdicts/attack.h"

#include <algorithm>

#include "checker/kueue/counted.h"
#include "checker/story/hold.h"
#include "compiler/cluster/roles.h"
#include "tests/conformance/differential/outcome.h"

namespace gpol::verdicts {

namespace {

using kueue::WorkloadSpec;
using kueue::WorkloadState;
using testing::Dice;
using Kind = QueueRole::Kind;

constexpr std::int64_t kFar = 1000;  // a priority above everybody's

std::int64_t unit_of(const Cluster& cluster, std::uint32_t resource) { return one_unit(cluster.resources[resource]); }

class Attacker {
 public:
  Attacker(const Cluster& cluster, const Intent& intent, std::uint64_t seed)
      : cluster_(cluster), intent_(intent), dice_(seed), stage_(cluster) {
    attack_.history.seed = seed;
    attack_.history.cluster = cluster;
    style_ = dice_.upto(3);
    doors_ = dice_.one_in(4);
    for (std::uint32_t r = 0; r < cluster.resources.size(); ++r) large_ = large_ || many(r) > 1;
    for (const QueueRole& role : intent.roles) most_cycles_ += 4 * role.unit_demand.value_or(0);
  }

  Attack make() {
    for (std::uint32_t q = 0; q < cluster_.queues.size(); ++q)
      if (cluster_.queues[q].stop == StopPolicy::Hold) stop(q, StopPolicy::None);
    for (std::int64_t n = 1 + dice_.upto(7); n > 0; --n) {
      others_act();
      if (dice_.one_in(3)) cycles(1 + dice_.upto(2));
    }
    cycles(6);
    for (std::uint32_t q = 0; q < cluster_.queues.size(); ++q)
      if (cluster_.queues[q].stop == StopPolicy::Hold) stop(q, StopPolicy::Hold);
    close_doors();
    ask();
    run();
    return std::move(attack_);
  }

  History make_late() {
    serves_ = false;
    for (std::int64_t n = 4 + dice_.upto(12); n > 0; --n) {
      others_act();
      cycle();
      if (dice_.one_in(6)) simple(Op::Kind::Release);
    }
    return std::move(attack_.history);
  }

 private:
  std::vector<std::uint32_t> covered(std::uint32_t queue) const {
    std::vector<std::uint32_t> resources;
    for (const auto& group : cluster_.queues[queue].groups)
      resources.insert(resources.end(), group.covered.begin(), group.covered.end());
    return resources;
  }

  std::int64_t any(std::size_t count) { return dice_.upto(static_cast<std::int64_t>(count) - 1); }

  void put(Op op) {
    stage_.apply(op);
    attack_.history.ops.push_back(std::move(op));
  }

  void simple(Op::Kind kind) {
    Op op;
    op.kind = kind;
    put(std::move(op));
  }

  void stop(std::uint32_t queue, StopPolicy policy, Op::Kind what = Op::Kind::Stop) {
    Op op;
    op.kind = what;
    op.queue = queue;
    op.local = 1;
    op.policy = policy;
    put(std::move(op));
  }

  // Now and then what batch runs came through a LocalQueue that is stopped by the time when serving asks: it can be
  // evicted as before, but what it frees is heard of by nobody.
  void close_doors() {
    if (!doors_) return;
    for (std::uint32_t q = 0; q < cluster_.queues.size(); ++q) {
      if (intent_.roles[q].kind != Kind::Batch || dice_.one_in(3)) continue;
      stop(q, dice_.one_in(3) ? StopPolicy::HoldAndDrain : StopPolicy::Hold, Op::Kind::StopLocal);
    }
  }

  std::size_t submit(WorkloadSpec workload) {
    Op op;
    op.kind = Op::Kind::Submit;
    op.id = submitted_++;
    op.workload = std::move(workload);
    put(std::move(op));
    return submitted_ - 1;
  }

  bool cycle() {
    Op op;
    op.outcome = differential::cycle(stage_.model, cluster_, stage_.ids.size());
    const bool moved = op.outcome != last_;
    last_ = op.outcome;
    attack_.history.ops.push_back(std::move(op));
    return moved;
  }

  void cycles(std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      cycle();
      simple(Op::Kind::Release);
    }
  }

  std::int64_t priority(std::uint32_t queue) {
    const QueueRole& role = intent_.roles[queue];
    if (role.priority) return *role.priority;
    if (role.kind == Kind::Serving) return dice_.one_in(2) ? 0 : 50;
    return style_ == 0 ? 0 : style_ == 1 ? kFar : dice_.upto(2) * kFar / 2;
  }

  // A workload of somebody who does not serve: a unit of everything, a lot of one resource, or anything.
  WorkloadSpec batch(std::uint32_t queue) {
    WorkloadSpec workload;
    workload.queue = queue;
    workload.priority = priority(queue);
    workload.asks_again = !dice_.one_in(6);
    if (doors_) workload.local = dice_.one_in(4) ? 0 : 1;
    const auto resources = covered(queue);
    const std::int64_t shape = dice_.upto(3);
    const std::uint32_t chosen = resources[static_cast<std::size_t>(any(resources.size()))];
    const bool large = large_ && !dice_.one_in(3);
    for (const auto resource : resources) {
      if (cluster_.resources[resource] == "pods") continue;
      if (shape == 1 && resource != chosen) continue;
      const std::int64_t units = (shape == 0 ? 1 : 1 + dice_.upto(shape == 1 ? 5 : 3)) * (large ? many(resource) : 1);
      workload.requests.push_back({resource, units * unit_of(cluster_, resource)});
    }
    const auto& flavors = cluster_.queues[queue].groups.front().flavors;
    if (dice_.one_in(3)) workload.flavor = flavors[static_cast<std::size_t>(any(flavors.size()))].flavor;
    if (dice_.one_in(12)) {  // a Job with `parallelism: 0`: it has its flavors assigned, and uses nothing
      workload.count = 0;
      for (auto& request : workload.requests) request.amount = 0;
    }
    with_pods(workload);
    return workload;
  }

  // What is little in a cluster of so much: a few of them fill it.
  std::int64_t many(std::uint32_t resource) const {
    std::int64_t all = 0;
    for (const Queue& queue : cluster_.queues)
      for (const auto& group : queue.groups)
        for (std::size_t r = 0; r < group.covered.size(); ++r)
          if (group.covered[r] == resource)
            for (const auto& row : group.flavors) all = kueue::saturating_add(all, row.quotas[r].nominal);
    return std::clamp<std::int64_t>(all / unit_of(cluster_, resource) / kSmall, 1, 1'000'000);
  }

  void with_pods(WorkloadSpec& workload) const {
    for (const auto resource : covered(workload.queue))
      if (cluster_.resources[resource] == "pods") workload.requests.push_back({resource, workload.count});
    std::sort(workload.requests.begin(), workload.requests.end());
  }

  // A queue without a role asks, all together, for no more than its own nominal quota of any flavor.
  bool within_own(const WorkloadSpec& workload) {
    for (const auto& group : cluster_.queues[workload.queue].groups)
      for (const auto& row : group.flavors)
        for (std::size_t r = 0; r < group.covered.size(); ++r)
          for (const auto& request : workload.requests)
            if (request.resource == group.covered[r] &&
                asked_[{workload.queue, request.resource}] + request.amount > row.quotas[r].nominal)
              return false;
    for (const auto& request : workload.requests) asked_[{workload.queue, request.resource}] += request.amount;
    return true;
  }

  void others_act() {
    const auto queue = static_cast<std::uint32_t>(any(cluster_.queues.size()));
    if (cluster_.queues[queue].groups.empty()) return;  // it has no quota to ask for
    const QueueRole& role = intent_.roles[queue];
    if (cluster_.queues[queue].stop == StopPolicy::HoldAndDrain) return;
    if (role.kind == Kind::Serving) return serves_ ? serve(queue, 1) : void();
    WorkloadSpec workload = batch(queue);
    const std::int64_t times = dice_.one_in(2) ? 1 : 1 + dice_.upto(4);
    for (std::int64_t i = 0; i < times; ++i)
      if (role.kind == Kind::Batch || within_own(workload)) submit(workload);
    if (submitted_ > 0 && dice_.one_in(6)) {  // it ends as a whole, or its pods do and another podset goes on
      Op op;
      op.kind = dice_.one_in(4) ? Op::Kind::Ended : Op::Kind::Finish;
      op.id = static_cast<std::size_t>(any(submitted_));
      const bool asks = std::any_of(attack_.asks.begin(), attack_.asks.end(), [&](const auto& of) {
        return std::find(of.second.begin(), of.second.end(), op.id) != of.second.end();
      });
      if (!asks) put(std::move(op));
    }
  }

  // So many more single pods of the queue's demand.
  void serve(std::uint32_t queue, std::int64_t pods) {
    const QueueRole& role = intent_.roles[queue];
    auto& asks = attack_.asks[queue];
    const auto left = role.unit_demand.value_or(0) - static_cast<std::int64_t>(asks.size());
    for (std::int64_t i = 0; i < std::min(pods, left); ++i) {
      WorkloadSpec workload;
      workload.queue = queue;
      if (!serving_priority_.contains(queue)) serving_priority_[queue] = priority(queue);
      workload.priority = serving_priority_[queue];
      workload.asks_again = true;
      for (const auto resource : covered(queue))
        if (const std::int64_t unit = unit_asked(cluster_, role, resource);
            unit > 0 && cluster_.resources[resource] != "pods")
          workload.requests.push_back({resource, unit});
      with_pods(workload);
      asks.push_back(submit(std::move(workload)));
    }
  }

  void ask() {
    std::vector<std::uint32_t> serving;
    for (std::uint32_t q = 0; q < cluster_.queues.size(); ++q)
      if (intent_.roles[q].kind == Kind::Serving) serving.push_back(q);
    for (std::size_t i = serving.size(); i > 1; --i)
      std::swap(serving[i - 1], serving[static_cast<std::size_t>(any(i))]);
    for (const auto queue : serving) {
      for (std::int64_t n = dice_.upto(2); n > 0; --n) others_act();
      serve(queue, INT64_MAX);
    }
    for (std::int64_t n = dice_.upto(2); n > 0; --n) others_act();
  }

  bool met(std::uint32_t queue) const {
    const auto& asks = attack_.asks.at(queue);
    return std::all_of(asks.begin(), asks.end(), [&](std::size_t id) {
      return stage_.model.state(stage_.ids.at(id)) == WorkloadState::Admitted;
    });
  }

  void run() {
    const std::int64_t slow = dice_.one_in(4) ? 1 + dice_.upto(3) : 1;  // evictions take so many cycles
    int quiet = 0;
    for (std::int64_t i = 0; i < most_cycles_ && quiet < 4; ++i) {
      const bool moved = cycle();
      if (i % slow == slow - 1) simple(Op::Kind::Release);
      quiet = moved ? 0 : quiet + (i % slow == slow - 1 ? 1 : 0);
    }
    for (const auto& [queue, asks] : attack_.asks)
      if (met(queue)) attack_.met.insert(queue);
  }

  static constexpr std::int64_t kSmall = 36;  // a cluster with no more of anything is small
  std::int64_t most_cycles_ = 120;
  const Cluster& cluster_;
  const Intent& intent_;
  Dice dice_;
  differential::Stage stage_;
  Attack attack_;
  std::size_t submitted_ = 0;
  std::string last_;
  std::int64_t style_ = 0;
  bool serves_ = true;  // serving queues ask, too
  bool doors_ = false, large_ = false;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> asked_;
  std::map<std::uint32_t, std::int64_t> serving_priority_;
};

}  // namespace

Attack random_attack(const Cluster& cluster, const Intent& intent, std::uint64_t seed) {
  return Attacker(cluster, intent, seed).make();
}

History late_history(const Cluster& cluster, const Intent& intent, std::uint64_t seed) {
  return Attacker(cluster, intent, seed).make_late();
}

}  // namespace gpol::verdicts
