// Stories about a demand that is known exactly: single pods of one unit of every resource, asked by every serving queue
// at once. First the known ways (what others can hold of each resource and flavor, with every priority that matters,
// and a head of a sibling that reserves), then a search whose dice are the same on every machine.
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "checker/story/hold.h"
#include "checker/story/kept.h"
#include "checker/story/narrate.h"
#include "checker/story/stories.h"
#include "checker/story/within_quotas.h"
#include "compiler/cluster/roles.h"

namespace gpol {

namespace {

using State = kueue::WorkloadState;
using Kind = QueueRole::Kind;

constexpr std::int64_t kMostWork = 1'000'000;  // Stage::worked: a second; what is found is found within half of it
constexpr std::size_t kSmall = 16;             // queues: beyond, only what others can hold is tried

class UnitTeller {
 public:
  UnitTeller(const Stage& stage, const Intent& intent, std::uint32_t queue)
      : stage_(stage),
        cluster_(stage.cluster()),
        intent_(intent),
        queue_(queue),
        own_(priority_of(cluster_, intent, queue)),
        first_(stage.worked()),
        keeps_([this](const Script& script, const Played& played) { return starved(script, played); }) {
    for (const auto& group : cluster_.queues[queue].groups)
      for (const auto& row : group.flavors)
        for (const auto resource : group.covered) pairs_.push_back({row.flavor, resource});
  }

  std::optional<Story> tell() {
    constexpr std::size_t kMostPods = 64;  // a story of more is not told
    if (static_cast<std::size_t>(intent_.roles[queue_].unit_demand.value_or(0)) > kMostPods) return std::nullopt;
    if (auto story = after({})) return story;
    for (const std::int64_t priority : priorities()) {
      for (const auto& hold : holds(priority, {}))
        if (auto story = after(hold)) return story;
      // N15: others hold what a sibling lends, its head wants that back and cannot have it.
      if (cluster_.queues.size() > kSmall) continue;
      for (std::uint32_t sibling = 0; sibling < cluster_.queues.size(); ++sibling) {
        if (sibling == queue_ || spent()) continue;
        const auto found = heads(cluster_, intent_, sibling, priority);
        for (const std::size_t idle : {1U, 0U})
          for (const auto& hold : holds(priority, {&sibling, idle}))
            for (const auto& head : found) {
              std::vector<Step> steps = hold;
              steps.emplace_back(head);
              if (auto story = after(std::move(steps))) return story;
            }
      }
    }
    if (cluster_.queues.size() > kSmall) return std::nullopt;
    if (auto story = taking_turns()) return story;
    if (auto story = keeping()) return story;
    if (auto story = search(false)) return story;
    return search(true);
  }

 private:
  struct Pair {
    std::uint32_t flavor, resource;
  };

  // That matter: the default, its own, and above it; and above everybody's.
  std::vector<std::int64_t> priorities() const {
    std::int64_t highest = own_;
    for (const QueueRole& role : intent_.roles) highest = std::max(highest, role.priority.value_or(own_));
    std::vector<std::int64_t> found{0, own_, own_ + 1};
    if (highest > own_) found.push_back(highest + 1);
    return found;
  }

  bool spent() const { return stage_.worked() - first_ > kMostWork; }
  bool is_pods(std::uint32_t resource) const { return cluster_.resources[resource] == "pods"; }  // one each, always

  // Never were all of its pods admitted at once.
  bool starved(const Script& script, const Played& played) const {
    const bool asks = std::any_of(script.steps.begin(), script.steps.end(), [&](const Step& step) {
      const auto* ask = std::get_if<Submit>(&step);
      return ask != nullptr && ask->ask && ask->workload.queue == queue_;
    });
    return asks && !played.met.contains(queue_);
  }

  Submit pod(std::uint32_t queue) const {
    kueue::WorkloadSpec workload;
    workload.queue = queue;
    workload.priority = priority_of(cluster_, intent_, queue);
    workload.asks_again = true;
    for (const auto& group : cluster_.queues[queue].groups)
      for (const auto resource : group.covered)
        workload.requests.push_back({resource, one_unit(cluster_.resources[resource])});
    std::sort(workload.requests.begin(), workload.requests.end());
    return {std::move(workload), "", true, true, true};
  }

  // The demand of every serving queue, this one's last or first, in one go; `already`: pods of this one that run. What
  // others of them hold is of their demand.
  void ask(Script& script, bool last, std::int64_t already = 0) const {
    const std::vector<Step> before = script.steps;
    const auto all = [&](std::uint32_t queue) {
      const std::int64_t demand = intent_.roles[queue].unit_demand.value_or(0);
      for (std::int64_t i = queue == queue_ ? already : pods_held(before, queue); i < demand; ++i)
        script.steps.emplace_back(pod(queue));
    };
    if (!last) all(queue_);
    for (std::uint32_t q = 0; q < cluster_.queues.size(); ++q)
      if (q != queue_ && root(q) == root(queue_)) all(q);
    if (last) all(queue_);
  }

  // As many pods of its demand as what it asked for in these steps would take.
  std::int64_t pods_held(std::span<const Step> steps, std::uint32_t queue) const {
    std::map<std::uint32_t, std::int64_t> amounts;  // by resource
    std::int64_t pods = 0;
    for (const Step& step : steps) {
      const auto* submit = std::get_if<Submit>(&step);
      if (submit == nullptr || submit->workload.queue != queue) continue;
      std::int64_t asked = submit->workload.count;
      for (const auto& request : submit->workload.requests)
        if (is_pods(request.resource))
          asked = std::max(asked, request.amount);
        else
          amounts[request.resource] += request.amount;
      pods += asked;
    }
    for (const auto& [resource, amount] : amounts) {
      const std::int64_t unit = one_unit(cluster_.resources[resource]);
      pods = std::max(pods, amount / unit + (amount % unit == 0 ? 0 : 1));
    }
    return pods;
  }

  kueue::Node root(kueue::Node v) const { return kueue::root_of(stage_.shape(), v); }

  std::optional<Story> after(std::vector<Step> before) const {
    for (const bool last : {true, false}) {
      if (spent()) return std::nullopt;  // to write it down costs as well
      Script script{before};
      ask(script, last);
      if (auto story = told(std::move(script))) return story;
    }
    return std::nullopt;
  }

  std::optional<Story> told(Script script) const {
    keep_to_quotas(script, cluster_, intent_, queue_);
    if (spent() || !starved(script, stage_.play(script))) return std::nullopt;
    auto small = shrink(stage_, std::move(script), keeps_);
    if (!small) return std::nullopt;
    auto steps = narrate(stage_, intent_, *small, stage_.play(*small), "it waits for ever");
    return Story{std::move(*small), std::move(steps)};
  }

  // Pods that serving puts on places it borrows, and pods of another queue that wants its own quota back, in turns:
  // some of them run before, the others come with the ask.
  std::optional<Story> taking_turns() const {
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

  // N15b: others leave some of what a sibling lends, and its head wants more than that; they hold the rest, too.
  std::optional<Story> keeping() const {
    std::vector<Submit> evicting;  // a unit of everything for whoever may take it from others
    for (std::uint32_t other = 0; other < cluster_.queues.size(); ++other) {
      const Queue& queue = cluster_.queues[other];
      if (queue.preemption.reclaim_within_cohort == Reclaim::Never || queue.stop != StopPolicy::None) continue;
      const auto found = heads(cluster_, intent_, other, own_);
      if (!found.empty()) evicting.push_back(found.front());
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

  // What others can hold of each pair, of each resource in all flavors, and of everything.
  std::vector<std::vector<Step>> holds(std::int64_t priority, std::span<const std::uint32_t> idle) const {
    std::vector<std::vector<Step>> found;
    std::vector<Step> everything;
    const auto add = [](std::vector<Step>& to, const std::vector<Step>& steps) {
      for (const Step& step : steps)
        if (!std::holds_alternative<PutOnHold>(step)) to.push_back(step);
    };
    const auto hold = [&](const Pair& pair) {
      return worst_hold(stage_, intent_, queue_, pair.flavor, pair.resource, priority, idle);
    };
    for (const Pair& pair : pairs_) {
      found.push_back(hold(pair));
      add(everything, found.back());
    }
    for (const Pair& first : pairs_) {
      std::vector<Step> all;
      for (const Pair& pair : pairs_)
        if (pair.resource == first.resource) add(all, hold(pair));
      found.push_back(std::move(all));
    }
    found.push_back(std::move(everything));
    if (pairs_.size() > 1) {  // of what is evicted together the oldest asks again first
      std::vector<Step> reversed;
      for (auto pair = pairs_.rbegin(); pair != pairs_.rend(); ++pair) add(reversed, hold(*pair));
      found.push_back(std::move(reversed));
    }
    std::vector<std::vector<Step>> out;
    for (auto& steps : found) {
      out.push_back(in_units(cluster_, steps));
      out.push_back(std::move(steps));
    }
    if (!stage_.on_hold().empty())
      for (auto& steps : out)
        if (steps.empty() || !std::holds_alternative<PutOnHold>(steps.back())) steps.emplace_back(PutOnHold{});
    return out;
  }

  // Others do this and that, in the order of the dice; `part_first`: after serving has asked for some of its pods.
  std::optional<Story> search(bool part_first) const {
    constexpr int kScripts = 1500;
    const std::int64_t demand = intent_.roles[queue_].unit_demand.value_or(0);
    if (part_first && demand < 2) return std::nullopt;
    for (int i = 0; i < kScripts && !spent(); ++i) {
      dice_ = 0x9e3779b97f4a7c15U * static_cast<std::uint64_t>(i + 1);
      std::vector<Step> steps;
      const std::int64_t already = part_first ? 1 + upto(demand - 2) : 0;
      for (std::int64_t n = 0; n < already; ++n) {
        Submit one = pod(queue_);
        one.ask = one.at_the_same_time = false;
        steps.emplace_back(std::move(one));
      }
      std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> asked;
      const std::int64_t style = upto(2);
      for (std::int64_t n = 1 + upto(7); n > 0; --n) act(steps, asked, style);
      if (!stage_.on_hold().empty()) steps.emplace_back(PutOnHold{});
      Script script{std::move(steps)};
      const bool last = upto(1) == 0;
      // Somebody else's work may be newer than the first of the asks.
      std::vector<Step> between;
      for (std::int64_t n = upto(2); n > 0; --n) act(between, asked, style);
      for (Step& step : between) {
        std::get<Submit>(step).at_the_same_time = true;
        script.steps.push_back(step);
      }
      ask(script, last, already);
      if (auto story = told(std::move(script))) return story;
    }
    return std::nullopt;
  }

  std::int64_t upto(std::int64_t most) const {  // SplitMix64
    std::uint64_t z = dice_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return static_cast<std::int64_t>((z ^ (z >> 31U)) % static_cast<std::uint64_t>(most + 1));
  }

  void act(std::vector<Step>& steps, std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t>& asked,
           std::int64_t style) const {
    const auto q = static_cast<std::uint32_t>(upto(static_cast<std::int64_t>(cluster_.queues.size()) - 1));
    const Queue& queue = cluster_.queues[q];
    const QueueRole& role = intent_.roles[q];
    if (role.kind == Kind::Serving || queue.groups.empty() || queue.stop == StopPolicy::HoldAndDrain) return;
    Submit submit;
    submit.workload.queue = q;
    submit.workload.priority = role.priority.value_or(style == 0 ? 0 : style == 1 ? own_ + 1 : upto(2) * (own_ + 1));
    submit.workload.asks_again = true;
    const auto last = static_cast<std::int64_t>(queue.groups.size()) - 1;
    const ResourceGroup& group = queue.groups[static_cast<std::size_t>(last == 0 ? 0 : upto(last))];
    const auto& rows = group.flavors;
    if (upto(1) == 0 && !rows.empty())
      submit.workload.flavor = rows[static_cast<std::size_t>(upto(static_cast<std::int64_t>(rows.size()) - 1))].flavor;
    const auto& covered = group.covered;
    const std::int64_t shape = upto(3);
    const std::uint32_t chosen = covered[static_cast<std::size_t>(upto(static_cast<std::int64_t>(covered.size()) - 1))];
    for (const auto resource : covered)
      if (!is_pods(resource) && (shape != 1 || resource == chosen))
        submit.workload.requests.push_back(
            {resource, (shape == 0 ? 1 : 1 + upto(shape == 1 ? 5 : 3)) * one_unit(cluster_.resources[resource])});
    std::sort(submit.workload.requests.begin(), submit.workload.requests.end());
    const std::int64_t times = upto(1) == 0 ? 1 : 1 + upto(4);
    for (std::int64_t i = 0; i < times; ++i) {
      if (role.kind == Kind::None && !within_own(queue, q, submit, asked)) return;
      steps.emplace_back(submit);
    }
  }

  // A queue without a role asks, all together, for no more than its nominal quota of any flavor.
  static bool within_own(const Queue& queue, std::uint32_t q, const Submit& submit,
                         std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t>& asked) {
    for (const auto& group : queue.groups)
      for (const auto& row : group.flavors)
        for (std::size_t r = 0; r < group.covered.size(); ++r)
          for (const auto& request : submit.workload.requests)
            if (request.resource == group.covered[r] &&
                asked[{q, request.resource}] + request.amount > row.quotas[r].nominal)
              return false;
    for (const auto& request : submit.workload.requests) asked[{q, request.resource}] += request.amount;
    return true;
  }

  const Stage& stage_;
  const Cluster& cluster_;
  const Intent& intent_;
  std::uint32_t queue_;
  std::int64_t own_, first_;
  Keeps keeps_;
  std::vector<Pair> pairs_;
  mutable std::uint64_t dice_ = 0;
};

}  // namespace

std::optional<Story> tell_unit_reclaim(const Stage& stage, const Intent& intent, std::uint32_t queue) {
  return UnitTeller(stage, intent, queue).tell();
}

}  // namespace gpol
