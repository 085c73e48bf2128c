// The closed form of what one other queue can hold alone, against asking each other queue in turn.
#include "checker/families/claim_alone.h"

#include "compiler/cluster/roles.h"
#include "tests/support/catch.h"
#include "tests/support/random_tree.h"

using namespace gpol;

TEST_CASE("claim alone: one queue at a time holds no more, and one of them holds as much", "[slow]") {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Cluster cluster = testing::random_tree(seed).cluster;
    const Intent intent = intent_from_labels(cluster);
    Solver solver;
    Origins origins;
    origins.queue.resize(cluster.queues.size());
    origins.cohort.resize(cluster.cohorts.size());
    const Proof proof{cluster, intent, origins, solver};
    const auto shape = kueue::shape_of(cluster);
    const auto listings = listings_of(cluster);
    ClaimProver prover(proof, shape);
    for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f)
      for (std::uint32_t r = 0; r < cluster.resources.size(); ++r) {
        const auto& listed = listings[f * cluster.resources.size() + r];
        if (listed.empty()) continue;
        ClaimTree tree = prover.tree(f, r, listed);
        if (!tree.undecided.empty()) continue;
        const auto alone = claimable_alone(proof, shape, tree, listed);
        for (std::size_t i = 0; i < listed.size(); ++i) {
          const std::int64_t reserve = reserve_at(intent.roles[listed[i].queue], listed[i].pair);
          std::int64_t most = 0;
          for (const Listing& holder : listed) {
            if (holder.queue == listed[i].queue) continue;
            kueue::Behaviour behaviour;
            behaviour.at_most.assign(tree.behaviour.at_most.size(), 0);
            behaviour.at_most[holder.queue] = tree.behaviour.at_most[holder.queue];
            const auto bounds = kueue::walk_bounds(shape, tree.limits, behaviour);
            const auto left = kueue::walk_path(shape, tree.limits, bounds, listed[i].queue).owner_available;
            most = std::max(most, reserve - std::clamp<std::int64_t>(left, 0, reserve));
          }
          INFO("seed " << seed << " queue " << cluster.queues[listed[i].queue].name);
          CHECK(alone[i] == most);
        }
      }
  }
}
