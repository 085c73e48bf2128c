// Stories in which serving's own quota does not come back. The recipes are the known ways of kueue.md 4.3; what none of
// them reaches is looked for in a bounded search. Every one is judged by the model alone.
#include <algorithm>

#include "checker/story/hold.h"
#include "checker/story/narrate.h"
#include "checker/story/stories.h"
#include "compiler/cluster/listed.h"

namespace gpol {

namespace {

using State = kueue::WorkloadState;

// The last step is an ask, and what it and those at the same time ask was never admitted at once. (An ask alone: it is
// still not admitted when nothing moves any more.)
bool never_admitted(const Script& script, const Played& played) {
  if (script.steps.empty()) return false;
  const auto* ask = std::get_if<Submit>(&script.steps.back());
  if (ask == nullptr || !ask->ask || played.met.contains(ask->workload.queue)) return false;
  const auto& requests = ask->workload.requests;  // who asks for nothing is no story
  return std::ranges::any_of(requests, [](const kueue::Request& r) { return r.amount > 0; });
}

// A waiting workload of somebody else in front of the ask is the cause: it reserves in every cycle (N15).
bool somebody_reserves(const Script& script, const Played& played) {
  for (std::size_t i = 0; i + 1 < script.steps.size(); ++i)
    if (std::holds_alternative<Submit>(script.steps[i]) && played.events[i].settled == State::Pending) return true;
  return false;
}

class Teller {
 public:
  Teller(const Stage& stage, const Intent& intent, std::uint32_t queue)
      : stage_(stage),
        cluster_(stage.cluster()),
        intent_(intent),
        queue_(queue),
        priority_(priority_of(cluster_, intent, queue)) {}

  std::optional<Story> tell() {
    for (const Pods pods : {Pods::OfDeclaredShapes, Pods::OfAnySize}) {
      if (pods == Pods::OfDeclaredShapes && !shapes_declared(intent_)) continue;
      pods_ = pods;
      if (auto story = tell_of_pods()) return story;
    }
    return std::nullopt;
  }

 private:
  std::optional<Story> tell_of_pods() {
    const auto& groups = cluster_.queues[queue_].groups;
    if (groups.empty() || groups.front().flavors.empty()) return std::nullopt;
    flavor_ = groups.front().flavors.front().flavor;
    covered_ = groups.front().covered;
    // Devices first: that is what a reader wants to see starve.
    std::ranges::stable_sort(covered_, [&](auto a, auto b) { return is_device(a) > is_device(b); });
    // What a queue on Hold holds nobody gets back: it takes all it can before the others do.
    std::vector<std::uint32_t> not_on_hold;
    for (std::uint32_t q = 0; q < cluster_.queues.size(); ++q)
      if (cluster_.queues[q].stop != StopPolicy::Hold) not_on_hold.push_back(q);
    std::vector<std::vector<std::uint32_t>> idles{{}};
    if (not_on_hold.size() < cluster_.queues.size()) idles.push_back(not_on_hold);
    for (const auto resource : resources())
      for (const std::int64_t priority : {std::int64_t{0}, priority_, priority_ + 1})
        for (const auto& idle : idles)
          if (auto story =
                  from(worst_hold(stage_, intent_, queue_, flavor_, resource, priority, idle, pods_), resource))
            return story;
    for (std::uint32_t sibling = 0; sibling < cluster_.queues.size(); ++sibling)
      if (blocks(sibling))
        for (const auto resource : resources())
          if (auto story = blocked_by(sibling, resource)) return story;
    return search();
  }

  // Shapes are of devices: without them no pod of a declared shape takes anything else.
  std::vector<std::uint32_t> resources() const {
    std::vector<std::uint32_t> all = covered_;
    if (pods_ == Pods::OfDeclaredShapes) std::erase_if(all, [&](std::uint32_t r) { return !is_device(r); });
    return all;
  }

  bool is_device(std::uint32_t resource) const { return is_gpu_or_slice(cluster_.resources[resource]); }

  Submit ask(std::vector<kueue::Request> requests) const {
    return {.workload = spec_of(queue_, priority_, std::move(requests)), .at = asks_at(queue_), .ask = true};
  }

  kueue::WorkloadSpec spec_of(std::uint32_t queue, std::int64_t priority, std::vector<kueue::Request> requests) const {
    return {.queue = queue, .priority = priority, .requests = std::move(requests), .flavor = flavor_};
  }

  std::string asks_at(std::uint32_t queue) const {
    const auto& at = intent_.roles[queue].asks_at;
    return at ? clock(*at) : "";
  }

  std::vector<kueue::Request> replica() const {
    std::vector<kueue::Request> requests;
    for (const auto resource : covered_)
      if (const auto amount = per_replica(intent_.roles[queue_], resource); amount > 0)
        requests.push_back({resource, amount});
    std::ranges::sort(requests);
    return requests;
  }

  std::vector<kueue::Request> whole_reserve() const {
    std::vector<kueue::Request> requests;
    for (const auto resource : covered_)
      if (const auto amount = reserve_of(cluster_, intent_, queue_, flavor_, resource); amount > 0)
        requests.push_back({resource, amount});
    return requests;
  }

  // After `before`, serving asks: for everything at once, which any cause defeats; shrink then finds the smallest ask.
  // Where the shape of a replica is declared it asks for replicas and nothing else.
  std::optional<Story> from(std::vector<Step> before, std::uint32_t resource) const {
    const std::int64_t reserve = reserve_of(cluster_, intent_, queue_, flavor_, resource);
    if (reserve == 0) return std::nullopt;
    if (intent_.roles[queue_].victims_in_turn) {
      Script script{std::move(before)};
      for (std::int64_t i = 0; i < std::min(kToldReplicas, *intent_.roles[queue_].victims_in_turn); ++i) {
        script.steps.emplace_back(ask(replica()));
        std::get<Submit>(script.steps.back()).fixed = std::get<Submit>(script.steps.back()).at_the_same_time = true;
      }
      return told(std::move(script));
    }
    for (const auto& requests : {std::vector<kueue::Request>{{resource, reserve}}, whole_reserve()}) {
      Script script{before};
      script.steps.emplace_back(ask(requests));
      if (auto story = told(std::move(script))) return story;
    }
    return std::nullopt;
  }

  std::optional<Story> told(Script script) const {
    if (!never_admitted(script, stage_.play(script))) return std::nullopt;
    auto small = shrink(stage_, std::move(script), never_admitted);
    if (!small) return std::nullopt;
    const Played played = stage_.play(*small);
    const std::string why =
        somebody_reserves(*small, played)
            ? "it waits for ever, since in every cycle the head of another queue reserves quota before it"
            : "it waits for ever, since nobody may be evicted for it";
    auto steps = narrate(stage_, intent_, *small, played, why);
    return Story{std::move(*small), std::move(steps)};
  }

  bool blocks(std::uint32_t sibling) const {
    const Queue& q = cluster_.queues[sibling];
    return sibling != queue_ && q.strategy == QueueingStrategy::StrictFIFO &&
           q.preemption.reclaim_within_cohort != Reclaim::Any && !q.cohort.empty() &&
           !cluster_.queues[queue_].cohort.empty();
  }

  std::int64_t nominal(std::uint32_t queue, std::uint32_t resource) const {
    const Quota* quota = listed_quota(cluster_.queues[queue].groups, flavor_, resource);
    return quota == nullptr ? 0 : quota->nominal;
  }

  // N15: others hold what serving and the sibling lend; the sibling's head wants its own back and cannot have it.
  std::optional<Story> blocked_by(std::uint32_t sibling, std::uint32_t resource) const {
    const std::int64_t own = nominal(sibling, resource);
    if (own == 0) return std::nullopt;
    auto before = worst_hold(stage_, intent_, queue_, flavor_, resource, 0, {&sibling, 1}, pods_);
    const std::int64_t pod = pod_in(sibling, resource);
    // Nothing pins the priority of batch; equal and older sorts first.
    before.emplace_back(Submit{
        .workload = spec_of(sibling, priority_, {{resource, own / pod * pod}}), .at = asks_at(sibling), .pod = pod});
    return from(std::move(before), resource);
  }

  std::int64_t pod_in(std::uint32_t queue, std::uint32_t resource) const {
    return pods_ == Pods::OfAnySize ? 1 : pod_devices_of(intent_, queue, flavor_, resource);
  }

  // Up to two workloads of others, each of a few sizes and priorities, in every order, then serving asks for its
  // reserve.
  std::optional<Story> search() const {
    constexpr std::size_t kMostQueues = 6, kMostSteps = 400, kLarge = 64;
    if (cluster_.queues.size() > kLarge) return std::nullopt;  // its first queues say nothing of the others
    std::vector<Step> candidates;
    std::size_t queues = 0;
    for (std::uint32_t q = 0; q < cluster_.queues.size() && queues < kMostQueues; ++q) {
      if (q == queue_ || cluster_.queues[q].cohort.empty()) continue;
      ++queues;
      for (const auto resource : covered_) {
        if (!is_device(resource)) continue;
        const std::int64_t pod = pod_in(q, resource);
        for (const std::int64_t some :
             {pod, nominal(q, resource), reserve_of(cluster_, intent_, queue_, flavor_, resource)})
          for (const std::int64_t priority : {std::int64_t{0}, priority_ + 1}) {
            const std::int64_t amount = some / pod * pod;
            if (amount <= 0) continue;
            kueue::WorkloadSpec workload = spec_of(q, priority, {{resource, amount}});
            workload.asks_again = true;
            candidates.emplace_back(Submit{std::move(workload), "", false, false, false, pod});
          }
      }
    }
    std::size_t tried = 0;
    for (std::uint32_t mode = 0; mode < cluster_.modes.size(); ++mode)
      for (const auto& first : candidates)
        for (const auto& second : candidates) {
          if (++tried > kMostSteps) return std::nullopt;
          Script script{{SwitchMode{mode, ""}, first, second, ask(whole_reserve())}};
          if (auto story = told(std::move(script))) return story;
        }
    return std::nullopt;
  }

  const Stage& stage_;
  const Cluster& cluster_;
  const Intent& intent_;
  std::uint32_t queue_;
  std::int64_t priority_;
  Pods pods_ = Pods::OfAnySize;  // of batch
  std::uint32_t flavor_ = 0;
  std::vector<std::uint32_t> covered_;
};

}  // namespace

std::optional<Story> tell_reclaim(const Stage& stage, const Intent& intent, std::uint32_t queue) {
  if (!stage.uncovered().empty()) return std::nullopt;
  return intent.roles[queue].unit_demand ? tell_unit_reclaim(stage, intent, queue)
                                         : Teller(stage, intent, queue).tell();
}

}  // namespace gpol
