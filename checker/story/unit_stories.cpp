// Stories about a demand that is known exactly: the ask, what counts as starving, and what is tried, in order.
#include "checker/story/unit_teller.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "checker/story/hold.h"
#include "checker/story/kept.h"
#include "checker/story/narrate.h"
#include "compiler/cluster/listed.h"
#include "compiler/cluster/roles.h"
#include "compiler/source/lookup.h"

namespace gpol {

using State = kueue::WorkloadState;
using Kind = QueueRole::Kind;

namespace {

bool names(const ResourceGroup& group, std::uint32_t flavor) {
  return contains(group.flavors, flavor, &FlavorQuotas::flavor);
}

// What is assumed of others while a story is told of observed manifests: queues that serve, and those that are
// called bounded, hold no more than they own.
// Of the steps before serving asks: of each such queue but `owner`, all together, no more than its nominal quota of any
// flavor that they may be given; a pod each, too, where it covers them; nothing where its demand is of no pod. Steps
// that are beyond are left out.
void keep_to_quotas(Script& script, const Cluster& cluster, const Intent& intent, std::uint32_t owner) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::int64_t> asked;  // queue, flavor, resource
  std::erase_if(script.steps, [&](const Step& step) {
    const auto* submit = std::get_if<Submit>(&step);
    if (submit == nullptr) return false;
    const kueue::WorkloadSpec& workload = submit->workload;
    const Kind kind = intent.roles[workload.queue].kind;
    if (workload.queue == owner || kind == Kind::Batch || (kind == Kind::Serving && submit->ask)) return false;
    if (intent.roles[workload.queue].unit_demand == 0) return true;
    std::map<std::uint32_t, std::int64_t> amounts;
    for (const auto& request : workload.requests) amounts[request.resource] = request.amount;
    bool beyond = false;
    for (const bool take : {false, true})
      for (const ListedQuota& one : listed_quotas(cluster.queues[workload.queue].groups)) {
        if (beyond) break;
        const std::int64_t own = amounts[one.resource];
        const std::int64_t amount = cluster.resources[one.resource] == "pods" ? std::max(workload.count, own) : own;
        const bool here = !workload.flavor || one.flavor == *workload.flavor || !names(one.group, *workload.flavor);
        if (amount == 0 || !here) continue;
        std::int64_t& all = asked[{workload.queue, one.flavor, one.resource}];
        if (take)
          all += amount;
        else
          beyond = amount > one.quota.nominal - all;
      }
    return beyond;
  });
}

constexpr std::int64_t kMostWork = 1'000'000;  // Stage::worked: a second; what is found is found within half of it
constexpr std::size_t kSmall = 16;             // queues: beyond, only what others can hold is tried

}  // namespace

UnitTeller::UnitTeller(const Stage& stage, const Intent& intent, std::uint32_t queue)
    : stage_(stage),
      cluster_(stage.cluster()),
      intent_(intent),
      queue_(queue),
      own_(priority_of(cluster_, intent, queue)),
      first_(stage.worked()),
      keeps_([this](const Script& script, const Played& played) { return starved(script, played); }) {
  for (const ListedQuota& one : listed_quotas(cluster_.queues[queue].groups))
    pairs_.push_back({one.flavor, one.resource});
}

bool UnitTeller::spent() const { return stage_.worked() - first_ > kMostWork; }

std::optional<Story> UnitTeller::tell() {
  constexpr std::size_t kMostPods = 64;  // a story of more is not told
  if (static_cast<std::size_t>(intent_.roles[queue_].unit_demand.value_or(0)) > kMostPods) return std::nullopt;
  if (auto story = after({})) return story;
  if (auto story = beside_running_demands()) return story;
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
  if (auto story = coming_back()) return story;
  if (auto story = keeping_from_the_last()) return story;
  return search();
}

UnitTeller::Told UnitTeller::beside_running_demands() {
  Script script;
  for (std::uint32_t q = 0; q < cluster_.queues.size(); ++q)
    for (std::int64_t i = 0; q != queue_ && root(q) == root(queue_) && i < intent_.roles[q].unit_demand.value_or(0);
         ++i) {
      Submit one = pod(q);
      one.at_the_same_time = false;
      script.steps.emplace_back(std::move(one));
    }
  if (script.steps.empty()) return std::nullopt;
  for (std::int64_t i = 0; i < demand(); ++i) script.steps.emplace_back(pod(queue_));
  return told(std::move(script));
}

std::vector<std::int64_t> UnitTeller::priorities() const {
  std::int64_t highest = own_;
  for (const QueueRole& role : intent_.roles) highest = std::max(highest, role.priority.value_or(own_));
  std::vector<std::int64_t> found{0, own_, own_ + 1};
  if (highest > own_) found.push_back(highest + 1);
  return found;
}

bool UnitTeller::starved(const Script& script, const Played& played) const {
  const bool asks = std::ranges::any_of(script.steps, [&](const Step& step) {
    const auto* ask = std::get_if<Submit>(&step);
    return ask != nullptr && ask->ask && ask->workload.queue == queue_;
  });
  return asks && !played.met.contains(queue_) && !odd_head(script, played);
}

std::optional<std::size_t> UnitTeller::odd_head(const Script& script, const Played& played) const {
  for (std::size_t i = 0; i < script.steps.size(); ++i) {
    const auto* submit = std::get_if<Submit>(&script.steps[i]);
    if (submit != nullptr && !submit->ask && submit->workload.queue != queue_ &&
        intent_.roles[submit->workload.queue].kind == Kind::Serving && played.events[i].settled != State::Admitted)
      return i;
  }
  return std::nullopt;
}

Submit UnitTeller::pod(std::uint32_t queue) const {
  kueue::WorkloadSpec workload;
  workload.queue = queue;
  workload.priority = priority_of(cluster_, intent_, queue);
  workload.asks_again = true;
  for (const auto& group : cluster_.queues[queue].groups)
    for (const auto resource : group.covered)
      if (const std::int64_t unit = unit_asked(cluster_, intent_.roles[queue], resource); unit > 0)
        workload.requests.push_back({resource, unit});
  std::ranges::sort(workload.requests);
  return {std::move(workload), "", true, true, true};
}

void UnitTeller::ask(Script& script, bool last, std::int64_t already) const {
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

std::int64_t UnitTeller::pods_held(std::span<const Step> steps, std::uint32_t queue) const {
  std::map<std::uint32_t, std::int64_t> amounts;  // by resource
  std::int64_t pods = 0;
  for (const Step& step : steps) {
    const auto* submit = std::get_if<Submit>(&step);
    if (submit == nullptr || submit->workload.queue != queue) continue;
    std::int64_t asked = submit->workload.count;
    for (const auto& request : submit->workload.requests)
      if (cluster_.resources[request.resource] == "pods")
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

std::vector<std::vector<Step>> UnitTeller::holds(std::int64_t priority, std::span<const std::uint32_t> idle) const {
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

UnitTeller::Told UnitTeller::after(std::vector<Step> before) {
  for (const bool last : {true, false}) {
    if (spent()) return std::nullopt;  // to write it down costs as well
    Deeds deeds;
    for (const Step& step : before)
      if (const auto* submit = std::get_if<Submit>(&step)) deeds.before.push_back(*submit);
    deeds.last = last;
    Script script{before};
    ask(script, last);
    if (auto story = told(std::move(script), &deeds)) return story;
  }
  return std::nullopt;
}

UnitTeller::Told UnitTeller::told(Script script, Deeds* deeds) {
  keep_to_quotas(script, cluster_, intent_, queue_);
  if (spent()) return std::nullopt;
  Played played = stage_.play(script);
  for (auto odd = odd_head(script, played); odd && !spent(); odd = odd_head(script, played)) {
    script.steps.erase(script.steps.begin() + static_cast<std::ptrdiff_t>(*odd));
    played = stage_.play(script);
  }
  if (!starved(script, played)) {
    if (deeds != nullptr) remember(std::move(*deeds), script, played);
    return std::nullopt;
  }
  auto small = shrink(stage_, std::move(script), keeps_);
  if (!small) return std::nullopt;
  auto steps = narrate(stage_, intent_, *small, stage_.play(*small), "it waits for ever");
  return Story{std::move(*small), std::move(steps)};
}

Script UnitTeller::script_of(const Deeds& deeds) const {
  Script script;
  for (std::int64_t n = 0; n < deeds.already; ++n) {
    Submit one = pod(queue_);
    one.ask = one.at_the_same_time = false;
    script.steps.emplace_back(std::move(one));
  }
  for (const Submit& one : deeds.before) script.steps.emplace_back(one);
  if (!stage_.on_hold().empty()) script.steps.emplace_back(PutOnHold{});
  for (Submit one : deeds.beside) {
    one.at_the_same_time = true;  // it may be newer than the first of the asks
    script.steps.emplace_back(std::move(one));
  }
  ask(script, deeds.last, deeds.already);
  return script;
}

void UnitTeller::remember(Deeds deeds, const Script& script, const Played& played) {
  constexpr std::size_t kBest = 24;
  std::int64_t asked = 0, waited = 0;
  for (std::size_t at = 0; at < script.steps.size(); ++at) {
    const auto* one = std::get_if<Submit>(&script.steps[at]);
    if (one == nullptr || !one->ask || one->workload.queue != queue_) continue;
    waited = std::max(waited, played.events[at].waited + played.events[at].turns);
    ++asked;
  }
  deeds.waited = waited - asked;  // one is looked at in a cycle
  if (best_.size() < kBest) {
    best_.push_back(std::move(deeds));
    return;
  }
  auto& least = *std::ranges::min_element(best_, {}, &Deeds::waited);
  if (deeds.waited >= least.waited) least = std::move(deeds);
}

UnitTeller::Told UnitTeller::told(Deeds deeds) {
  Script script = script_of(deeds);
  return told(std::move(script), &deeds);
}

UnitTeller::Told UnitTeller::search() {
  constexpr int kScripts = 3000;
  constexpr std::int64_t kAnew = 8;  // of so many one does not go on from another
  Dice dice(cluster_, intent_, own_, demand());
  for (int i = 0; i < kScripts && !spent(); ++i) {
    const bool anew = best_.empty() || dice.upto(kAnew - 1) == 0;
    Deeds deeds = anew ? dice.fresh() : best_[dice.one_of(best_.size())];
    for (std::int64_t n = anew ? 0 : 1 + dice.upto(2); n > 0; --n) dice.change(deeds);
    if (auto story = told(std::move(deeds))) return story;
  }
  return std::nullopt;
}

std::optional<Story> tell_unit_reclaim(const Stage& stage, const Intent& intent, std::uint32_t queue) {
  return UnitTeller(stage, intent, queue).tell();
}

}  // namespace gpol
