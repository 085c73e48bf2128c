#include "checker/families/turns.h"

#include "checker/kueue/model.h"
#include "tests/support/catch.h"
#include "tests/unit/families/small_cluster.h"

using namespace gpol;
using namespace gpol::test;

namespace {

// Two serving queues that lend everything, two borrowers that hold it all; one resource.
struct TwoTenants : SmallCluster {
  std::uint32_t first, second, one, other;
  TwoTenants() : SmallCluster({"nvidia.com/gpu"}) {
    first = serving("first", Isolation::B, {8, 0, std::nullopt}, "root", 8);
    second = serving("second", Isolation::B, {8, 0, std::nullopt}, "root", 8);
    one = queue("one", "root", {0, 8, 0});
    other = queue("other", "root", {0, 8, 0});
    for (const auto q : {first, second}) {
      intent.roles[q].replica = {8};
      intent.roles[q].victims_in_turn = 1;
    }
    for (const auto q : {one, other}) intent.roles[q].kind = QueueRole::Kind::Batch;
  }
};

kueue::WorkloadId submit(kueue::Model& model, std::uint32_t queue) {
  kueue::WorkloadSpec workload;
  workload.queue = queue;
  workload.requests = {{0, 8}};
  return model.submit(workload);
}

TEST_CASE("the second of two serving tenants needs two turns, each with an eviction of its own") {
  TwoTenants world;
  kueue::Model model(kueue::compile(world.cluster), 0);
  submit(model, world.one);
  submit(model, world.other);
  model.cycle();
  const auto first = submit(model, world.first), second = submit(model, world.second);
  model.cycle();
  model.release_victims();  // the first turn ends
  model.cycle();
  CHECK(model.state(first) == kueue::WorkloadState::Admitted);
  CHECK(model.state(second) != kueue::WorkloadState::Admitted);
  model.cycle();
  model.release_victims();  // the second turn
  model.cycle();
  CHECK(model.state(second) == kueue::WorkloadState::Admitted);
}

TEST_CASE("so both turns count for each of them") {
  TwoTenants world;
  Solver solver;
  const Proof proof{world.cluster, world.intent, world.origins, solver, nullptr};
  const auto shape = kueue::shape_of(world.cluster);
  const TurnTable turns(proof, shape, {{8}, {8}, {0}, {0}});
  CHECK(turns.of(world.first).own == 1);
  CHECK(turns.of(world.first).all == 2);
  CHECK(turns.of(world.second).all == 2);
  SECTION("what nobody can hold needs no turn") {
    const TurnTable safe(proof, shape, {{0}, {8}, {0}, {0}});
    CHECK(safe.of(world.first).all == 0);
    CHECK(safe.of(world.second).all == 1);
  }
}

TEST_CASE("replicas that fit into what nobody can hold need no victims") {
  TwoTenants world;
  world.intent.roles[world.first].replica = {2};
  world.intent.roles[world.first].victims_in_turn = 4;
  Solver solver;
  const Proof proof{world.cluster, world.intent, world.origins, solver, nullptr};
  const auto shape = kueue::shape_of(world.cluster);
  const TurnTable turns(proof, shape, {{5}, {0}, {0}, {0}});
  CHECK(turns.of(world.first).replicas == 4);
  CHECK(turns.of(world.first).own == 3);  // 3 of 8 are sure, one replica of 2 fits there
}

TEST_CASE("a tenant with no declared replica leaves its neighbours without a bound") {
  TwoTenants world;
  world.intent.roles[world.second].victims_in_turn.reset();
  Solver solver;
  const Proof proof{world.cluster, world.intent, world.origins, solver, nullptr};
  const auto shape = kueue::shape_of(world.cluster);
  const TurnTable turns(proof, shape, {{8}, {8}, {0}, {0}});
  CHECK(turns.of(world.first).missing == "the shape of a replica of `second`");
}

TEST_CASE("a batch queue that owns quota and lends it is found, one that keeps it is not") {
  TwoTenants world;
  Solver solver;
  const Proof proof{world.cluster, world.intent, world.origins, solver, nullptr};
  const auto shape = kueue::shape_of(world.cluster);
  CHECK(lending_owners(proof, shape) == std::vector<bool>{false, false, false, false});
  world.cluster.queues[world.one].groups[0].flavors[0].quotas[0] = {4, 8, 0};
  CHECK_FALSE(lending_owners(proof, shape)[world.first]);
  world.cluster.queues[world.one].groups[0].flavors[0].quotas[0] = {4, 8, 1};
  CHECK(lending_owners(proof, shape)[world.first]);
}

}  // namespace
