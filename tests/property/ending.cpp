// What others can hold while victims have not ended (kueue/ending.h), against the executable model: random trees in
// which everybody may preempt, random work of all sizes and priorities, many cycles in which nothing that was evicted
// ends. The owner asks for nothing; at every moment it could be admitted to at least what the closed form leaves.
// GPOL_TREES in the environment sets how many trees (default 10,000); GPOL_SEED the first.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "checker/kueue/ending.h"
#include "checker/kueue/model.h"
#include "checker/kueue/walk.h"
#include "tests/support/catch.h"
#include "tests/support/random_tree.h"

using namespace gpol;
using gpol::testing::Dice;

namespace {

std::int64_t number(const char* name, std::int64_t otherwise) {
  const char* said = std::getenv(name);
  return said != nullptr ? std::atoll(said) : otherwise;
}

struct Left {
  std::int64_t for_good = 0, ending = 0;  // at least, by the closed form
};

Left closed_form(const Cluster& cluster, kueue::Node owner) {
  const kueue::Shape shape = kueue::shape_of(cluster);
  bool exact = true;
  const kueue::Limits limits = kueue::widest_limits(cluster, shape, 0, 0, exact);
  kueue::Behaviour behaviour;
  behaviour.at_most.assign(shape.parent.size(), kueue::kUnlimited);
  const kueue::Bounds bounds = kueue::walk_bounds(shape, limits, behaviour);
  const kueue::PathBounds path = kueue::walk_path(shape, limits, bounds, owner);
  const bool possible = kueue::EndingVictims(cluster, shape).possible(owner, 0, bounds);
  return {path.owner_available,
          possible
              ? kueue::left_while_ending(shape, limits, kueue::filled_while_ending(shape, limits, behaviour), owner)
              : path.owner_available};
}

Cluster cluster_of(Dice& dice, std::uint64_t seed) {
  testing::TreeSizes sizes;
  sizes.unlimited = false;
  sizes.queues_min = 4, sizes.queues_max = 6;
  sizes.nominal_most = 4, sizes.limit_most = 6;
  Cluster cluster = testing::random_tree(seed, sizes).cluster;
  const bool flat = !dice.one_in(3);  // most debt is made where others see all of each other's quota
  if (flat) cluster.cohorts.clear();
  const bool kept = flat && dice.one_in(2);  // all but the owner in a cohort that keeps what it has to itself
  if (kept) {
    CohortNode below;
    below.name = "below", below.parent = "all";
    below.groups = cluster.queues[0].groups;
    below.groups[0].flavors[0].quotas[0] = {dice.upto(1), std::nullopt, dice.upto(4)};
    CohortNode all;
    all.name = "all";
    cluster.cohorts = {all, below};
  }
  for (Queue& queue : cluster.queues) {
    if (flat) {
      queue.cohort = kept && &queue != &cluster.queues.front() ? "below" : "all";
      Quota& quota = queue.groups[0].flavors[0].quotas[0];
      const bool owner = &queue == &cluster.queues.front();
      quota = {owner ? 1 + dice.upto(3) : dice.upto(3), std::nullopt, std::nullopt};
      if (owner) quota.lending = 0;
    }
    queue.preemption.within_cluster_queue = dice.one_in(2) ? Within::LowerPriority : Within::Never;
    queue.preemption.reclaim_within_cohort = dice.one_in(3) ? Reclaim::Never : Reclaim::Any;
  }
  return cluster;
}

}  // namespace

TEST_CASE("property: while victims end an owner is left what the closed form says") {
  const auto trees = static_cast<int>(number("GPOL_TREES", 10'000));
  const auto first = static_cast<std::uint64_t>(number("GPOL_SEED", 1));
  std::int64_t debts = 0, possible = 0;
  for (int tree = 0; tree < trees; ++tree) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(tree);
    INFO("seed " << seed);
    Dice dice(seed * 77 + 5);
    const Cluster cluster = cluster_of(dice, seed);
    const Left left = closed_form(cluster, 0);
    possible += left.ending < left.for_good ? 1 : 0;
    kueue::Model model(kueue::compile(cluster), 0);
    std::int64_t least = left.for_good;
    std::vector<kueue::WorkloadId> all;
    for (int cycle = 0; cycle < 60; ++cycle) {
      for (std::int64_t n = dice.upto(3); n > 0; --n) {
        kueue::WorkloadSpec workload;
        workload.queue =
            static_cast<std::uint32_t>(1 + dice.upto(static_cast<std::int64_t>(cluster.queues.size()) - 2));
        const bool large = dice.one_in(3);
        workload.priority = large ? 0 : dice.upto(3);
        workload.requests = {{0, 1 + dice.upto(large ? 6 : 1)}};
        all.push_back(model.submit(workload));
      }
      model.cycle();
      if (dice.one_in(6)) model.release_victims();
      for (std::int64_t n = dice.upto(4); n > 0 && !all.empty(); --n) {
        const auto one = all.begin() + dice.upto(static_cast<std::int64_t>(all.size()) - 1);
        if (model.state(*one) != kueue::WorkloadState::Evicting) model.finish(*one), all.erase(one);
      }
      least = std::min(least, model.available(0, 0, 0));
    }
    CHECK(least >= left.ending);
    debts += least < left.for_good ? 1 : 0;
  }
  std::printf("ending: seeds %llu to %llu, %lld trees with debt, %lld in which the closed form has some\n",
              static_cast<unsigned long long>(first), static_cast<unsigned long long>(first) + trees - 1,
              static_cast<long long>(debts), static_cast<long long>(possible));
  CHECK(debts > trees / 1000);  // or nothing was tried
}
