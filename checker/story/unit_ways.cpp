// The known ways to starve a demand of pods of one unit, beside what others can hold.
#include "checker/story/hold.h"
#include "checker/story/kept.h"
#include "checker/story/unit_teller.h"
#include "compiler/cluster/listed.h"
#include "compiler/cluster/roles.h"

namespace gpol {

using Kind = QueueRole::Kind;

namespace {

void add(Deeds& deeds, const std::vector<Step>& steps) {
  for (const Step& step : steps)
    if (const auto* submit = std::get_if<Submit>(&step)) deeds.before.push_back(*submit);
}

}  // namespace

std::int64_t UnitTeller::owned(const Queue& queue, const Pair& pair) {
  const Quota* quota = listed_quota(queue.groups, pair.flavor, pair.resource);
  return quota == nullptr ? 0 : quota->nominal;
}

bool UnitTeller::is_of(const Submit& submit, const Pair& pair) {
  return submit.workload.flavor == pair.flavor && submit.workload.requests.front().resource == pair.resource;
}

UnitTeller::Told UnitTeller::taking_turns() {
  constexpr std::int64_t kBefore = 6, kBeside = 3;
  for (std::uint32_t other = 0; other < cluster_.queues.size(); ++other) {
    const QueueRole& role = intent_.roles[other];
    const Queue& queue = cluster_.queues[other];
    if (role.kind != Kind::Batch || queue.groups.empty() || queue.stop != StopPolicy::None) continue;
    Submit one = pod(other);
    one.ask = one.fixed = false;
    one.workload.priority = role.priority.value_or(0);
    for (const Pair& pair : pairs_)
      for (std::int64_t before = 0; before <= kBefore; ++before)
        for (std::int64_t beside = 0; beside <= kBeside; ++beside) {
          if (before + beside == 0 || (beside == 0 && pair.flavor != pairs_.front().flavor)) continue;
          Script script;
          one.at_the_same_time = false;
          one.workload.flavor.reset();
          for (std::int64_t i = 0; i < before; ++i) script.steps.emplace_back(one);
          one.at_the_same_time = true;
          one.workload.flavor = pair.flavor;
          for (std::int64_t i = 0; i < beside; ++i) script.steps.emplace_back(one);
          ask(script, true);
          if (auto story = told(std::move(script))) return story;
        }
  }
  return std::nullopt;
}

UnitTeller::Told UnitTeller::keeping() {
  std::vector<Submit> evicting;  // a unit of everything for whoever may take it from others
  for (std::uint32_t other = 0; other < cluster_.queues.size(); ++other) {
    const Queue& queue = cluster_.queues[other];
    if (queue.preemption.reclaim_within_cohort == Reclaim::Never || queue.stop != StopPolicy::None) continue;
    if (const auto found = heads(cluster_, intent_, other, own_); !found.empty()) evicting.push_back(found.front());
  }
  for (std::uint32_t sibling = 0; sibling < cluster_.queues.size(); ++sibling) {
    if (sibling == queue_ || !may_keep(cluster_.queues[sibling])) continue;
    const auto found = heads(cluster_, intent_, sibling, own_);
    for (const auto& some : leaving_some(stage_, intent_, queue_, sibling, own_))
      for (const Pair& pair : pairs_) {
        if (spent()) return std::nullopt;
        const std::uint32_t idle[] = {sibling};
        auto rest = in_units(cluster_, worst_hold(stage_, intent_, queue_, pair.flavor, pair.resource, own_, idle));
        rest.insert(rest.begin(), some.begin(), some.end());
        if (auto story = after(rest)) return story;
        for (const auto& head : found) {
          std::vector<Step> steps = rest;
          steps.emplace_back(head);
          if (auto story = after(steps)) return story;
          for (const auto& other : evicting) {  // N15c
            if (other.workload.queue == sibling) continue;
            steps.emplace_back(other);
            if (auto story = after(steps)) return story;
            steps.pop_back();
          }
        }
      }
  }
  return std::nullopt;
}

UnitTeller::Told UnitTeller::keeping_from_the_last() {
  for (std::uint32_t sibling = 0; sibling < cluster_.queues.size(); ++sibling) {
    if (sibling == queue_ || !may_keep(cluster_.queues[sibling])) continue;
    const auto found = heads(cluster_, intent_, sibling, own_);
    for (const Submit& head : found) {
      std::vector<std::vector<Submit>> held{{}};  // by the sibling itself
      for (const Submit& other : found)
        if (other.workload.requests.size() == 1 && other.workload.flavor == head.workload.flavor &&
            other.workload.requests.front().resource != head.workload.requests.front().resource)
          held.push_back({other});
      for (const auto& before : held)
        for (const auto& hold : holds(own_, {&sibling, 1})) {
          if (spent()) return std::nullopt;
          Deeds deeds{before, {head}, std::max<std::int64_t>(0, demand() - 1), true};
          add(deeds, hold);
          if (auto story = told(std::move(deeds))) return story;
        }
    }
  }
  return std::nullopt;
}

UnitTeller::Told UnitTeller::coming_back() {
  for (std::uint32_t other = 0; other < cluster_.queues.size(); ++other) {
    if (other == queue_) continue;
    for (const Submit& newest : heads(cluster_, intent_, other, own_)) {
      if (newest.workload.requests.size() != 1) continue;
      for (const Pair& above : pairs_)
        if (!is_of(newest, above))
          for (const bool whole : {true, false})
            for (const std::int64_t already : {std::max<std::int64_t>(0, demand() - 1), std::int64_t{0}}) {
              if (spent()) return std::nullopt;
              if (auto story = told(beside_what_comes_back(newest, above, whole, already))) return story;
            }
    }
  }
  return std::nullopt;
}

// `newest` is evicted for what it asks for, as its queue is above its quota of `above`, and there are newer holders of
// that than itself. `whole`: others hold what `newest` asks for in one workload each.
Deeds UnitTeller::beside_what_comes_back(const Submit& newest, const Pair& above, bool whole,
                                         std::int64_t already) const {
  const std::uint32_t other = newest.workload.queue;
  const auto all_but_a_few = [&](std::uint32_t flavor, std::uint32_t resource) {
    return without(worst_hold(stage_, intent_, queue_, flavor, resource, own_, {&other, 1}), resource,
                   (already + 1) * one_unit(cluster_.resources[resource]));
  };
  Deeds deeds;
  deeds.already = already;
  const auto held =
      all_but_a_few(newest.workload.flavor.value_or(above.flavor), newest.workload.requests.front().resource);
  add(deeds, whole ? held : in_units(cluster_, held));
  Submit unit = newest;
  unit.workload.flavor = above.flavor;
  unit.workload.requests = {{above.resource, one_unit(cluster_.resources[above.resource])}};
  const std::int64_t amount = unit.workload.requests.front().amount;
  unit.workload.requests.front().amount += owned(cluster_.queues[other], above) / amount * amount;
  add(deeds, in_units(cluster_, {unit}));
  add(deeds, in_units(cluster_, all_but_a_few(above.flavor, above.resource)));
  deeds.before.push_back(newest);
  return deeds;
}

}  // namespace gpol
