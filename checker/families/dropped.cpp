#include "checker/families/dropped.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "checker/families/doors.h"
#include "checker/families/outside_story.h"
#include "checker/families/pairs.h"
#include "checker/families/premises.h"
#include "checker/families/replicas.h"
#include "checker/families/turns.h"
#include "checker/story/hold.h"
#include "checker/story/narrate.h"
#include "checker/story/node_stories.h"
#include "compiler/cluster/listed.h"
#include "compiler/policy/units.h"

namespace gpol {

namespace {

using Story = std::vector<StoryStep>;

// Devices before what goes with them.
Story first_story(const Report& report) {
  for (const bool devices : {true, false})
    for (const Obligation& o : report.obligations)
      if (o.required && o.verdict == Verdict::Refuted && (o.figures.unit == Unit::Devices || !devices) && o.detail &&
          !o.detail->story.empty())
        return o.detail->story;
  return {};
}

class Dropped {
 public:
  Dropped(const Proof& proof, const Report& proven, const GuardAnswers& guards)
      : proof_(proof), proven_(proven), guards_(guards) {}

  // Each rule of a route has buckets and a circuit breaker of its own.
  Story routes_as_declared() const {
    return of_gateways([](PlannedEdge& edge, std::int64_t by) {
      for (PlannedLimit& limit : edge.limits)
        if (limit.proxies) limit.proxies = *limit.proxies * (by + 1);
      return StoryStep{"", "somebody",
                       fmt::format("gives HTTPRoute {} {} rules: each proxy counts for each of them, as {} would",
                                   edge.limits.empty() ? "" : edge.limits.front().route, by + 1, by + 1)};
    });
  }
  Story rate_limit_service() const {
    return of_gateways([](PlannedEdge& edge, std::int64_t by) {
      for (PlannedLimit& limit : edge.limits)
        if (limit.shared) limit.shared->most = times(limit.shared->most, by + 1);
      return StoryStep{
          "", "the rate-limit service",
          fmt::format("loses its counter {} time{} in each window, and counts from 0 again", by, by == 1 ? "" : "s")};
    });
  }
  Story network_policies_enforced() const {
    return of_gateways([](PlannedEdge& edge, std::int64_t) {
      if (!edge.callers.empty())
        edge.callers.front() = {edge.callers.front().service, "a pod of any tenant", edge.tenant, "", {}};
      return StoryStep{"", "the cluster's network", "does not enforce NetworkPolicies"};
    });
  }
  Story requests_balanced() const {
    return of_gateways([](PlannedEdge& edge, std::int64_t by) {
      if (edge.replicas) edge.replicas = std::max<std::int64_t>(*edge.replicas - by, 0);
      return StoryStep{
          "", "somebody",
          fmt::format("updates `{}`, or scales it: {} replica{} fewer", edge.service, by, by == 1 ? "" : "s")};
    });
  }

  // One binding is deleted, and a request that its policy denied gets in.
  Story controller_as_emitted() {
    const auto& bindings = proof_.cluster.admission_bindings;
    for (std::size_t i = 0; i < bindings.size(); ++i) {
      if (guards_.any() && !guards_.takes(bindings[i].policy)) continue;
      Cluster without = proof_.cluster;
      without.admission_bindings.erase(without.admission_bindings.begin() + static_cast<std::ptrdiff_t>(i));
      GuardBook book(without, proof_.intent, proof_.solver, guards_.without(bindings[i].policy), GuardBook::For::Story);
      for (const Premise& premise : premises()) {
        const Kept kept = book.look(premise.key);
        Story story = story_of(kept);
        if (kept.kept || story.empty()) continue;
        story.insert(
            story.begin(),
            {"", "somebody", fmt::format("deletes the ValidatingAdmissionPolicyBinding `{}`", bindings[i].name)});
        return story;
      }
    }
    return {};
  }

  // One node more is lost than is tolerated, of every pool.
  Story nodes_as_declared() {
    Intent intent = proof_.intent;
    for (PoolCapacity& capacity : intent.capacities) {
      if (capacity.nodes == kNone || capacity.nodes_min <= capacity.lost) continue;
      ++capacity.lost;
      for (std::size_t r = 0; r < capacity.surely.size(); ++r) capacity.surely[r] -= capacity.of_one[r];
    }
    if (Story story = story_with(intent, prove_fragmentation); !story.empty()) return story;
    return story_with(intent, prove_capacity);
  }

  // The last step of a start, or the scheduler, takes just longer than the deadline allows; where that is only so when
  // more tenants ask than a story tells of, so long that it is late whoever asks.
  Story times_hold() {
    constexpr int kMost = 3;  // of thousands: each asks about all queues anew
    constexpr std::size_t kLarge = 256;
    const bool large = proof_.cluster.queues.size() > kLarge;
    int tried = 0;
    for (std::size_t q = 0; q < proof_.intent.roles.size() && tried < kMost; ++q) {
      const QueueRole& role = proof_.intent.roles[q];
      const auto back = back_of(proof_.cluster.queues[q].name);
      if (!back || (!role.deadline && !role.back_within)) continue;
      Intent intent = proof_.intent;
      std::optional<TimeConstant>& late = role.deadline ? intent.roles[q].start.warm : intent.batch.round;
      if (!late) continue;
      ++tried;
      for (std::size_t other = 0; large && other < intent.roles.size(); ++other)  // the story is of this one alone
        if (other != q) intent.roles[other].deadline.reset(), intent.roles[other].back_within.reset();
      const StartTerms& s = role.start;
      Millis takes = *back;
      if (role.deadline)
        for (const auto* term : {&s.schedule, &s.image, &s.weights, &s.load, &s.warm})
          takes += *term ? (*term)->value : 0;
      const Millis limit = role.deadline ? role.deadline->value : role.back_within->value;
      late->source = fmt::format("declared as {}", human_duration(late->value));
      const Millis declared = late->value;
      for (const Millis too_long : {limit - takes, limit}) {
        if (large && too_long < limit) continue;
        late->value = declared + too_long + 1000;
        if (Story story = story_with(intent, prove_reclaim); !story.empty()) return story;
      }
    }
    return {};
  }

  // More Jobs than were measured with: the controllers take longer over each.
  Story jobs_bounded() {
    if (proof_.intent.job_limits.empty()) return {};
    const JobLimit& limit = proof_.intent.job_limits.front();
    for (std::optional<TimeConstant> BatchTimes::* slower : {&BatchTimes::release_reaction, &BatchTimes::round}) {
      Intent intent = proof_.intent;
      std::optional<TimeConstant>& late = intent.batch.*slower;
      if (!late) continue;
      late->source = fmt::format("declared as {}, measured with {} Jobs", human_duration(late->value), limit.most);
      late->value += 24 * 3'600'000;
      Story story = story_with(intent, prove_reclaim);
      if (story.empty()) continue;
      story.insert(story.begin(), {"", "a user of " + limit.ns, "creates thousands of Jobs, which nobody counts"});
      return story;
    }
    return {};
  }

  // Nobody is evicted for a tenant outside the queue.
  Story scheduler_as_upstream() {
    Intent intent = proof_.intent;
    for (OutsideReserve& tenant : intent.outside) tenant.preempts_at.reset();
    Story story = story_with(intent, prove_fragmentation);
    if (!story.empty())
      story.insert(story.begin(), {"", "somebody", "switches off kube-scheduler's DefaultPreemption"});
    return story;
  }

  // Another serving queue borrows as batch would.
  Story serving_within_reserve() {
    for (const auto& borrower : serving_borrowers(proof_, kueue::shape_of(proof_.cluster))) {
      if (!borrower) continue;
      Intent intent = proof_.intent;
      QueueRole greedy;
      greedy.kind = QueueRole::Kind::Batch;
      greedy.tenant = intent.roles[*borrower].tenant;
      intent.roles[*borrower] = std::move(greedy);
      if (Story story = story_with(intent, prove_claim); !story.empty()) return story;
    }
    return {};
  }

  // One of the serving tenants that share a pool asks for cpu and memory as batch would.
  Story requests_as_declared() {
    constexpr int kMost = 3;  // of thousands: each asks about all nodes anew
    int tried = 0;
    const auto beside = beside_other_serving(proof_.cluster, proof_.intent);
    for (std::uint32_t q = 0; q < beside.size() && tried < kMost; ++q) {
      if (!beside[q]) continue;
      ++tried;
      Intent intent = proof_.intent;
      const QueueRole& role = proof_.intent.roles[q];
      QueueRole greedy;
      greedy.kind = QueueRole::Kind::Batch;
      greedy.tenant = role.tenant;
      greedy.name_span = role.name_span;
      const std::optional<PodShape> devices = devices_in(proof_.cluster, role.replica);
      for (const Pair& pair : pairs_of(proof_.cluster.queues[q]))
        if (devices)
          greedy.pod_shapes[pair.flavor] = *devices;
        else if (is_gpu_or_slice(proof_.cluster.resources[pair.resource]))
          greedy.pod_shapes[pair.flavor] = {pair.resource, 1};
      intent.roles[q] = std::move(greedy);
      if (Story story = story_with(intent, prove_fragmentation); !story.empty()) return story;
    }
    return {};
  }

  // Pods of batch on nodes that are cut ask for any cpu and memory, and for no slice.
  Story requests_within_share() {
    Intent intent = proof_.intent;
    for (CutPool& cut : intent.cut_pools) cut.shares.clear();
    return story_with(intent, prove_fragmentation);
  }

  // Somebody of a namespace that the queue's selector lets in, and that is no tenant's, takes the whole reserve.
  Story own_namespaces() {
    const Stage stage(proof_.cluster);
    for (std::uint32_t q = 0; q < proof_.cluster.queues.size(); ++q) {
      const QueueRole& role = proof_.intent.roles[q];
      if (role.kind != QueueRole::Kind::Serving || lists_names(proof_.cluster.queues[q].namespaces)) continue;
      Story story = story_of_intruder(proof_, stage, q);
      if (story.empty()) continue;
      story.insert(story.begin(), {"", "a stranger",
                                   fmt::format("has a LocalQueue for `{}` in a namespace that its "
                                               "namespaceSelector lets in",
                                               proof_.cluster.queues[q].name)});
      return story;
    }
    return {};
  }

 private:
  // The first that a family tells when others act so.
  Story story_with(const Intent& intent, void (*prove)(const Proof&, Report&)) const {
    Report report;
    prove({proof_.cluster, intent, proof_.origins, proof_.solver, nullptr}, report);
    return first_story(report);
  }

  // Gateways are asked again about a worse world, until what they let in is too much.
  template <class Worsen>
  Story of_gateways(const Worsen& worsen) const {
    constexpr std::size_t kMost = 64;
    for (std::size_t of = 0; of < proof_.intent.edges.size() * kMost; ++of) {
      Intent intent = proof_.intent;
      StoryStep first = worsen(intent.edges[of / kMost], static_cast<std::int64_t>(of % kMost) + 1);
      Report report;
      prove_gateway({proof_.cluster, intent, proof_.origins, proof_.solver}, report);
      Story story = first_story(report);
      if (story.empty()) continue;
      story.insert(story.begin(), std::move(first));
      return story;
    }
    return {};
  }

  std::optional<Millis> back_of(std::string_view queue) const {
    for (const Obligation& o : proven_.obligations)
      if (o.family == Family::Reclaim && o.verdict == Verdict::Proven && o.subject.name == queue)
        return o.figures.back_within_ms;
    return std::nullopt;
  }

  const Proof& proof_;
  const Report& proven_;
  const GuardAnswers& guards_;
};

// Each other queue asks for what it owns of the pair.
std::vector<Submit> submits_of_own(const Cluster& cluster, std::uint32_t but, Pair pair) {
  std::vector<Submit> all;
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q)
    for (const ListedQuota& one : listed_quotas(cluster.queues[q].groups)) {
      if (q == but || one.flavor != pair.flavor || one.resource != pair.resource || one.quota.nominal <= 0) continue;
      all.push_back({{.queue = q, .requests = {{pair.resource, one.quota.nominal}}, .flavor = pair.flavor}, ""});
    }
  return all;
}

}  // namespace

std::vector<StoryStep> story_without(const Proof& proof, const Report& proven, std::string_view premise,
                                     const GuardAnswers& guards) {
  Dropped dropped(proof, proven, guards);
  if (premise == "controller-as-emitted" || premise == "volcano-as-emitted") return dropped.controller_as_emitted();
  if (premise == "nodes-as-declared") return dropped.nodes_as_declared();
  if (premise == "times-hold") return dropped.times_hold();
  if (premise == "jobs-bounded") return dropped.jobs_bounded();
  if (premise == "routes-as-declared") return dropped.routes_as_declared();
  if (premise == "requests-balanced") return dropped.requests_balanced();
  if (premise == "rate-limit-service") return dropped.rate_limit_service();
  if (premise == "network-policies-enforced") return dropped.network_policies_enforced();
  if (premise == "serving-within-reserve") return dropped.serving_within_reserve();
  if (premise == "requests-as-declared") return dropped.requests_as_declared();
  if (premise == "requests-within-share") return dropped.requests_within_share();
  if (premise == "own-namespaces") return dropped.own_namespaces();
  if (premise == "batch-runs-on") return tell_churn(proof.cluster, proof.intent);
  if (premise == "scheduler-as-upstream") return dropped.scheduler_as_upstream();
  if (premise == "batch-stays") {
    auto told = tell_sent_round(proof);
    return told ? std::move(told->steps) : std::vector<StoryStep>{};
  }
  return {};
}

std::vector<StoryStep> story_of_intruder(const Proof& proof, const Stage& stage, std::uint32_t q) {
  constexpr std::int64_t kMostWork = 10'000'000;  // Stage::worked
  if (!stage.uncovered().empty() || stage.worked() > kMostWork) return {};
  const QueueRole& role = proof.intent.roles[q];
  const auto pairs = pairs_of(proof.cluster.queues[q]);
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_partition(
      order, [&](std::size_t i) { return unit_of(proof.cluster.resources[pairs[i].resource]) == Unit::Devices; });
  for (const std::size_t i : order) {
    if (role.reserve.at(i) <= 0) continue;
    kueue::WorkloadSpec taken;
    taken.queue = q;
    taken.priority = priority_of(proof.cluster, proof.intent, q);
    taken.flavor = pairs[i].flavor;
    taken.requests = {{pairs[i].resource, role.reserve[i]}};
    kueue::WorkloadSpec asked = taken;
    asked.requests.front().amount = 1;
    for (const bool others_run : {false, true}) {  // where it may borrow, others use what they own
      Script script{{Submit{taken, ""}}};
      if (others_run)
        for (Submit& own : submits_of_own(proof.cluster, q, pairs[i])) script.steps.emplace_back(std::move(own));
      script.steps.emplace_back(Submit{asked, role.asks_at ? clock(*role.asks_at) : "", true});
      const Played played = stage.play(script);
      using State = kueue::WorkloadState;
      if (played.events.front().settled != State::Admitted || played.events.back().settled == State::Admitted) continue;
      auto story = narrate(stage, proof.intent, script, played, "its own queue gives it away to a stranger");
      story.front().actor = "a stranger";
      return story;
    }
  }
  return {};
}

}  // namespace gpol
