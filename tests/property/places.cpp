// Places on nodes, found by trying everything. Small random pools: every way to fill every node with every pod that
// somebody may have, kept where Kueue's arithmetic admits it together with the replica, tried in the placement model.
// What the fragmentation family proves must not be found; what it refutes must be. And every pod with every selector on
// every pool against the placement family. GPOL_POOLS in the environment sets how many (default 1,000).
#include <cstdlib>
#include <functional>
#include <set>

#include "checker/families/replicas.h"
#include "checker/kueue/forest.h"
#include "checker/nodes/placement_model.h"
#include "tests/support/catch.h"
#include "tests/support/random_tree.h"
#include "tests/unit/families/nodes_cluster.h"

using namespace gpol;
using namespace gpol::test;
using gpol::testing::Dice;

namespace {

int wanted() {
  const char* text = std::getenv("GPOL_POOLS");
  return text != nullptr ? std::atoi(text) : 1000;
}

using Amounts = nodes::Amounts;  // cpu, GPUs, pods

Quota random_quota(Dice& dice, std::int64_t nominal, bool in_cohort) {
  Quota quota{nominal, std::nullopt, std::nullopt};
  if (!in_cohort) return quota;
  quota.borrowing = dice.upto(3);
  quota.lending = dice.upto(nominal);
  return quota;
}

// `sizes`: of the pods of one queue, where they come in several.
NodesCluster random_pool(Dice& dice, Dice& sizes) {
  NodesCluster c;
  const auto pool = c.pool("pool", 1 + dice.upto(2));
  Amounts& node = c.intent.capacities[0].of_one;
  node = {1 + dice.upto(2), 1 + dice.upto(3), 1 + dice.upto(2)};
  const auto serving = 1 + dice.upto(1), batch = dice.upto(2);
  for (std::int64_t s = 0; s < serving; ++s) {
    const bool alone = dice.one_in(3);
    const auto q = c.serves("s" + std::to_string(s), 1, alone ? "" : "root");
    QueueRole& role = c.intent.roles[q];
    role.replica = {1 + dice.upto(node[0] - 1), 1 + dice.upto(node[1] - 1), 1};
    for (std::int64_t more = sizes.one_in(3) ? 1 + sizes.upto(1) : 0; more > 0; --more)
      role.other_shapes.push_back({sizes.upto(node[0]), sizes.upto(node[1]), 1});
    const std::int64_t count = 1 + dice.upto(2);
    FlavorQuotas row{pool, {}};
    for (std::size_t r = 0; r < 3; ++r) {
      const std::int64_t nominal = role.replica[r] * count + (dice.one_in(3) ? 1 : 0);
      row.quotas.push_back(random_quota(dice, nominal, !alone));
      row.quotas.back().borrowing = alone ? std::nullopt : std::optional<std::int64_t>(0);
      role.reserve.push_back(nominal);
      role.permitted.push_back(nominal);
    }
    c.cluster.queues[q].groups[0].flavors = {row};
  }
  for (std::int64_t b = 0; b < batch; ++b) {
    const auto q = c.trains("b" + std::to_string(b));
    FlavorQuotas row{pool, {}};
    for (std::size_t r = 0; r < 3; ++r) row.quotas.push_back(random_quota(dice, dice.upto(2), true));
    row.quotas[2] = {3, 3, dice.upto(3)};
    c.cluster.queues[q].groups[0].flavors = {row};
    if (dice.one_in(2)) c.intent.roles[q].pod_shapes[pool] = {1, 1 + dice.upto(node[1] - 1)};
  }
  c.intent.capacities[0].has_serving = true;
  return c;
}

// A pod and the queue whose it is.
struct Owned {
  std::uint32_t queue;
  Amounts requests;
};

// Everything that can stand on one node at once, by what the queues use there; only what closes it to the replica.
using Content = std::map<std::uint32_t, Amounts>;  // by queue; a queue's pods are in the last amount

class Adversary {
 public:
  Adversary(const NodesCluster& c, const Replicas& of) : c_(c), of_(of), shape_(kueue::shape_of(c.cluster)) {
    for (std::uint32_t r = 0; r < 3; ++r) limits_.push_back(kueue::limits_of(c.cluster, shape_, 0, r, nullptr));
    const Amounts& node = c.intent.capacities[0].of_one;
    for (std::uint32_t q = 0; q < c.cluster.queues.size(); ++q) {
      const QueueRole& role = c.intent.roles[q];
      if (role.kind == QueueRole::Kind::Serving) {
        pods_.push_back({q, role.replica});
        for (const Amounts& other : role.other_shapes) pods_.push_back({q, other});
        continue;
      }
      const auto shape = role.pod_shapes.find(0);
      for (std::int64_t cpu = 0; cpu <= node[0]; ++cpu)
        for (std::int64_t gpu = 0; gpu <= node[1]; ++gpu)
          if (shape == role.pod_shapes.end() || gpu == shape->second.amount) pods_.push_back({q, {cpu, gpu, 1}});
    }
  }

  bool closes_all() {
    nodes::PlacementModel model(c_.cluster);
    model.add_nodes(0, 1, c_.intent.capacities[0].of_one);
    std::set<Content> contents;
    Content content;
    fill(model, 0, content, contents);
    for (const Content& each : contents) contents_.push_back(each);
    Content total;
    add(total, of_.queue, of_.each);
    return choose(0, c_.intent.capacities[0].nodes_min - c_.intent.capacities[0].lost, total);
  }

 private:
  static void add(Content& content, std::uint32_t queue, const Amounts& amounts) {
    Amounts& sum = content.try_emplace(queue, amounts.size(), 0).first->second;
    for (std::size_t r = 0; r < amounts.size(); ++r) sum[r] += amounts[r];
  }
  nodes::Pod made(const Amounts& requests) const {
    const std::uint32_t flavors[] = {0};
    return *nodes::admitted(c_.cluster, flavors, {requests, {}, {}});
  }

  void fill(nodes::PlacementModel& model, std::size_t from, Content& content, std::set<Content>& closed) {
    if (model.feasible(made(of_.each)).empty()) closed.insert(content);
    for (std::size_t p = from; p < pods_.size(); ++p) {
      const nodes::Pod pod = made(pods_[p].requests);
      if (!model.place(0, pod)) continue;
      const Content before = content;
      add(content, pods_[p].queue, pods_[p].requests);
      if (admissible(content)) fill(model, p, content, closed);
      content = before;
      model.remove(0, pod);
    }
  }

  bool choose(std::size_t from, std::int64_t nodes, const Content& total) {
    if (!admissible(total)) return false;
    if (nodes == 0) return true;
    for (std::size_t i = from; i < contents_.size(); ++i) {
      Content more = total;
      for (const auto& [queue, amounts] : contents_[i]) add(more, queue, amounts);
      if (choose(i, nodes - 1, more)) return true;
    }
    return false;
  }

  // What admission can reach: every root within its quota, every other node within its limit (kueue/walk.cpp); serving
  // within its reserve.
  bool admissible(const Content& held) const {
    for (std::uint32_t r = 0; r < 3; ++r) {
      kueue::Usage usage;
      for (const auto& [queue, amounts] : held) {
        if (amounts[r] > 0) usage.add(shape_, limits_[r], queue, amounts[r]);
        const QueueRole& role = c_.intent.roles[queue];
        if (role.kind == QueueRole::Kind::Serving && amounts[r] > role.reserve[r]) return false;
      }
      for (kueue::Node v = 0; v < shape_.parent.size(); ++v) {
        const bool root = shape_.parent[v] == kueue::kRoot;
        const std::int64_t most = root ? limits_[r].subtree[v]
                                  : limits_[r].borrowing[v] == kueue::kUnlimited
                                      ? kueue::kUnlimited
                                      : limits_[r].subtree[v] + limits_[r].borrowing[v];
        if (usage.of(v) > most) return false;
      }
    }
    return true;
  }

  const NodesCluster& c_;
  const Replicas& of_;
  const kueue::Shape shape_;
  std::vector<kueue::Limits> limits_;
  std::vector<Owned> pods_;
  std::vector<Content> contents_;
};

}  // namespace

TEST_CASE("fragmentation: what is proven nobody finds, what is refuted somebody does") {
  int proven = 0, refuted = 0, undecided = 0;
  for (int i = 0; i < wanted(); ++i) {
    Dice dice(static_cast<std::uint64_t>(i) + 1);
    Dice sizes(static_cast<std::uint64_t>(i) + 1'000'001);
    const NodesCluster c = random_pool(dice, sizes);
    INFO("pool " << i);
    const Report report = c.run(prove_fragmentation);
    for (const Replicas& of : replicas_of(c.cluster, c.intent, 0)) {
      const std::string& name = c.cluster.queues[of.queue].name;
      Verdict verdict = Verdict::Proven;
      for (const Obligation& o : report.obligations)
        if (o.subject.name == name) verdict = o.verdict;
      const bool found = Adversary(c, of).closes_all();
      INFO(name << ": " << std::string(verdict_name(verdict)) << (found ? ", a way is found" : ", none is found"));
      CHECK_FALSE((verdict == Verdict::Proven && found));
      CHECK_FALSE((verdict == Verdict::Refuted && !found));
      (verdict == Verdict::Proven ? proven : verdict == Verdict::Refuted ? refuted : undecided)++;
    }
  }
  std::printf("fragmentation: %d proven, %d refuted, %d undecided\n", proven, refuted, undecided);
  CHECK(proven > wanted() / 10);
  CHECK(refuted > wanted() / 10);
  CHECK(undecided < wanted() / 20);
}

TEST_CASE("placement: every pod of everybody tried on every pool") {
  int proven = 0, refuted = 0;
  for (int i = 0; i < wanted(); ++i) {
    Dice dice(static_cast<std::uint64_t>(i) + 1);
    NodesCluster c;
    const auto pools = static_cast<std::uint32_t>(2 + dice.upto(1));
    for (std::uint32_t p = 0; p < pools; ++p) c.pool("p" + std::to_string(p), 1, 0, dice.one_in(4));
    for (std::uint32_t p = 0; p < pools; ++p) {
      for (auto* labels : {&c.cluster.flavors[p].node_labels, &c.cluster.node_pools[p].labels})
        if (dice.one_in(5)) {
          (*labels)["zone"] = dice.one_in(2) ? "a" : "b";
          if (dice.one_in(3)) labels->erase("pool");
        }
      if (dice.one_in(6)) c.cluster.flavors[p].tolerations.clear();
      if (dice.one_in(6)) c.cluster.node_pools[p].taints.clear();
    }
    c.quota(c.serves("chat", 1), 0, {80, 8, 8});
    const auto train = c.trains("train", "");
    for (std::uint32_t p = 1; p < pools; ++p) c.quota(train, p, {80, 8, 8});
    const Report report = c.run(prove_placement);
    // By the placement model alone: nodes of one pool each, whatever a user may write.
    bool wrong = false;
    nodes::PlacementModel model(c.cluster);
    for (std::uint32_t p = 0; p < pools; ++p) model.add_nodes(p, 1, {1000, 100, 100});
    for (std::uint32_t f = 0; f < pools; ++f) {
      const std::uint32_t flavors[] = {f};
      bool somewhere = false;
      for (std::uint32_t p = 0; p < pools; ++p) {
        nodes::Pod own{{10, 1, 0}, {}, {}};
        if (f != 0) {
          own.selector = c.cluster.node_pools[p].labels;
          own.tolerations.push_back({"", "Exists", "", "", std::nullopt});
        }
        const auto pod = nodes::admitted(c.cluster, flavors, own);
        const bool fits = pod && model.filter(p, *pod) == nodes::Filter::Fits;
        somewhere = somewhere || fits;
        wrong = wrong || (fits && f != 0 && p == 0);
        wrong = wrong || (fits && f == 0 && (p != 0 || c.intent.capacities[p].spot));
      }
      wrong = wrong || (f == 0 && !somewhere);
    }
    bool required = false, open = false;
    for (const Obligation* o : not_proven(report)) {
      required = required || (o->required && o->verdict == Verdict::Refuted);
      open = open || (o->required && o->verdict == Verdict::Undecided);
    }
    INFO("cluster " << i);
    // A pod of serving that a taint alone keeps away is not called safe: it may bring a toleration of its own.
    if (!open) CHECK(required == wrong);
    if (wrong) CHECK((required || open));
    (wrong ? refuted : proven)++;
  }
  std::printf("placement: %d keep apart, %d do not\n", proven, refuted);
  CHECK(proven > wanted() / 10);
  CHECK(refuted > wanted() / 10);
}
