#include "checker/story/stories.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/story/hold.h"
#include "checker/story/narrate.h"
#include "compiler/policy/units.h"

namespace gpol {

namespace {

using State = kueue::WorkloadState;

const Submit* submit_at(const Script& script, std::size_t i) { return std::get_if<Submit>(&script.steps[i]); }

// Everybody else was admitted, the last step is an ask, and it is not admitted in its first cycle.
bool last_ask_waits(const Script& script, const Played& played) {
  if (script.steps.empty()) return false;
  const std::size_t last = script.steps.size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    const auto* submit = submit_at(script, i);
    if (submit != nullptr && played.events[i].settled != State::Admitted) return false;
  }
  const auto* ask = submit_at(script, last);
  return ask != nullptr && ask->ask && played.events[last].at_once != State::Admitted;
}

// Every replica of the queue's demand asks, at the same time as what is added next.
void ask_for_all(const Cluster& cluster, const Intent& intent, std::uint32_t queue, std::uint32_t flavor,
                 std::int64_t most, Script& script) {
  const QueueRole& role = intent.roles[queue];
  kueue::WorkloadSpec replica{
      .queue = queue, .priority = priority_of(cluster, intent, queue), .requests = {}, .flavor = flavor};
  for (std::uint32_t r = 0; r < cluster.resources.size(); ++r)
    if (const std::int64_t asked = per_replica(role, r); asked > 0) replica.requests.push_back({r, asked});
  for (std::int64_t i = 0; i < std::min(most, role.victims_in_turn.value_or(0)); ++i)
    script.steps.emplace_back(Submit{replica, role.asks_at ? clock(*role.asks_at) : "", true, true, true});
}

std::optional<Story> told(const Stage& stage, const Intent& intent, Script script, const Keeps& keeps,
                          const std::string& why) {
  if (!keeps(script, stage.play(script))) return std::nullopt;
  auto small = shrink(stage, std::move(script), keeps);
  if (!small) return std::nullopt;
  auto steps = narrate(stage, intent, *small, stage.play(*small), why);
  return Story{std::move(*small), std::move(steps)};
}

std::int64_t left_beside(const Stage& stage, std::uint32_t queue, std::uint32_t flavor, std::uint32_t resource,
                         std::span<const kueue::Holding> holdings) {
  kueue::Usage held;
  const kueue::Limits& limits = stage.widest(flavor, resource);
  for (const auto& holding : holdings) held.add(stage.shape(), limits, holding.queue, holding.amount);
  return std::max<std::int64_t>(0, kueue::available(stage.shape(), limits, held, queue));
}

std::optional<Story> held_by_others(const Stage& stage, const Intent& intent, std::uint32_t queue, std::uint32_t flavor,
                                    std::uint32_t resource, std::span<const kueue::Holding> holdings) {
  const Cluster& cluster = stage.cluster();
  // The holdings of the closed form are irreducible (kueue::witness): the model plays the whole script, and each script
  // with one switch of windows left out.
  Script script{hold_steps(cluster, intent, flavor, resource, holdings, 0), true};
  kueue::WorkloadSpec ask;
  ask.queue = queue;
  ask.priority = priority_of(cluster, intent, queue);
  ask.requests = {{resource, 1}};
  ask.flavor = flavor;
  const QueueRole& role = intent.roles[queue];
  ask.requests.front().amount = left_beside(stage, queue, flavor, resource, holdings) + 1;
  script.steps.emplace_back(Submit{std::move(ask), role.asks_at ? clock(*role.asks_at) : "", true, false});
  Played played = stage.play(script);
  if (!last_ask_waits(script, played)) {
    const std::vector<Step> beside = fill_beside(stage, intent, flavor, resource, holdings);
    if (beside.empty()) return std::nullopt;
    script.steps.insert(script.steps.begin(), beside.begin(), beside.end());
    played = stage.play(script);
    if (!last_ask_waits(script, played)) return std::nullopt;
  }
  for (std::size_t i = 0; i < script.steps.size(); ++i) {
    if (!std::holds_alternative<SwitchMode>(script.steps[i])) continue;
    Script shorter = script;
    shorter.steps.erase(shorter.steps.begin() + static_cast<std::ptrdiff_t>(i));
    Played without = stage.play(shorter);
    if (!last_ask_waits(shorter, without)) continue;
    script = std::move(shorter);
    played = std::move(without);
    --i;
  }
  auto steps = narrate(stage, intent, script, played, "it must wait until somebody else gives some back");
  return Story{std::move(script), std::move(steps)};
}

// Everybody's replicas ask at once while batch holds all it can (nothing, where nobody has to be evicted), no more of
// each queue than a story can tell of. Nothing where the model does not cover the cluster.
std::optional<Script> everybody_asks(const Stage& stage, const Intent& intent, std::uint32_t queue,
                                     std::span<const std::uint32_t> others, Waiting waiting, Pods pods) {
  if (!stage.uncovered().empty()) return std::nullopt;
  const Cluster& cluster = stage.cluster();
  const ResourceGroup& group = cluster.queues[queue].groups.front();
  const std::uint32_t flavor = group.flavors.front().flavor;
  const auto device =
      std::ranges::find_if(group.covered, [&](std::uint32_t r) { return is_gpu_or_slice(cluster.resources[r]); });
  if (device == group.covered.end()) return std::nullopt;
  Script script;
  if (waiting.in_turn > 0) script.steps = worst_hold(stage, intent, queue, flavor, *device, 0, others, pods);
  for (const std::uint32_t other : others) ask_for_all(cluster, intent, other, flavor, kToldOfOthers, script);
  ask_for_all(cluster, intent, queue, flavor, waiting.asks, script);
  return script;
}

// The turns of the last ask of the queue; nothing where somebody is not admitted in the end.
std::optional<std::int64_t> turns_of(const Script& script, const Played& played, std::uint32_t queue) {
  std::int64_t turns = 0;
  for (std::size_t i = 0; i < script.steps.size(); ++i) {
    const auto* submit = submit_at(script, i);
    if (submit == nullptr) continue;
    if (played.events[i].settled != State::Admitted) return std::nullopt;
    if (submit->ask && submit->workload.queue == queue) turns = std::max(turns, played.events[i].turns);
  }
  return turns;
}

}  // namespace

std::optional<Story> tell_claim(const Stage& stage, const Intent& intent, std::uint32_t queue, std::uint32_t flavor,
                                std::uint32_t resource, std::span<const kueue::Holding> holdings,
                                std::int64_t permitted) {
  if (!stage.uncovered().empty()) return std::nullopt;
  if (shapes_declared(intent)) {
    const auto whole = in_shapes(stage, intent, queue, flavor, resource, holdings);
    const std::int64_t promised = reserve_of(stage.cluster(), intent, queue, flavor, resource) - permitted;
    if (left_beside(stage, queue, flavor, resource, whole) < promised)
      if (auto story = held_by_others(stage, intent, queue, flavor, resource, whole)) return story;
  }
  return held_by_others(stage, intent, queue, flavor, resource, holdings);
}

std::int64_t turns_played(const Stage& stage, const Intent& intent, std::uint32_t queue,
                          std::span<const std::uint32_t> others) {
  const auto script = everybody_asks(stage, intent, queue, others, {kToldReplicas, 1}, Pods::OfAnySize);
  return script ? turns_of(*script, stage.play(*script), queue).value_or(-1) : -1;
}

std::optional<Story> tell_late(const Stage& stage, const Intent& intent, std::uint32_t queue,
                               std::span<const std::uint32_t> others, Waiting waiting, std::span<const TimeTerm> terms,
                               TooLate late) {
  const QueueRole& role = intent.roles[queue];

  // Every ask is met in the end, the last one of the queue only after so many turns.
  const Keeps evictions_in_turn = [&](const Script& shorter, const Played& played) {
    const auto asks = std::ranges::count_if(shorter.steps, [&](const Step& step) {
      const auto* submit = std::get_if<Submit>(&step);
      return submit != nullptr && submit->ask && submit->workload.queue == queue;
    });
    return asks >= waiting.asks && turns_of(shorter, played, queue).value_or(-1) >= waiting.in_turn;
  };
  std::optional<Story> story;
  for (const Pods pods : {Pods::OfDeclaredShapes, Pods::OfAnySize}) {
    if (story || (pods == Pods::OfDeclaredShapes && !shapes_declared(intent))) continue;
    auto script = everybody_asks(stage, intent, queue, others, waiting, pods);
    if (!script) return std::nullopt;
    story = told(stage, intent, std::move(*script), evictions_in_turn, "");
  }
  if (!story) return std::nullopt;
  tell_clock(story->steps, role.tenant, role.asks_at, terms, late);
  return story;
}

std::vector<TimeTerm> start_terms(const TimeConstant& schedule, const TimeConstant& image, const TimeConstant& weights,
                                  const TimeConstant& load, const TimeConstant& warm) {
  std::vector<TimeTerm> terms{{"schedule", schedule.value, schedule.source, true},
                              {"image", image.value, image.source, true},
                              {"weights", weights.value, weights.source, true},
                              {"load", load.value, load.source, true},
                              {"warm-up", warm.value, warm.source, true}};
  std::erase_if(terms, [](const TimeTerm& term) { return term.time == 0; });
  return terms;
}

void tell_clock(std::vector<StoryStep>& steps, const std::string& tenant, std::optional<int> asks_at,
                std::span<const TimeTerm> terms, TooLate late) {
  Millis passed = 0;
  bool starts = false;
  const auto now = [&] { return asks_at ? clock_after(*asks_at, passed) : fmt::format("+{}", human_duration(passed)); };
  for (const auto& term : terms) {
    passed = sum_of({passed, term.time});
    starts = starts || term.after_places;
    steps.push_back({now(), tenant,
                     fmt::format("{} {}: {} ({})", term.after_places ? "start-up," : "still waits,", term.what,
                                 human_duration(term.time), term.source)});
  }
  // Without a start-up it is a loan's return that is late: nothing is said of when its pods are warm.
  const std::string took = human_duration(passed), over = human_duration(passed - late.limit);
  const std::string limit = human_duration(late.limit);
  std::string end =
      starts ? fmt::format("is running and warm {} after it asked, {} after its deadline of {}", took, over, limit)
             : fmt::format("has its GPUs back {} after it asked, {} later than the {} that it may take", took, over,
                           limit);
  if (passed < late.bound)
    end += fmt::format("; it is late already with fewer turns than the worst case has, which takes {}",
                       human_duration(late.bound));
  steps.push_back({now(), tenant, std::move(end)});
}

}  // namespace gpol
