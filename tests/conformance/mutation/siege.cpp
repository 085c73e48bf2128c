#include "tests/conformance/mutation/siege.h"

#include <algorithm>

#include "checker/families/pairs.h"
#include "checker/story/hold.h"
#include "tests/conformance/differential/outcome.h"
#include "tests/support/random_tree.h"

namespace gpol::mutation {

namespace {

using differential::History;
using differential::Op;
using kueue::WorkloadSpec;
using kueue::WorkloadState;
using Kind = QueueRole::Kind;

class Besieger {
 public:
  Besieger(const Cluster& cluster, const Intent& intent, bool pinned, std::uint64_t seed)
      : names_(cluster.resources),
        cluster_(in_whole_units(cluster)),
        intent_(intent),
        pinned_(pinned),
        dice_(seed),
        stage_(cluster_) {
    history_.seed = seed;
    history_.cluster = cluster_;
    for (std::uint32_t q = 0; q < intent.roles.size(); ++q)
      (intent.roles[q].kind == Kind::Serving ? serving_ : batch_).push_back(q);
    for (const auto q : serving_) demand_[q] = demand_of(q);
  }

  Siege make() {
    for (std::uint32_t q = 0; q < cluster_.queues.size(); ++q) stop_as_written(q);
    for (std::int64_t n = 2 + dice_.upto(8); n > 0; --n) {
      disturb();
      if (dice_.one_in(4)) serve_one();
      if (dice_.one_in(3)) cycles(1 + dice_.upto(2));
    }
    cycles(4);
    ask_all();
    run();
    Op expect;
    expect.kind = Op::Kind::Expect;
    expect.admitted = true;
    expect.workloads = asks_;
    history_.ops.push_back(std::move(expect));
    const bool met = std::all_of(asks_.begin(), asks_.end(), [&](std::size_t id) {
      return stage_.model.state(stage_.ids.at(id)) == WorkloadState::Admitted;
    });
    return {std::move(history_), met};
  }

 private:
  // A history's amounts are whole units of every resource: thousandths of a core are units of a resource of that name.
  static Cluster in_whole_units(Cluster cluster) {
    for (auto& resource : cluster.resources)
      if (resource == "cpu") resource = "millicores";
    for (auto& mode : cluster.modes) {
      std::map<Mode::Key, Quota> changed;
      for (const auto& [key, quota] : mode.changed)
        changed[{key.queue, key.flavor, key.resource == "cpu" ? "millicores" : key.resource}] = quota;
      mode.changed = std::move(changed);
    }
    return cluster;
  }

  std::int64_t any(std::size_t count) { return dice_.upto(static_cast<std::int64_t>(count) - 1); }

  void put(Op op) {
    stage_.apply(op);
    history_.ops.push_back(std::move(op));
  }
  void simple(Op::Kind kind) {
    Op op;
    op.kind = kind;
    put(std::move(op));
  }
  // A history begins with queues that run.
  void stop_as_written(std::uint32_t queue) {
    if (cluster_.queues[queue].stop == StopPolicy::None) return;
    Op op;
    op.kind = Op::Kind::Stop;
    op.queue = queue;
    op.policy = cluster_.queues[queue].stop;
    put(std::move(op));
  }
  void switch_window() {
    Op op;
    op.kind = Op::Kind::Mode;
    op.mode = static_cast<std::uint32_t>(any(cluster_.modes.size()));
    put(std::move(op));
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
    history_.ops.push_back(std::move(op));
    return moved;
  }
  void cycles(std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      cycle();
      simple(Op::Kind::Release);
    }
  }

  // Replicas as declared, as many as the reserve has room for; where none is declared, single pods of one to eight
  // devices with their part of the rest.
  std::vector<WorkloadSpec> demand_of(std::uint32_t queue) {
    const QueueRole& role = intent_.roles[queue];
    const auto pairs = pairs_of(cluster_.queues[queue]);
    std::vector<std::int64_t> left = role.reserve;
    std::vector<WorkloadSpec> demand;
    for (;;) {
      WorkloadSpec workload;
      workload.queue = queue;
      workload.priority = priority_of(cluster_, intent_, queue);
      workload.asks_again = true;
      const std::int64_t size = 1 + dice_.upto(7);
      std::int64_t devices = 0;
      for (std::size_t i = 0; i < pairs.size(); ++i)
        if (unit_of(names_[pairs[i].resource]) == Unit::Devices) devices = role.reserve[i];
      bool fits = true, something = false;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::string& resource = names_[pairs[i].resource];
        std::int64_t amount = per_replica(role, pairs[i].resource);
        if (!role.victims_in_turn) {
          const bool device = unit_of(resource) == Unit::Devices;
          amount = resource == "pods" ? 1
                   : device           ? std::min(size, left[i])
                   : devices == 0     ? 0
                                      : role.reserve[i] / devices * std::min(size, devices);
          if (device && amount == 0) fits = false;
        }
        if (resource == "pods") amount = 1;
        fits = fits && amount <= left[i];
        something = something || (amount > 0 && resource != "pods");
        workload.requests.push_back({pairs[i].resource, amount});
      }
      if (!fits || !something) return demand;
      for (std::size_t i = 0; i < pairs.size(); ++i) left[i] -= workload.requests[i].amount;
      std::sort(workload.requests.begin(), workload.requests.end());
      demand.push_back(std::move(workload));
    }
  }

  void serve_one() {
    const auto queue = serving_[static_cast<std::size_t>(any(serving_.size()))];
    auto& rest = demand_[queue];
    if (rest.empty()) return;
    asks_.push_back(submit(std::move(rest.back())));
    rest.pop_back();
  }

  // Somebody else comes, ends, or a window switches.
  void disturb() {
    if (cluster_.modes.size() > 1 && dice_.one_in(3)) switch_window();
    if (submitted_ > 0 && dice_.one_in(8)) {
      Op op;
      op.kind = Op::Kind::Finish;
      op.id = static_cast<std::size_t>(any(submitted_));
      if (std::find(asks_.begin(), asks_.end(), op.id) == asks_.end()) put(std::move(op));
    }
    if (batch_.empty()) return;
    const auto workload = of_batch(batch_[static_cast<std::size_t>(any(batch_.size()))]);
    for (std::int64_t n = dice_.one_in(2) ? 1 : 1 + dice_.upto(5); n > 0; --n) submit(workload);
  }

  WorkloadSpec of_batch(std::uint32_t queue) {
    const auto& groups = cluster_.queues[queue].groups;
    const auto& group = groups[static_cast<std::size_t>(any(groups.size()))];
    const auto& row = group.flavors[static_cast<std::size_t>(any(group.flavors.size()))];
    const auto& shapes = intent_.roles[queue].pod_shapes;
    const auto shape = shapes.find(row.flavor);
    WorkloadSpec workload;
    workload.queue = queue;
    workload.priority = pinned_ || dice_.one_in(2) ? priority_of(cluster_, intent_, queue) : kFar;
    workload.asks_again = !dice_.one_in(6);
    workload.count = dice_.one_in(2) ? 1 : 1 + dice_.upto(4);
    if (!dice_.one_in(4) || shape != shapes.end()) workload.flavor = row.flavor;
    const std::int64_t kind = dice_.upto(3);
    for (const auto resource : group.covered) {
      const Unit unit = unit_of(names_[resource]);
      std::int64_t each = 1;
      if (unit == Unit::Devices) each = shape != shapes.end() ? shape->second.amount : 1 + dice_.upto(7);
      if (unit == Unit::Cores) each = 1000 * (kind == 0 ? 1 : kind == 1 ? 150 : 1 + dice_.upto(60));
      if (unit == Unit::Bytes) each = (1LL << 30) * (kind == 0 ? 1 : kind == 2 ? 900 : 1 + dice_.upto(400));
      workload.requests.push_back({resource, each * workload.count});
    }
    std::sort(workload.requests.begin(), workload.requests.end());
    return workload;
  }

  void ask_all() {
    bool left = true;
    while (left) {
      left = false;
      if (dice_.one_in(4)) disturb();
      std::vector<std::uint32_t> open;
      for (const auto q : serving_)
        if (!demand_[q].empty()) open.push_back(q);
      if (open.empty()) break;
      left = true;
      auto& rest = demand_[open[static_cast<std::size_t>(any(open.size()))]];
      asks_.push_back(submit(std::move(rest.back())));
      rest.pop_back();
    }
  }

  void run() {
    const std::int64_t slow = dice_.one_in(4) ? 1 + dice_.upto(3) : 1;  // evictions take so many cycles
    int quiet = 0;
    for (int i = 0; i < kMostCycles && quiet < 3; ++i) {
      if (i < 8 && dice_.one_in(4)) disturb();
      const bool moved = cycle();
      if (i % slow == slow - 1) simple(Op::Kind::Release);
      quiet = moved || i < 8 ? 0 : quiet + (i % slow == slow - 1 ? 1 : 0);
    }
  }

  static constexpr int kMostCycles = 120;
  static constexpr std::int64_t kFar = 2'000'000;  // above every class of the examples
  const std::vector<std::string> names_;           // of resources, as the intent has them
  const Cluster cluster_;
  const Intent& intent_;
  const bool pinned_;
  testing::Dice dice_;
  differential::Stage stage_;
  History history_;
  std::vector<std::uint32_t> serving_, batch_;
  std::map<std::uint32_t, std::vector<WorkloadSpec>> demand_;
  std::vector<std::size_t> asks_;
  std::size_t submitted_ = 0;
  std::string last_;
};

}  // namespace

Siege siege(const Cluster& cluster, const Intent& intent, bool pinned, std::uint64_t seed) {
  return Besieger(cluster, intent, pinned, seed).make();
}

}  // namespace gpol::mutation
