// The formula of guarantee G as a prediction: a scene is played in the model, the free constants of the formula are set
// to what is the case in it, and then every fact must be true and the goal say whether the workload waits for ever.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "checker/families/families.h"
#include "checker/families/reclaim_formula.h"
#include "checker/kueue/model.h"
#include "tests/support/catch.h"
#include "tests/support/random_tree.h"
#include "tests/unit/families/small_cluster.h"

using namespace gpol;
using testing::Dice;

namespace {

using Values = std::map<std::string, std::int64_t>;
constexpr std::uint32_t kServing = 0, kBatch = 1, kSibling = 2;

// Batch owns nothing and holds all there is; a sibling's head waits, or there is none; then serving asks.
struct Scene {
  test::SmallCluster world;
  std::int64_t nominal[2], asked[2], own_priority, victim_priority, sibling_priority, sibling_asked, sibling_nominal;
  bool on_hold, sibling, sibling_older, can_borrow, borrows_both = true;
  Reclaim policy;

  explicit Scene(Dice& dice) {
    for (int r = 0; r < 2; ++r) {
      nominal[r] = 1 + dice.upto(2);
      asked[r] = std::max<std::int64_t>(r, dice.upto(nominal[r] + (dice.one_in(4) ? 1 : 0)));
    }
    policy = dice.one_in(6) ? Reclaim::Never : dice.one_in(2) ? Reclaim::LowerPriority : Reclaim::Any;
    own_priority = 1 + dice.upto(1);
    victim_priority = dice.upto(3);
    sibling = dice.one_in(2);
    sibling_nominal = 1 + dice.upto(1);
    sibling_asked = 1 + dice.upto(sibling_nominal - 1);
    sibling_priority = dice.upto(3);
    sibling_older = dice.one_in(2);
    on_hold = dice.one_in(6);
    can_borrow = dice.one_in(8);
    const Quota batch{0, std::nullopt, std::nullopt};
    world.queue("serving", "root", {0, std::nullopt, std::nullopt});
    auto& row = world.cluster.queues[kServing].groups.front().flavors.front();
    for (std::size_t r = 0; r < 2; ++r)
      row.quotas[r] = {nominal[r], can_borrow ? std::nullopt : std::optional<std::int64_t>(0), std::nullopt};
    world.cluster.queues[kServing].preemption = {Within::Never, policy, BorrowWithin::Never, std::nullopt};
    world.queue("batch", "root", batch);
    world.queue("sibling", "root", {sibling_nominal, 0, std::nullopt});
    Queue& other = world.cluster.queues[kSibling];
    other.preemption = {Within::Never, dice.one_in(3) ? Reclaim::Any : Reclaim::Never, BorrowWithin::Never,
                        std::nullopt};
    other.strategy = dice.one_in(3) ? QueueingStrategy::BestEffortFIFO : QueueingStrategy::StrictFIFO;
  }

  void let_batch_borrow_the_first_only() {
    borrows_both = false;
    world.cluster.queues[kBatch].groups.front().flavors.front().quotas[1].borrowing = 0;
  }

  const Queue& other() const { return world.cluster.queues[kSibling]; }

  static kueue::WorkloadId submit(kueue::Model& model, std::uint32_t queue, std::int64_t cpu, std::int64_t gpu,
                                  std::int64_t priority) {
    kueue::WorkloadSpec workload;
    workload.queue = queue;
    workload.priority = priority;
    workload.requests = {{0, cpu}, {1, gpu}};
    return model.submit(workload);
  }

  void fill(kueue::Model& model) const {
    const std::int64_t all[2] = {nominal[0] + sibling_nominal, nominal[1] + sibling_nominal};
    for (std::int64_t i = 0; i < std::max(all[0], all[1]); ++i)
      submit(model, kBatch, i < all[0] ? 1 : 0, borrows_both && i < all[1] ? 1 : 0, victim_priority);
    for (int i = 0; i < 8; ++i) model.cycle();
    if (on_hold) model.stop(kBatch, StopPolicy::Hold);
  }

  // Whether a single unit, within the nominal quota of everything, gets a victim evicted: the policy alone.
  bool may_evict() const {
    kueue::Model model(kueue::compile(world.cluster), 0);
    Scene alone = *this;
    alone.on_hold = false;
    alone.fill(model);
    const auto ask = submit(model, kServing, 1, 1, own_priority);
    model.settle();
    return model.state(ask) == kueue::WorkloadState::Admitted;
  }

  ReclaimFacts facts() const {
    ReclaimFacts f;
    f.policy = policy;
    f.nominal_covers = asked[0] <= nominal[0] && asked[1] <= nominal[1];
    f.borrows_nothing = !can_borrow;
    f.victims_active = !on_hold;
    f.victims_below = victim_priority < own_priority;
    f.one_flavor = f.no_topology = f.best_effort_head = f.active = f.namespace_matches = true;
    f.no_checks = f.nothing_blocks = f.physical = true;
    if (sibling) {
      const bool any = other().preemption.reclaim_within_cohort == Reclaim::Any;
      const bool strict = other().strategy == QueueingStrategy::StrictFIFO;
      f.siblings = {any, false, !any && !strict, !any && strict, false};
    }
    f.resources = 2;
    return f;
  }

  Values values(const kueue::Model& model) const {
    Values v;
    for (std::uint32_t r = 0; r < 2; ++r) {
      const auto set = [&](const char* name, std::int64_t value) { v[fmt::format("{}[{}]", name, r)] = value; };
      set("used", 0);
      set("asked", asked[r]);
      set("reserve", asked[r]);
      set("nominal", nominal[r]);
      set("borrowing_limit", can_borrow ? 100 : 0);
      set("above_nominal", 0);
      set("available", model.available(kServing, 0, r));
    }
    v["own_priority"] = own_priority;
    v["victim_priority"] = victim_priority;
    v["victim_above_nominal"] = 1;
    v["victim_active"] = on_hold ? 0 : 1;
    v["may_evict"] = may_evict() ? 1 : 0;
    v["eviction_ends"] = v["own_active"] = v["namespace_matches"] = 1;
    v["sibling_head"] = sibling ? 1 : 0;
    const bool any = other().preemption.reclaim_within_cohort == Reclaim::Any;
    v["sibling_reclaims_any"] = any ? 1 : 0;
    v["sibling_without_victims"] = any && !on_hold ? 0 : 1;
    v["sibling_strict_fifo"] = other().strategy == QueueingStrategy::StrictFIFO ? 1 : 0;
    v["sibling_asked"] = sibling_asked;
    v["sibling_nominal"] = sibling_nominal;
    v["sibling_priority"] = sibling_priority;
    v["sibling_time"] = sibling_older ? 1 : 3;
    v["own_time"] = 2;
    return v;
  }
};

}  // namespace

TEST_CASE("the formula of reclaim foretells what the model does") {
  int waits = 0, gets = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    Dice dice(seed);
    const Scene scene(dice);
    kueue::Model model(kueue::compile(scene.world.cluster), 0);
    scene.fill(model);
    const auto head = [&] {
      if (scene.sibling)
        Scene::submit(model, kSibling, scene.sibling_asked, scene.sibling_asked, scene.sibling_priority);
    };
    if (scene.sibling_older) head();
    const auto ask = Scene::submit(model, kServing, scene.asked[0], scene.asked[1], scene.own_priority);
    if (!scene.sibling_older) head();
    Values values = scene.values(model);
    const Formula formula = reclaim_formula(scene.facts());
    for (const Term& symbol : symbols_of(formula)) values.try_emplace(symbol->name, 0);
    model.settle();
    const bool admitted = model.state(ask) == kueue::WorkloadState::Admitted;
    INFO("scene " << seed << (admitted ? ": it gets its place" : ": it waits"));
    for (const auto& fact : formula.facts) {
      INFO(fact.name);
      CHECK(evaluate(fact.term, values) != 0);
    }
    const bool starves = evaluate(formula.negated_goal, values) != 0;
    if (!admitted) CHECK(starves);
    // What a sibling reclaims can be more than it needs, and then does for this workload, too.
    const bool freed_by_it = scene.sibling && scene.other().preemption.reclaim_within_cohort == Reclaim::Any;
    if (admitted && !freed_by_it) CHECK_FALSE(starves);
    (admitted ? gets : waits)++;
  }
  CHECK(waits > 100);
  CHECK(gets > 100);
}

TEST_CASE("a scene in which reclaim is proven gives serving its place") {
  int proven = 0, other = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Dice dice(seed);
    Scene scene(dice);
    test::SmallCluster& world = scene.world;
    if (dice.one_in(4)) scene.let_batch_borrow_the_first_only();
    // Now and then more than the second resource's quota is there for.
    const std::int64_t pods = dice.one_in(4) ? scene.nominal[0] : std::min(scene.nominal[0], scene.nominal[1]);
    world.cluster.resources = {"example.com/one", "example.com/two"};
    world.cluster.queues[kBatch].stop = scene.on_hold ? StopPolicy::Hold : StopPolicy::None;
    QueueRole& serves = world.intent.roles[kServing];
    serves.kind = QueueRole::Kind::Serving;
    serves.isolation = Isolation::B;
    serves.reserve = {scene.nominal[0], std::max(pods, scene.nominal[1])};
    serves.permitted = serves.reserve;
    serves.unit_demand = pods;
    serves.priority = scene.own_priority;
    for (const auto& [q, priority] :
         {std::pair{kBatch, scene.victim_priority}, std::pair{kSibling, scene.sibling_priority}}) {
      world.intent.roles[q].kind = QueueRole::Kind::Batch;
      world.intent.roles[q].priority = priority;
    }
    const Report report = world.run(prove_reclaim);
    INFO("scene " << seed);
    if (test::find(report, Family::Reclaim, "serving", "example.com/one").verdict != Verdict::Proven) {
      ++other;
      continue;
    }
    ++proven;
    kueue::Model model(kueue::compile(world.cluster), 0);
    if (scene.on_hold) model.stop(kBatch, StopPolicy::None);
    scene.fill(model);
    const auto head = [&] {
      if (scene.sibling)
        Scene::submit(model, kSibling, scene.sibling_asked, scene.sibling_asked, scene.sibling_priority);
    };
    if (scene.sibling_older) head();
    std::vector<kueue::WorkloadId> asks;
    for (std::int64_t i = 0; i < pods; ++i) asks.push_back(Scene::submit(model, kServing, 1, 1, scene.own_priority));
    if (!scene.sibling_older) head();
    model.settle();
    for (const auto ask : asks) CHECK(model.state(ask) == kueue::WorkloadState::Admitted);
  }
  CHECK(proven > 20);
  CHECK(other > 20);
}
