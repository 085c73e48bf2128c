#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "checker/story/hold.h"
#include "checker/story/narrate.h"
#include "checker/story/node_stories.h"
#include "checker/story/preempted.h"

namespace gpol {

namespace {

using nodes::Amounts;

constexpr std::size_t kToldOneByOne = 8;
constexpr std::int64_t kMostPods = 50'000;

// So many pods of one kind in the name of one queue: one workload.
struct Share {
  std::size_t standing = 0;
  Standing::From from;
  std::int64_t pods = 0;
  std::map<std::uint32_t, std::int64_t> on;  // by node
};

class Teller {
 public:
  Teller(const Stage& stage, const Intent& intent, const NoNode& what)
      : stage_(stage), intent_(intent), cluster_(stage.cluster()), what_(what) {}

  std::optional<Story> tell() {
    if (!stage_.uncovered().empty() || !share_out()) return std::nullopt;
    Script script = script_of();
    const Played played = stage_.play(script);
    for (std::size_t i = 0; i < script.steps.size(); ++i)
      if (std::holds_alternative<Submit>(script.steps[i]) &&
          (played.events[i].at_once != kueue::WorkloadState::Admitted || !played.events[i].victims.empty()))
        return std::nullopt;
    if (!stand() || (what_.queue == kNone && !preempts())) return std::nullopt;
    auto steps = narrated(script);
    return Story{std::move(script), std::move(steps)};
  }

 private:
  // Which queue has how many of which pods: the first that can have them, by Kueue's arithmetic.
  bool share_out() {
    std::int64_t pods = 0;
    for (std::size_t s = 0; s < what_.standing.size(); ++s) {
      std::int64_t wanted = 0;
      for (const auto& filled : what_.filled) wanted += filled.nodes * filled.pods[s];
      pods += wanted;
      if (pods > kMostPods) return false;
      const Standing& standing = what_.standing[s];
      for (const auto& from : standing.from) {
        if (wanted == 0) break;
        const bool queued = from.queue != kNone;
        const std::int64_t fit =
            std::min({wanted, from.most, queued ? room(from.queue, from.flavor, standing.requests) : wanted});
        if (fit <= 0) continue;
        if (queued) take(from.queue, from.flavor, standing.requests, fit);
        shares_.push_back({s, from, fit, {}});
        wanted -= fit;
      }
      if (wanted > 0) return false;
    }
    return true;
  }

  const kueue::Limits& limits(std::uint32_t flavor, std::uint32_t resource) {
    const auto key = std::pair(flavor, resource);
    if (const auto found = limits_.find(key); found != limits_.end()) return found->second;
    bool exact = true;
    return limits_.emplace(key, kueue::widest_limits(cluster_, stage_.shape(), flavor, resource, exact)).first->second;
  }

  std::int64_t room(std::uint32_t queue, std::uint32_t flavor, const Amounts& requests) {
    std::int64_t pods = INT64_MAX;
    for (std::uint32_t r = 0; r < requests.size(); ++r) {
      const kueue::Limits& l = limits(flavor, r);
      if (requests[r] == 0 || !l.listed[queue]) continue;
      pods = std::min(pods, std::max<std::int64_t>(0, kueue::available(stage_.shape(), l, usage_[{flavor, r}], queue)) /
                                requests[r]);
    }
    return pods;
  }

  void take(std::uint32_t queue, std::uint32_t flavor, const Amounts& requests, std::int64_t pods) {
    for (std::uint32_t r = 0; r < requests.size(); ++r) {
      const kueue::Limits& l = limits(flavor, r);
      if (requests[r] > 0 && l.listed[queue]) usage_[{flavor, r}].add(stage_.shape(), l, queue, pods * requests[r]);
    }
  }

  kueue::WorkloadSpec workload(std::uint32_t queue, std::uint32_t flavor, const Amounts& requests, std::int64_t pods) {
    const QueueRole& role = intent_.roles[queue];
    const bool serving = role.kind == QueueRole::Kind::Serving;
    kueue::WorkloadSpec spec{.queue = queue,
                             .priority = serving ? priority_of(cluster_, intent_, queue) : role.priority.value_or(0),
                             .requests = {},
                             .flavor = flavor,
                             .asks_again = !serving,
                             .count = pods};
    for (std::uint32_t r = 0; r < requests.size(); ++r)
      if (requests[r] > 0 && cluster_.resources[r] != "pods") spec.requests.push_back({r, requests[r] * pods});
    return spec;
  }

  Script script_of() {
    std::vector<kueue::WorkloadSpec> batch;
    std::vector<std::size_t> of_batch, of_serving;
    for (std::size_t i = 0; i < shares_.size(); ++i)
      if (shares_[i].from.queue != kNone)
        (what_.standing[shares_[i].standing].serving ? of_serving : of_batch).push_back(i);
    for (const std::size_t i : of_batch) batch.push_back(spec_of(shares_[i]));
    Script script{steps_in_windows(cluster_, intent_, std::move(batch)), true};
    for (const std::size_t i : of_serving) script.steps.emplace_back(ask(spec_of(shares_[i])));
    if (what_.queue != kNone) script.steps.emplace_back(ask(workload(what_.queue, what_.flavor, what_.replica, 1)));
    return script;
  }
  kueue::WorkloadSpec spec_of(const Share& share) {
    return workload(share.from.queue, share.from.flavor, what_.standing[share.standing].requests, share.pods);
  }
  Submit ask(kueue::WorkloadSpec spec) const {
    const auto& at = intent_.roles[spec.queue].asks_at;
    return {std::move(spec), at ? clock(*at) : "", true, true, false};
  }

  // Every pod is bound to its node, and the replica fits on none.
  bool stand() {
    const PoolCapacity& capacity = intent_.capacities[what_.capacity];
    nodes::PlacementModel model(cluster_);
    model.add_nodes(capacity.nodes, capacity.nodes_min, capacity.of_one);
    std::uint32_t next = 0;
    for (; next < what_.lost; ++next) model.lose(next);
    for (const PoolCapacity& other : intent_.capacities)  // the replica may find a node of another pool
      if (other.nodes != kNone && other.nodes != capacity.nodes)
        model.add_nodes(other.nodes, other.nodes_min, other.of_one);
    std::vector<std::size_t> at(what_.standing.size(), 0);  // the share that pods are taken from next
    std::vector<std::int64_t> left;
    for (const Share& share : shares_) left.push_back(share.pods);
    for (const auto& filled : what_.filled)
      for (std::int64_t n = 0; n < filled.nodes; ++n, ++next)
        for (std::size_t s = 0; s < what_.standing.size(); ++s)
          for (std::int64_t p = 0; p < filled.pods[s]; ++p) {
            std::size_t& i = at[s];
            while (i < shares_.size() && (shares_[i].standing != s || left[i] == 0)) ++i;
            if (i == shares_.size() || !bind(model, next, shares_[i])) return false;
            --left[i];
          }
    left_ = capacity.nodes_min - what_.lost;
    const std::uint32_t flavors[] = {what_.flavor};
    const auto pod = nodes::admitted(cluster_, flavors, {what_.replica, {}, {}});
    if (!pod || !model.feasible(*pod).empty()) return false;
    short_of_gpus_ = true;
    for (std::uint32_t node = 0; node < capacity.nodes_min; ++node) {
      nodes::Pod gpus = *pod;
      for (std::uint32_t r = 0; r < gpus.requests.size(); ++r)
        if (!is_gpu(cluster_.resources[r])) gpus.requests[r] = 0;
      const nodes::Filter seen = model.filter(node, gpus);
      short_of_gpus_ = short_of_gpus_ && (seen == nodes::Filter::Resource || seen == nodes::Filter::Gone);
    }
    return true;
  }

  bool bind(nodes::PlacementModel& model, std::uint32_t node, Share& share) {
    const std::uint32_t flavors[] = {share.from.flavor};
    const Standing& standing = what_.standing[share.standing];
    auto pod = nodes::admitted(cluster_, flavors, {standing.requests, {}, {}});
    if (!pod) return false;
    if (!standing.serving && model.filter(node, *pod) == nodes::Filter::Taint)
      pod->tolerations.push_back({"", "Exists", "", "", std::nullopt});  // any user may write it
    ++share.on[node];
    if (what_.queue == kNone)
      stood_.push_back({node,
                        {*pod, priority(share.from.outside), true, false},
                        share.from.queue == kNone ? intent_.outside[share.from.outside].tenant
                                                  : tenant_of(cluster_, intent_, share.from.queue)});
    return model.place(node, *pod);
  }

  // Of pods in the queue nothing is said: 0, where no class is the default.
  std::int64_t priority(std::uint32_t outside) const {
    return outside == kNone ? 0 : intent_.outside[outside].preempts_at.value_or(0);
  }

  // What kube-scheduler does for the replica, once it finds no node.
  bool preempts() {
    const std::uint32_t flavors[] = {what_.flavor};
    const auto pod = nodes::admitted(cluster_, flavors, {what_.replica, {}, {}});
    if (!pod) return false;
    const Scene scene{cluster_,
                      intent_,
                      what_,
                      std::move(stood_),
                      {*pod, priority(what_.outside), true, false},
                      intent_.outside[what_.outside].tenant};
    if (what_.ending == NoNode::Ending::Waits) return in_vain(scene);
    auto told = what_.ending == NoNode::Ending::EvictedLate ? evicted_late(scene) : sent_round(scene);
    if (told) ending_ = std::move(*told);
    return told.has_value();
  }

  std::string amounts(const Amounts& of_one) const {
    std::vector<kueue::Request> requests;
    for (std::uint32_t r = 0; r < of_one.size(); ++r)
      if (of_one[r] > 0 && cluster_.resources[r] != "pods") requests.push_back({r, of_one[r]});
    return requests.empty() ? "no cpu, memory or GPU" : amounts_in_words(cluster_, requests);
  }

  std::string places(const Share& share) const {
    const auto first = share.on.begin()->second;
    const bool alike = std::ranges::all_of(share.on, [&](const auto& entry) { return entry.second == first; });
    const std::string pods = first == 1 ? "one of them stands" : fmt::format("{} of them stand", first);
    if (share.pods == 1) return "it stands on one node";
    if (share.on.size() == 1) return "all stand on one node";
    return alike ? fmt::format("{} on each of {} nodes", pods, share.on.size())
                 : fmt::format("they stand on {} nodes", share.on.size());
  }

  std::string told(const Share& share) const {
    return fmt::format("asks for {} of {}{} of `{}` and is admitted; {}",
                       share.pods == 1 ? "1 pod" : fmt::format("{} pods", share.pods),
                       amounts(what_.standing[share.standing].requests), share.pods == 1 ? "" : " each",
                       cluster_.flavors[share.from.flavor].name, places(share));
  }

  // Whether batch stands there, whom kube-scheduler could evict for a higher priority.
  bool stood_lower() const {
    return std::ranges::any_of(shares_, [&](const Share& share) {
      return share.from.queue != kNone && !share.on.empty() && !what_.standing[share.standing].serving;
    });
  }

  const Share* share_of(const kueue::WorkloadSpec& spec) {
    for (const Share& share : shares_) {
      if (share.from.queue == kNone) continue;
      const auto other = spec_of(share);
      if (other.queue == spec.queue && other.flavor == spec.flavor && other.requests == spec.requests &&
          other.count == spec.count && other.asks_again == spec.asks_again)
        return &share;
    }
    return nullptr;
  }

  std::vector<StoryStep> narrated(const Script& script) {
    std::vector<StoryStep> steps;
    const std::string pool = cluster_.node_pools[intent_.capacities[what_.capacity].nodes].name;
    if (what_.lost > 0)
      steps.push_back(
          {"", "nodes",
           fmt::format("{} of `{}` {} lost; {} left", what_.lost == 1 ? "1" : std::to_string(what_.lost), pool,
                       what_.lost == 1 ? "is" : "are", left_ == 1 ? "1 is" : fmt::format("{} are", left_))});
    std::size_t told_of = 0;
    const bool queued = what_.queue != kNone;
    for (std::size_t i = 0; i + (queued ? 1 : 0) < script.steps.size(); ++i) {
      if (const auto* change = std::get_if<SwitchMode>(&script.steps[i])) {
        steps.push_back(
            {change->at, "window", fmt::format("`{}` is in force from now on", cluster_.modes[change->mode].name)});
      } else if (const auto* submit = std::get_if<Submit>(&script.steps[i])) {
        if (++told_of > kToldOneByOne && shares_.size() > kToldOneByOne + 1) continue;
        if (const Share* share = share_of(submit->workload); share != nullptr)
          steps.push_back({submit->at, tenant_of(cluster_, intent_, submit->workload.queue), told(*share)});
      } else {
        steps.push_back({"", "stopPolicy", "queues are put on Hold: what runs there stays, and nobody can evict it"});
      }
    }
    if (told_of > kToldOneByOne && shares_.size() > kToldOneByOne + 1)
      steps.push_back({"", fmt::format("{} more tenants", shares_.size() - kToldOneByOne),
                       "ask for pods like these and are admitted; they stand on the other nodes"});
    for (const Share& share : shares_)
      if (share.from.queue == kNone)
        steps.push_back(
            {"", intent_.outside[share.from.outside].tenant,
             fmt::format("starts {} of {} on `{}`; {}", share.pods == 1 ? "1 pod" : fmt::format("{} pods", share.pods),
                         amounts(what_.standing[share.standing].requests), pool, places(share))});
    const std::string nodes = fmt::format("none of the {} nodes{}", left_, what_.lost > 0 ? " left" : "");
    std::string why = nodes + (short_of_gpus_ ? " has so many GPUs free" : " has room for it");
    if (left_ == 0)
      why = "there is no node";
    else if (left_ == 1)
      why = "the only node has no room for it";
    if (queued)
      steps.push_back(
          {std::get<Submit>(script.steps.back()).at, tenant_of(cluster_, intent_, what_.queue),
           fmt::format(
               "asks for 1 pod of {} of `{}` and is admitted, since its quota is free; {}: it waits until others "
               "end by themselves",
               amounts(what_.replica), cluster_.flavors[what_.flavor].name, why)});
    else
      steps.push_back(
          {"", intent_.outside[what_.outside].tenant,
           fmt::format("starts 1 pod of {} on `{}`; {}{}", amounts(what_.replica), pool, why,
                       what_.ending != NoNode::Ending::Waits ? ""
                       : stood_lower() ? ", and no pod there has a lower priority: it waits until others end "
                                         "by themselves"
                                       : ": it waits until others end by themselves")});
    steps.insert(steps.end(), ending_.begin(), ending_.end());
    tell_days(steps);
    return steps;
  }

  const Stage& stage_;
  const Intent& intent_;
  const Cluster& cluster_;
  const NoNode& what_;
  std::vector<Share> shares_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, kueue::Limits> limits_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, kueue::Usage> usage_;
  std::vector<Stood> stood_;
  std::vector<StoryStep> ending_;
  std::int64_t left_ = 0;
  bool short_of_gpus_ = false;
};

}  // namespace

std::optional<Story> tell_no_node(const Stage& stage, const Intent& intent, const NoNode& what) {
  return Teller(stage, intent, what).tell();
}

}  // namespace gpol
