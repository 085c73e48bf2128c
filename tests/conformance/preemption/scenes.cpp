// Prints random states of some nodes, one a line of JSON, each with a pod that asks and what the model says becomes of
// it (judge/main.go compares with kube-scheduler's own plugins).
//   scenes SEED COUNT
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "checker/nodes/preemption.h"
#include "tests/support/random_tree.h"

using namespace gpol;
using namespace gpol::nodes;
using gpol::testing::Dice;
using nlohmann::json;
using State = PreemptionModel::State;

namespace {

Cluster cluster_of_pools() {
  Cluster cluster;
  cluster.resources = {"cpu", "nvidia.com/gpu", "pods"};
  cluster.node_pools = {{"site", {{"pool", "site"}}, {}},
                        {"apart", {{"pool", "site"}}, {{"apart", "yes", "NoSchedule"}}},
                        {"other", {{"pool", "other"}}, {}}};
  return cluster;
}

PodSpec random_pod(Dice& dice) {
  PodSpec spec;
  spec.pod.requests = {dice.upto(4) * 1000, dice.upto(8), 1};
  if (dice.one_in(2)) spec.pod.selector = {{"pool", "site"}};
  if (dice.one_in(3)) spec.pod.tolerations = {{"apart", "Exists", "", "", std::nullopt}};
  spec.priority = dice.upto(3) - 1;
  if (dice.one_in(3)) spec.priority = 100;
  spec.preempts = !dice.one_in(8);
  spec.budget_spent = dice.one_in(5);
  return spec;
}

class Scene {
 public:
  explicit Scene(Dice& dice) : dice_(dice), cluster_(cluster_of_pools()), model_(cluster_) {
    const auto count = 1 + dice.upto(3);
    for (std::int64_t n = 0; n < count; ++n) {
      const auto pool = static_cast<std::uint32_t>(dice.one_in(2) ? 0 : dice.upto(2));
      const Amounts node{8000, 8, 3 + dice.upto(3)};
      model_.add_nodes(pool, 1, node);
      json taints = json::array();
      for (const Taint& taint : cluster_.node_pools[pool].taints)
        taints.push_back({{"key", taint.key}, {"value", taint.value}, {"effect", taint.effect}});
      nodes_.push_back({{"labels", cluster_.node_pools[pool].labels},
                        {"taints", taints},
                        {"cpu", node[0]},
                        {"gpus", node[1]},
                        {"pods", node[2]}});
    }
  }

  void play() {
    for (auto steps = 4 + dice_.upto(28); steps > 0; --steps) {
      const auto some = static_cast<std::uint32_t>(model_.pods() == 0 ? 0 : dice_.upto(model_.pods() - 1));
      const bool there = model_.pods() > 0;
      switch (dice_.upto(9)) {
        case 0:
          if (there) model_.remove(some);
          break;
        case 1:
          if (there) model_.end(some);
          break;
        case 2:
        case 3:
          if (there && model_.state(some) == State::Pending) cycle(some);
          break;
        default:
          cycle(model_.create(random_pod(dice_)));
      }
    }
  }

  json asks() {
    std::uint32_t who = model_.create(random_pod(dice_));
    for (std::uint32_t pod = 0; pod < model_.pods() && dice_.one_in(2); ++pod)
      if (model_.state(pod) == State::Pending && model_.nominated(pod)) who = pod;
    json pods = json::array();
    for (std::uint32_t p = 0; p < model_.pods(); ++p) {
      const State state = model_.state(p);
      const PodSpec& spec = model_.spec(p);
      const auto nominated = model_.nominated(p);
      pods.push_back({{"gone", state == State::Gone},
                      {"node", state == State::Bound || state == State::Ending ? std::int64_t{model_.node_of(p)} : -1},
                      {"cpu", spec.pod.requests[0]},
                      {"gpus", spec.pod.requests[1]},
                      {"selector", spec.pod.selector},
                      {"tolerates", !spec.pod.tolerations.empty()},
                      {"priority", spec.priority},
                      {"preempts", spec.preempts},
                      {"budget", spec.budget_spent},
                      {"ending", state == State::Ending},
                      {"evicted", model_.evicted(p)},
                      {"started", model_.started(p)},
                      {"nominated", nominated ? std::int64_t{*nominated} : -1}});
    }
    json out{{"nodes", nodes_}, {"pods", pods}, {"asks", who}, {"feasible", model_.feasible(who)}};
    const auto all = model_.candidates(who);
    out["candidates"] = json::array();
    for (const Candidate& c : all)
      out["candidates"].push_back({{"node", c.node}, {"victims", c.victims}, {"violations", c.violations}});
    out["best"] = json::array();
    for (const Candidate& c : model_.best(all)) out["best"].push_back(c.node);
    constexpr const char* kWords[] = {"bound", "nominated", "waits", "hopeless"};
    const Cycle done = model_.cycle(who);
    out["kind"] = kWords[static_cast<std::size_t>(done.kind)];
    out["to"] = done.node;
    return out;
  }

 private:
  void cycle(std::uint32_t pod) {
    model_.cycle(pod, [&](const std::vector<std::uint32_t>& of) {
      return of[static_cast<std::size_t>(dice_.upto(static_cast<std::int64_t>(of.size()) - 1))];
    });
  }

  Dice& dice_;
  Cluster cluster_;
  PreemptionModel model_;
  json nodes_ = json::array();
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto seed = std::strtoull(argv[1], nullptr, 10), count = std::strtoull(argv[2], nullptr, 10);
  for (auto i = seed; i < seed + count; ++i) {
    Dice dice(i);
    Scene scene(dice);
    scene.play();
    std::cout << scene.asks().dump() << '\n';
  }
}
