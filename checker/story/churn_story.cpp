// Why the premise batch-runs-on is needed: quota is free once a Job is deleted, its node only once its pods are gone.
#include <algorithm>

#include <fmt/format.h>

#include "checker/nodes/preemption.h"
#include "checker/story/hold.h"
#include "checker/story/narrate.h"
#include "checker/story/node_stories.h"

namespace gpol {

namespace {

using nodes::Cycle;
using nodes::PreemptionModel;
using State = kueue::WorkloadState;

kueue::WorkloadSpec asking(const Cluster& cluster, const Intent& intent, std::uint32_t queue, std::uint32_t flavor,
                           const nodes::Amounts& amounts) {
  kueue::WorkloadSpec spec{
      .queue = queue, .priority = priority_of(cluster, intent, queue), .requests = {}, .flavor = flavor};
  for (std::uint32_t r = 0; r < amounts.size(); ++r)
    if (amounts[r] > 0) spec.requests.push_back({r, amounts[r]});
  return spec;
}

constexpr std::int64_t kMostPods = 50'000;  // a story of more is not told

struct Churn {
  const Stage& stage;
  const Intent& intent;
  std::uint32_t serving = 0, batch = 0, flavor = 0, gpu = 0;
  const PoolCapacity& capacity;

  std::optional<std::vector<StoryStep>> told() const {
    const Cluster& cluster = stage.cluster();
    const std::int64_t count = capacity.nodes_min - capacity.lost;
    nodes::Amounts replica = intent.roles[serving].replica, whole(cluster.resources.size(), 0);
    replica.resize(whole.size(), 0);
    // A pod that fills a node, or as many of its shape as do.
    const auto& shapes = intent.roles[batch].pod_shapes;
    const auto shape = shapes.find(flavor);
    whole[gpu] = shape == shapes.end() || shape->second.resource != gpu ? capacity.of_one[gpu] : shape->second.amount;
    if (count < 2 || replica[gpu] <= 0 || whole[gpu] <= 0) return std::nullopt;
    const std::int64_t each = capacity.of_one[gpu] / whole[gpu];
    if (each < 1 || each > kMostPods / count || !goes_round(count, each, replica, whole)) return std::nullopt;
    nodes::Amounts together = whole;
    together[gpu] *= each;
    for (std::uint32_t mode = 0; mode < cluster.modes.size(); ++mode) {
      Script script{{SwitchMode{mode, ""}, Submit{asking(cluster, intent, serving, flavor, replica), "", true, true},
                     Submit{asking(cluster, intent, batch, flavor, together), ""}}};
      const Played played = stage.play(script);
      if (played.events[1].at_once == State::Admitted && played.events[2].at_once == State::Admitted)
        return steps(mode, count, replica, together);
    }
    return std::nullopt;
  }

 private:
  // Batch stands on the last node; its pods on the others end, which nobody evicted. The replica is tried in vain, the
  // first node is free again, and the next pods of batch are tried before the replica.
  bool goes_round(std::int64_t count, std::int64_t each, const nodes::Amounts& replica,
                  const nodes::Amounts& whole) const {
    const Cluster& cluster = stage.cluster();
    const std::uint32_t flavors[] = {flavor};
    const auto pod = nodes::admitted(cluster, flavors, {replica, {}, {}});
    const auto other = nodes::admitted(cluster, flavors, {whole, {}, {}});
    if (!pod || !other) return false;
    PreemptionModel model(cluster);
    model.add_nodes(capacity.nodes, count, capacity.of_one);
    std::vector<std::vector<std::uint32_t>> on(static_cast<std::size_t>(count));
    for (std::size_t node = 0; node < on.size(); ++node)
      for (std::int64_t i = 0; i < each; ++i) {
        on[node].push_back(model.create({*other, 0, true, false}));
        if (!model.bind(on[node].back(), static_cast<std::uint32_t>(node))) return false;
      }
    const std::uint32_t asks = model.create({*pod, 0, false, false});
    for (std::size_t node = 0; node + 1 < on.size(); ++node)
      for (const std::uint32_t p : on[node]) model.remove(p);
    if (model.cycle(asks).kind == Cycle::Kind::Bound) return false;
    for (const std::uint32_t p : on.back()) model.remove(p);
    for (const std::uint32_t p : on.front()) model.end(p);
    for (std::int64_t i = 0; i < each; ++i) {
      const Cycle next = model.cycle(model.create({*other, 0, true, false}));
      if (next.kind != Cycle::Kind::Bound || next.node != 0) return false;
    }
    return model.cycle(asks).kind != Cycle::Kind::Bound;
  }

  std::vector<StoryStep> steps(std::uint32_t mode, std::int64_t count, const nodes::Amounts& replica,
                               const nodes::Amounts& together) const {
    const Cluster& cluster = stage.cluster();
    const auto words = [&](std::uint32_t queue, const nodes::Amounts& amounts) {
      return amounts_in_words(cluster, asking(cluster, intent, queue, flavor, amounts).requests);
    };
    const std::string who = tenant_of(cluster, intent, batch), pool = cluster.flavors[flavor].name;
    std::vector<StoryStep> out;
    if (mode != 0) out.push_back({"", "window", fmt::format("`{}` is in force", cluster.modes[mode].name)});
    out.push_back({"", who,
                   fmt::format("runs Jobs of {} of `{}` and deletes them, one after another: the quota of each is free "
                               "at once, its pods hold a node until their grace is over, in the end all {} but one",
                               words(batch, together), pool, count)});
    out.push_back({"", tenant_of(cluster, intent, serving),
                   fmt::format("asks for {} of `{}` and is admitted; no node is free", words(serving, replica), pool)});
    out.push_back({"", who,
                   "deletes the Job that still runs, too; the next one is admitted within the same quota, and its pods "
                   "wait for a node as well"});
    out.push_back({"", "kube-scheduler", "has one node free again and may take either; it takes batch's pods"});
    out.push_back({"", who, "does the same again: the replica waits for as long as it likes"});
    return out;
  }
};

}  // namespace

std::vector<StoryStep> tell_churn(const Cluster& cluster, const Intent& intent) {
  constexpr int kMostTried = 64;  // pairs of a serving and a batch queue, of which there may be millions
  int tried = 0;
  const Stage stage(cluster);
  const auto gpu = std::ranges::find_if(cluster.resources, is_gpu);
  if (!stage.uncovered().empty() || gpu == cluster.resources.end()) return {};  // of whole GPUs alone
  for (std::uint32_t q = 0; q < intent.roles.size(); ++q)
    for (std::uint32_t b = 0; b < intent.roles.size(); ++b)
      for (const PoolCapacity& capacity : intent.capacities) {
        if (intent.roles[q].kind != QueueRole::Kind::Serving || intent.roles[b].kind != QueueRole::Kind::Batch)
          continue;
        if (capacity.nodes == kNone || !lists(cluster.queues[q], capacity.flavor) ||
            !lists(cluster.queues[b], capacity.flavor))
          continue;
        const Churn churn{stage,   intent,          q,
                          b,       capacity.flavor, static_cast<std::uint32_t>(gpu - cluster.resources.begin()),
                          capacity};
        if (auto steps = churn.told()) return *steps;
        if (++tried == kMostTried) return {};
      }
  return {};
}

}  // namespace gpol
