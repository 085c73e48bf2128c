#include <algorithm>
#include <map>
#include <set>

#include "compiler/plan/volcano/plan.h"
#include "tests/conformance/volcano/attacks/attacks.h"
#include "tests/support/random_tree.h"

namespace gpol::volcano::attacks {

namespace {

using testing::Dice;

constexpr std::int64_t kGi = 1 << 30;
constexpr std::int64_t kPlentyOfCpu = 1'000'000, kPlentyOfMemory = 4096 * kGi;

// What gpol writes; flat: without its tree.
SchedulerConfig scheduler_config(bool hierarchical) {
  SchedulerConfig config = with_limits(installed_scheduler());
  for (auto& tier : config.tiers)
    for (Plugin& plugin : tier)
      if (plugin.name == "capacity" && !hierarchical) plugin.flags.clear();
  return config;
}

class Drawing {
 public:
  explicit Drawing(std::uint64_t seed) : dice_(seed * 104'729 + 7) { cluster_.name = "a" + std::to_string(seed); }

  Cluster draw() {
    cluster_.hierarchical = !dice_.one_in(4);
    cluster_.setup.scheduler = scheduler_config(cluster_.hierarchical);
    draw_nodes();
    draw_tree();
    for (Queue& queue : cluster_.setup.queues) draw_amounts(queue);
    draw_serving();
    // Of trees drawn blindly almost none keeps anything: most get limits that just do, and then one of them wrong.
    if (!dice_.one_in(4)) {
      cluster_.hierarchical ? bound_tree() : bound_list();
      if (dice_.one_in(3)) spoil();
    }
    finish();
    return std::move(cluster_);
  }

 private:
  void draw_nodes() {
    for (auto nodes = 1 + dice_.upto(2); nodes > 0; --nodes) {
      Node node;
      node.name = "n" + std::to_string(nodes);
      const auto gpus = 1 + dice_.upto(7);
      node.allocatable = {{"cpu", kPlentyOfCpu}, {"memory", kPlentyOfMemory}, {"pods", 1000}, {kGpu, gpus}};
      cluster_.total += gpus;
      cluster_.nodes.push_back(std::move(node));
    }
    cluster_.requests = {{kGpu, 1}};
    if (dice_.one_in(2)) cluster_.requests["cpu"] = 100;
  }

  // `default` and `root` now and then as the scheduler makes them, without limits.
  void draw_tree() {
    auto& queues = cluster_.setup.queues;
    std::vector<std::size_t> depth;
    for (auto count = 2 + dice_.upto(5); count > 0; --count) {
      Queue queue;
      queue.name = "q" + std::to_string(queues.size());
      std::size_t below = 0;
      if (!queues.empty() && !dice_.one_in(4)) {
        const auto parent = static_cast<std::size_t>(dice_.upto(static_cast<std::int64_t>(queues.size()) - 1));
        if (depth[parent] < 3) {
          queue.parent = queues[parent].name;
          below = depth[parent] + 1;
        }
      }
      depth.push_back(below);
      queues.push_back(std::move(queue));
    }
    const auto own = static_cast<std::int64_t>(queues.size());
    for (const char* made : {kDefaultQueue, kRootQueue}) {
      if (dice_.one_in(made == kRootQueue && cluster_.hierarchical ? 2 : 8)) continue;
      queues.emplace_back();
      queues.back().name = made;
    }
    std::vector<std::size_t> leaves;
    for (std::size_t q = 0; q < static_cast<std::size_t>(own); ++q)
      if (!cluster_.hierarchical || children_of(queues[q].name).empty()) leaves.push_back(q);
    cluster_.serving = leaves[static_cast<std::size_t>(dice_.upto(static_cast<std::int64_t>(leaves.size()) - 1))];
  }

  std::vector<std::size_t> children_of(const std::string& name) const {
    std::vector<std::size_t> children;
    const auto& queues = cluster_.setup.queues;
    for (std::size_t q = 0; q < queues.size(); ++q)
      if (queues[q].name != kRootQueue && queues[q].parent == name) children.push_back(q);
    return children;
  }

  void draw_amounts(Queue& queue) {
    const bool is_root = queue.name == kRootQueue;
    if (!dice_.one_in(3)) queue.capability[kGpu] = dice_.one_in(6) ? 0 : 1 + dice_.upto(cluster_.total);
    if (dice_.one_in(is_root ? 10 : 4)) queue.guarantee[kGpu] = dice_.upto((cluster_.total + 2) / 3);
    if (dice_.one_in(3)) queue.deserved[kGpu] = dice_.upto(cluster_.total);
    if (dice_.one_in(6)) queue.priority = dice_.upto(200);
  }

  void draw_serving() {
    Queue& serving = cluster_.setup.queues[cluster_.serving];
    cluster_.reserve = 1 + dice_.upto(dice_.one_in(12) ? cluster_.total : (cluster_.total + 1) / 2);
    serving.guarantee[kGpu] = cluster_.reserve;
    if (!dice_.one_in(12)) serving.capability.erase(kGpu);
    if (dice_.one_in(2)) serving.capability[kGpu] = serving.deserved[kGpu] = cluster_.reserve;
    if (dice_.one_in(2)) serving.priority = 100;
  }

  // Gives each of them a part of the room, and says how much it gave.
  std::int64_t divide(const std::vector<std::size_t>& queues, std::int64_t room) {
    std::int64_t given = 0;
    for (const std::size_t q : queues) {
      const auto part = q == queues.back() && dice_.one_in(2) ? room - given : dice_.upto(room - given);
      cluster_.setup.queues[q].capability[kGpu] = part;
      given += part;
    }
    return given;
  }

  // From root down to the serving queue: what lies beside its path gets parts of what the reserve leaves.
  void bound_tree() {
    std::vector<std::size_t> path;  // the serving queue last
    auto& queues = cluster_.setup.queues;
    for (std::string name = queues[cluster_.serving].name; name != kRootQueue;) {
      const auto found = std::ranges::find(queues, name, &Queue::name);
      path.insert(path.begin(), static_cast<std::size_t>(found - queues.begin()));
      name = found->parent;
    }
    std::int64_t left = cluster_.total;
    std::string above = kRootQueue;
    for (const std::size_t on_path : path) {
      auto beside = children_of(above);
      std::erase(beside, on_path);
      const auto room = std::max<std::int64_t>(0, left - cluster_.reserve);
      // One alone below a limit is limited by the guarantee: it needs no number.
      if (beside.size() == 1 && above != kRootQueue && dice_.one_in(2))
        queues[beside[0]].capability.erase(kGpu), left = cluster_.reserve;
      else
        left -= divide(beside, room);
      if (on_path != cluster_.serving) queues[on_path].capability[kGpu] = left;
      above = queues[on_path].name;
    }
    if (const auto root = std::ranges::find(queues, kRootQueue, &Queue::name); root != queues.end())
      root->capability = dice_.one_in(2) ? Amounts{} : Amounts{{kGpu, cluster_.total + dice_.upto(3) - 1}};
  }

  void bound_list() {
    std::vector<std::size_t> others;
    for (std::size_t q = 0; q < cluster_.setup.queues.size(); ++q)
      if (q != cluster_.serving) others.push_back(q);
    divide(others, std::max<std::int64_t>(0, cluster_.total - cluster_.reserve));
  }

  void spoil() {
    auto& queues = cluster_.setup.queues;
    Queue& queue = queues[static_cast<std::size_t>(dice_.upto(static_cast<std::int64_t>(queues.size()) - 1))];
    if (dice_.one_in(3))
      queue.capability.erase(kGpu);
    else
      queue.capability[kGpu] += 1;
  }

  void finish() {
    // What a root with a capability does not name is 0 (hierarchical), and nobody's pods would be let in.
    for (Queue& queue : cluster_.setup.queues)
      if (queue.name == kRootQueue && !queue.capability.empty()) {
        queue.capability["cpu"] = 10 * kPlentyOfCpu;
        queue.capability["memory"] = 10 * kPlentyOfMemory;
      }
    Total total;
    for (const Node& node : cluster_.nodes)
      for (const auto& [resource, amount] : node.allocatable) {
        Limit& sum = total.try_emplace(resource, 0).first->second;
        sum = *sum + amount;
      }
    cluster_.limits = limits_of(cluster_.setup, total, cluster_.hierarchical);
    for (std::size_t q = 0; q < cluster_.limits.queues.size(); ++q)
      if (const QueueLimits& queue = cluster_.limits.queues[q]; queue.leaf && q != cluster_.serving)
        cluster_.batch.push_back(queue.name);
  }

  Dice dice_;
  Cluster cluster_;
};

}  // namespace

Cluster draw(std::uint64_t seed) { return Drawing(seed).draw(); }

}  // namespace gpol::volcano::attacks
