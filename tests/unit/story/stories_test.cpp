// A story is what the model plays, and nothing of it is idle: taking any step away, or any unit off any number, ends
// it.
#include "checker/story/stories.h"

#include "checker/story/hold.h"
#include "tests/support/catch.h"
#include "tests/unit/families/small_cluster.h"

using namespace gpol;
using namespace gpol::test;

namespace {

constexpr const char* kGpu = "nvidia.com/gpu";

// Two serving tenants that lend all they have to two borrowers, who can hold it all.
struct TwoTenants : SmallCluster {
  std::uint32_t first, second, one, other;
  TwoTenants() : SmallCluster({kGpu}) {
    first = serving("first", Isolation::B, {8, 0, std::nullopt}, "root", 8);
    second = serving("second", Isolation::B, {8, 0, std::nullopt}, "root", 8);
    one = batch("one", {0, 8, 0});
    other = batch("other", {0, 8, 0});
    for (const auto q : {first, second}) {
      intent.roles[q].replica = {8};
      intent.roles[q].victims_in_turn = 1;
    }
  }
};

bool last_waits(const Stage& stage, const Script& script) {
  const Played played = stage.play(script);
  const auto* ask = std::get_if<Submit>(&script.steps.back());
  return ask != nullptr && ask->ask && played.events.back().settled != kueue::WorkloadState::Admitted;
}

// Every script with one step less, and every script with one number lowered by a unit.
std::vector<Script> smaller(const Script& script) {
  std::vector<Script> all;
  for (std::size_t i = 0; i < script.steps.size(); ++i) {
    if (script.steps.size() > 1) {
      all.push_back(script);
      all.back().steps.erase(all.back().steps.begin() + static_cast<std::ptrdiff_t>(i));
    }
    const auto* submit = std::get_if<Submit>(&script.steps[i]);
    for (std::size_t r = 0; submit != nullptr && r < submit->workload.requests.size(); ++r) {
      all.push_back(script);
      auto& requests = std::get<Submit>(all.back().steps[i]).workload.requests;
      if (--requests[r].amount == 0) requests.erase(requests.begin() + static_cast<std::ptrdiff_t>(r));
    }
  }
  return all;
}

void check_irreducible(const Stage& stage, const Script& script) {
  REQUIRE(last_waits(stage, script));
  for (const Script& less : smaller(script)) {
    const auto* ask = std::get_if<Submit>(&less.steps.back());
    if (ask == nullptr || !ask->ask || ask->workload.requests.empty()) continue;  // nobody asks for anything
    CHECK_FALSE(last_waits(stage, less));
  }
}

}  // namespace

TEST_CASE("a reserve that nobody may take back: the story is irreducible") {
  TwoTenants world;
  world.cluster.queues[world.first].preemption.reclaim_within_cohort = Reclaim::Never;
  const Stage stage(world.cluster);
  const auto story = tell_reclaim(stage, world.intent, world.first);
  REQUIRE(story);
  CHECK(story->steps.size() == story->script.steps.size());
  check_irreducible(stage, story->script);
}

TEST_CASE("a borrower on Hold got there before it was held, and nobody evicts it") {
  TwoTenants world;
  world.cluster.queues[world.one].stop = StopPolicy::Hold;
  const Stage stage(world.cluster);
  const auto story = tell_reclaim(stage, world.intent, world.first);
  REQUIRE(story);
  REQUIRE(std::any_of(story->script.steps.begin(), story->script.steps.end(),
                      [](const Step& step) { return std::holds_alternative<PutOnHold>(step); }));
  check_irreducible(stage, story->script);
}

TEST_CASE("where the scheduler gives everything back there is no story") {
  TwoTenants world;
  const Stage stage(world.cluster);
  CHECK_FALSE(tell_reclaim(stage, world.intent, world.first));
}

TEST_CASE("two tenants that ask at the same time: the one that is looked at second waits for two evictions") {
  TwoTenants world;
  const Stage stage(world.cluster);
  const std::vector<TimeTerm> terms{{"all of it", 100'000, "declared", false}};
  const std::vector<std::uint32_t> others{world.first};
  const auto late = tell_late(stage, world.intent, world.second, others, {1, 2}, terms, {90'000, 200'000});
  REQUIRE(late);
  CHECK(late->steps.back().does ==
        "has its GPUs back 1min 40s after it asked, 10s later than the 1min 30s that it may take; it is late already "
        "with "
        "fewer turns than the worst case has, which takes 3min 20s");
  CHECK_FALSE(
      tell_late(stage, world.intent, world.second, {}, {1, 2}, terms, {90'000, 200'000}));  // alone it waits for one
  CHECK(tell_late(stage, world.intent, world.second, {}, {1, 1}, terms, {90'000, 200'000}));
  CHECK_FALSE(tell_late(stage, world.intent, world.second, others, {1, 3}, terms, {90'000, 200'000}));
}

namespace {

// What the queues of this role are admitted to before the ask, in order.
std::vector<std::int64_t> held(const Intent& intent, const Script& script, QueueRole::Kind kind) {
  std::vector<std::int64_t> all;
  for (const Step& step : script.steps)
    if (const auto* submit = std::get_if<Submit>(&step);
        submit != nullptr && !submit->ask && intent.roles[submit->workload.queue].kind == kind)
      all.push_back(submit->workload.requests.front().amount);
  return all;
}

}  // namespace

TEST_CASE("stories are told in whole pods of the declared shapes") {
  TwoTenants world;
  world.cluster.queues[world.first].preemption.reclaim_within_cohort = Reclaim::Never;
  world.intent.roles[world.one].pod_shapes[0] = {0, 4};
  world.intent.roles[world.other].pod_shapes[0] = {0, 4};
  const Stage stage(world.cluster);
  const auto story = tell_reclaim(stage, world.intent, world.first);
  REQUIRE(story);
  const auto of_batch = held(world.intent, story->script, QueueRole::Kind::Batch);
  REQUIRE_FALSE(of_batch.empty());
  for (const std::int64_t amount : of_batch) CHECK(amount % 4 == 0);
  for (const StoryStep& step : story->steps) CHECK(step.does.find("shape") == std::string::npos);
  REQUIRE(last_waits(stage, story->script));  // and a pod less ends it
  for (std::size_t i = 0; i < story->script.steps.size(); ++i) {
    Script less = story->script;
    auto& submit = std::get<Submit>(less.steps[i]);
    if (world.intent.roles[submit.workload.queue].kind != QueueRole::Kind::Batch) continue;
    submit.workload.requests.front().amount -= 4;
    if (submit.workload.requests.front().amount == 0) less.steps.erase(less.steps.begin() + static_cast<long>(i));
    CHECK_FALSE(last_waits(stage, less));
  }
}

TEST_CASE("where whole pods break nothing the story is of any size, and says so") {
  TwoTenants world;
  world.cluster.queues[world.first].preemption.reclaim_within_cohort = Reclaim::Never;
  world.cluster.queues[world.other].stop = StopPolicy::HoldAndDrain;
  world.intent.roles[world.one].pod_shapes[0] = {0, 9};  // more than it may borrow
  const Stage stage(world.cluster);
  const auto story = tell_reclaim(stage, world.intent, world.first);
  REQUIRE(story);
  CHECK(std::any_of(story->steps.begin(), story->steps.end(), [](const StoryStep& step) {
    return step.does.find("(this proof does not count on its shape of 9 GPUs a pod)") != std::string::npos;
  }));
}

TEST_CASE("holdings in whole pods are rounded up where that is admitted, else down") {
  TwoTenants world;
  world.intent.roles[world.one].pod_shapes[0] = {0, 3};
  const Stage stage(world.cluster);
  const auto in_pods = [&](std::int64_t one, std::int64_t other) {
    const std::vector<kueue::Holding> holdings{{world.one, one}, {world.other, other}};
    std::vector<std::int64_t> all;
    for (const auto& holding : in_shapes(stage, world.intent, world.first, 0, 0, holdings))
      all.push_back(holding.amount);
    return all;
  };
  CHECK(in_pods(5, 8) == std::vector<std::int64_t>{6, 8});
  CHECK(in_pods(8, 8) == std::vector<std::int64_t>{6, 8});
  world.intent.roles[world.one].pod_shapes[0] = {0, 9};
  world.intent.roles[world.other].pod_shapes[0] = {0, 9};
  CHECK(in_pods(8, 8).empty());
  world.intent.roles[world.one].pod_shapes.clear();
  world.intent.roles[world.other].pod_shapes.clear();
  CHECK(in_pods(5, 8) == std::vector<std::int64_t>{5, 8});
}

TEST_CASE("more quota than devices: batch is told in whole pods") {
  TwoTenants world;
  const auto nominal = [&](std::uint32_t queue, std::int64_t amount) {
    world.cluster.queues[queue].groups.front().flavors.front().quotas.front().nominal = amount;
  };
  nominal(world.one, 12);
  world.intent.roles[world.one].pod_shapes[0] = {0, 4};
  const auto told = [&](std::int64_t devices) {
    PoolCapacity capacity;
    capacity.surely = capacity.at_most = {devices};
    return tell_capacity(Stage(world.cluster), world.intent, capacity, 0, devices);
  };
  const auto beside = told(18);
  REQUIRE(beside);
  CHECK(held(world.intent, beside->script, QueueRole::Kind::Batch) == std::vector<std::int64_t>{4});
  CHECK(beside->steps.back().does.ends_with("; 1 GPU of it is on no node"));
  nominal(world.first, 0);
  nominal(world.second, 0);
  const auto alone = told(6);
  REQUIRE(alone);
  CHECK(held(world.intent, alone->script, QueueRole::Kind::Batch) == std::vector<std::int64_t>{8});
  CHECK(alone->steps.back().does.ends_with("; 2 GPUs of it are on no node"));
}

TEST_CASE("steps that happen at the same time have no cycle between them") {
  TwoTenants world;
  const Stage stage(world.cluster);
  Script script{worst_hold(stage, world.intent, world.first, 0, 0, 0, {&world.second, 1})};
  const std::size_t held = script.steps.size();
  for (const bool together : {true, false}) {
    Script asks = script;
    for (const auto q : {world.first, world.second}) {
      kueue::WorkloadSpec workload;
      workload.queue = q;
      workload.requests = {{0, 8}};
      asks.steps.emplace_back(Submit{workload, "", true, true, together});
    }
    const Played played = stage.play(asks);
    CHECK(played.events[held].turns == 1);
    CHECK(played.events[held + 1].turns == (together ? 2 : 1));
  }
}
