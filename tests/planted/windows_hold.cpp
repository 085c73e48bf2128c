// Claims under windows: what batch was admitted to in one window it keeps in the next, and fills up there. Random trees
// whose windows have borrowing limits of their own; what is then left to an owner is never less than was proven.
#include <algorithm>

#include "checker/families/families.h"
#include "checker/story/hold.h"
#include "tests/support/catch.h"
#include "tests/support/random_tree.h"

using namespace gpol;
using testing::Dice;

namespace {

testing::RandomTree drawn(std::uint64_t seed, Dice& dice) {
  testing::TreeSizes sizes;
  sizes.unlimited = false;
  auto tree = testing::random_tree(seed, sizes);
  Cluster& cluster = tree.cluster;
  for (const char* name : {"night", "weekend"}) {
    Mode mode{name, {}};
    for (const Queue& queue : cluster.queues) {
      if (queue.cohort.empty() || dice.one_in(3)) continue;
      Quota quota = queue.groups.front().flavors.front().quotas.front();
      quota.borrowing = dice.one_in(4) ? std::nullopt : std::optional(dice.upto(4));
      mode.changed[{queue.name, cluster.flavors[0].name, cluster.resources[0]}] = quota;
    }
    cluster.modes.push_back(std::move(mode));
  }
  for (std::size_t q = 0; q < cluster.queues.size(); ++q)  // it got what it has before it was held
    if (tree.roles[q] == testing::Role::Batch && dice.one_in(3)) cluster.queues[q].stop = StopPolicy::Hold;
  return tree;
}

Intent intent_of(const testing::RandomTree& tree) {
  Intent intent;
  for (std::size_t q = 0; q < tree.cluster.queues.size(); ++q) {
    QueueRole role;
    if (tree.roles[q] == testing::Role::Serving) {
      role.kind = QueueRole::Kind::Serving;
      role.isolation = Isolation::A;
      role.reserve = {tree.cluster.queues[q].groups.front().flavors.front().quotas.front().nominal};
      role.permitted = {0};
    } else if (tree.roles[q] == testing::Role::Batch) {
      role.kind = QueueRole::Kind::Batch;
    }
    intent.roles.push_back(std::move(role));
  }
  return intent;
}

}  // namespace

TEST_CASE("what is held from one window to the next is never more than was proven") {
  std::int64_t held_over = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Dice dice(seed * 41 + 1);
    const auto tree = drawn(seed, dice);
    const Cluster& cluster = tree.cluster;
    const Intent intent = intent_of(tree);
    Origins origins;
    origins.queue.resize(cluster.queues.size());
    origins.cohort.resize(cluster.cohorts.size());
    Solver solver;
    Report report;
    prove_claim({cluster, intent, origins, solver, nullptr}, report);
    const auto shape = kueue::shape_of(cluster);
    std::vector<kueue::Limits> limits;
    for (const Mode& mode : cluster.modes) limits.push_back(kueue::limits_of(cluster, shape, 0, 0, &mode));
    const auto behaviour = behaviour_of(cluster, intent, 0, 0);
    for (kueue::Node owner = 0; owner < shape.queues; ++owner) {
      const Obligation& o = report.obligations.at(owner);  // one pair each
      if (tree.roles[owner] != testing::Role::Serving || *o.figures.reserve == 0) continue;
      REQUIRE(o.figures.claimable);
      for (int attack = 0; attack < 6; ++attack) {
        kueue::Usage usage;
        std::size_t mode = 0;
        for (int step = 0; step < 3; ++step) {
          mode = static_cast<std::size_t>(dice.upto(2));
          for (int i = 0; i < 10; ++i) {
            const auto q = static_cast<kueue::Node>(dice.upto(shape.queues - 1));
            if (q == owner) continue;
            const std::int64_t room = kueue::available(shape, limits[mode], usage, q);
            const std::int64_t more = std::min(room, behaviour.at_most[q] - usage.of(q));
            if (more > 0) usage.add(shape, limits[mode], q, more);
          }
        }
        const std::int64_t left = std::max<std::int64_t>(0, kueue::available(shape, limits[mode], usage, owner));
        INFO("tree " << seed << ", " << cluster.queues[owner].name);
        CHECK(*o.figures.reserve - std::min(*o.figures.reserve, left) <= *o.figures.claimable);
        for (kueue::Node q = 0; q < shape.queues; ++q)
          if (limits[mode].borrowing[q] != kueue::kUnlimited &&
              usage.of(q) > limits[mode].nominal[q] + limits[mode].borrowing[q])
            ++held_over;
      }
    }
  }
  CHECK(held_over > 10);  // more than the window in force would let in
}
