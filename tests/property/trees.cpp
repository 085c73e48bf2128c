// The walk against exhaustion: every state of small random trees that admission reaches, unit by unit, is visited
// through the executable arithmetic of forest.h, which knows nothing of the walk.
#include <algorithm>
#include <cstdio>
#include <unordered_set>

#include "checker/kueue/forest.h"
#include "checker/kueue/walk.h"
#include "tests/support/catch.h"
#include "tests/support/random_tree.h"

using namespace gpol;
using namespace gpol::kueue;
using namespace gpol::testing;

namespace {

constexpr std::size_t kMostStates = 400;

struct Explored {
  bool whole = true;  // no more than kMostStates
  std::size_t states = 0;
  std::int64_t least = kUnlimited;    // left to the owner
  std::vector<std::int64_t> usage;    // per node: the most it uses
  std::vector<std::int64_t> on_path;  // per node: the least A
};

// All states in which the owner holds nothing: from each, every queue tries to have one unit more admitted.
class Explorer {
 public:
  Explorer(const Shape& shape, const Limits& limits, const Behaviour& behaviour, Node owner)
      : shape_(shape), limits_(limits), behaviour_(behaviour), owner_(owner) {
    held_.assign(shape.queues, 0);
    out_.usage.assign(shape.parent.size(), 0);
    out_.on_path.assign(shape.parent.size(), kUnlimited);
  }

  Explored run() {
    visit();
    out_.states = seen_.size();
    return out_;
  }

 private:
  std::uint64_t key() const {
    std::uint64_t key = 0;
    for (const auto held : held_) key = (key << 7U) | static_cast<std::uint64_t>(held);
    return key;
  }

  void visit() {
    if (!out_.whole) return;
    seen_.insert(key());
    if (seen_.size() > kMostStates) {
      out_.whole = false;
      return;
    }
    if (owner_ != kRoot)
      out_.least = std::min(out_.least, std::max<std::int64_t>(0, available(shape_, limits_, usage_, owner_)));
    for (Node v = 0; v < shape_.parent.size(); ++v) {
      out_.usage[v] = std::max(out_.usage[v], usage_.of(v));
      out_.on_path[v] = std::min(out_.on_path[v], available(shape_, limits_, usage_, v));
    }
    for (Node q = 0; q < shape_.queues; ++q) {
      if (q == owner_ || held_[q] >= behaviour_.at_most[q]) continue;
      ++held_[q];
      const bool known = seen_.contains(key());
      --held_[q];
      if (known) continue;
      if (std::max<std::int64_t>(0, available(shape_, limits_, usage_, q)) < 1) continue;
      usage_.add(shape_, limits_, q, 1);
      ++held_[q];
      visit();
      --held_[q];
      usage_.add(shape_, limits_, q, -1);
    }
  }

  const Shape& shape_;
  const Limits& limits_;
  const Behaviour& behaviour_;
  Node owner_;
  Usage usage_;
  std::vector<std::int64_t> held_;
  std::unordered_set<std::uint64_t> seen_;
  Explored out_;
};

// Batch takes what it gets, other serving queues hold up to their reserve, those without a role up to their nominal;
// where admission itself sets no end the exploration needs one, which the walk is told too.
Behaviour behaviour_of(const RandomTree& tree, const Limits& limits) {
  Behaviour behaviour;
  for (Node q = 0; q < tree.roles.size(); ++q) {
    const std::int64_t most = tree.roles[q] == Role::Batch ? kUnlimited : limits.nominal[q];
    behaviour.at_most.push_back(limits.potential[q] == kUnlimited ? std::min<std::int64_t>(most, 2) : most);
  }
  return behaviour;
}

// What the holdings leave, admitting them unit by unit; nothing when one of them is not admitted or not allowed.
std::optional<std::int64_t> left_after(const Shape& shape, const Limits& limits, const Behaviour& behaviour,
                                       const std::vector<Holding>& holdings, Node owner) {
  Usage usage;
  for (const auto& holding : holdings) {
    if (holding.queue == owner || holding.amount > behaviour.at_most[holding.queue]) return std::nullopt;
    for (std::int64_t i = 0; i < holding.amount; ++i) {
      if (available(shape, limits, usage, holding.queue) < 1) return std::nullopt;
      usage.add(shape, limits, holding.queue, 1);
    }
  }
  return std::max<std::int64_t>(0, available(shape, limits, usage, owner));
}

int depth(const Shape& shape, Node v) {
  int depth = 0;
  for (; shape.parent[v] != kRoot; v = shape.parent[v]) ++depth;
  return depth;
}

}  // namespace

TEST_CASE("the walk and its witness agree with every state that admission reaches") {
  std::size_t trees = 0, states = 0, too_large = 0, exposed = 0, endless = 0, holdings = 0;
  for (std::uint64_t seed = 1; trees < 2000; ++seed) {
    const RandomTree tree = random_tree(seed);
    const Shape shape = shape_of(tree.cluster);
    const Limits limits = limits_of(tree.cluster, shape, 0, 0, nullptr);
    const Behaviour behaviour = behaviour_of(tree, limits);
    REQUIRE(shape.queues >= 6);
    REQUIRE(depth(shape, 0) >= 3);
    const Bounds bounds = walk_bounds(shape, limits, behaviour);
    const auto owner = static_cast<Node>(seed % shape.queues);
    const Explored explored = Explorer(shape, limits, behaviour, owner).run();
    if (!explored.whole) {
      ++too_large;
      continue;
    }
    ++trees;
    states += explored.states;
    const PathBounds path = walk_path(shape, limits, bounds, owner);
    INFO("seed " << seed << ", owner q" << owner);
    REQUIRE(path.owner_available == explored.least);
    for (Node v = 0; v < shape.parent.size(); ++v) REQUIRE(explored.usage[v] <= bounds.usage[v]);
    for (std::size_t i = 0; i < path.path.size(); ++i) {
      REQUIRE(path.usage[i] == explored.usage[path.path[i]]);
      REQUIRE(path.available[i] == explored.on_path[path.path[i]]);
    }
    std::vector<Holding> reached = witness(shape, limits, behaviour, owner);
    const auto left = left_after(shape, limits, behaviour, reached, owner);
    REQUIRE(left.has_value());
    REQUIRE(*left == path.owner_available);
    REQUIRE(std::is_sorted(reached.begin(), reached.end(), [](auto& a, auto& b) { return a.queue < b.queue; }));
    for (auto& holding : reached) {
      --holding.amount;  // irreducible
      REQUIRE(left_after(shape, limits, behaviour, reached, owner).value_or(kUnlimited) > *left);
      ++holding.amount;
      REQUIRE(holding.amount > 0);
    }
    holdings += reached.size();
    exposed += reached.empty() ? 0U : 1U;
    endless += path.owner_available == kUnlimited ? 1U : 0U;
  }
  std::printf("trees %zu, states %zu, owners exposed %zu, without end %zu, holdings %zu, left out as too large %zu\n",
              trees, states, exposed, endless, holdings, too_large);
  CHECK(exposed > 500);
  CHECK(endless > 20);
  CHECK(too_large < trees);
}

TEST_CASE("the bound of every node is reached by some state") {
  std::size_t trees = 0, nodes = 0;
  for (std::uint64_t seed = 100000; trees < 300; ++seed) {
    const RandomTree tree = random_tree(seed);
    const Shape shape = shape_of(tree.cluster);
    const Limits limits = limits_of(tree.cluster, shape, 0, 0, nullptr);
    const Behaviour behaviour = behaviour_of(tree, limits);
    const Bounds bounds = walk_bounds(shape, limits, behaviour);
    const Explored explored = Explorer(shape, limits, behaviour, kRoot).run();  // nobody holds back
    if (!explored.whole) continue;
    ++trees;
    INFO("seed " << seed);
    for (Node v = 0; v < shape.parent.size(); ++v, ++nodes) REQUIRE(explored.usage[v] == bounds.usage[v]);
  }
  std::printf("trees %zu, nodes %zu\n", trees, nodes);
}
