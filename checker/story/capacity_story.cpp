// More quota than devices, told: queues are admitted within their quotas, and the last one's pods find no device.
#include <algorithm>

#include <fmt/format.h>

#include "checker/story/hold.h"
#include "checker/story/narrate.h"
#include "checker/story/stories.h"

namespace gpol {

namespace {

// One unit more than the devices, or as much as the last whole pod of a declared shape has, serving's quota last: to
// lower any of it leaves all of it a place. Nothing where whole pods do not come to that.
std::vector<kueue::Holding> one_too_many(const Stage& stage, const Intent& intent, std::uint32_t flavor,
                                         std::uint32_t resource, std::int64_t devices, Pods pods) {
  const kueue::Limits& limits = stage.widest(flavor, resource);
  std::vector<kueue::Holding> serving, others;
  kueue::Usage usage;
  std::int64_t sum = 0;
  const auto one = [&](std::uint32_t q) {
    return pods == Pods::OfAnySize ? 1 : pod_devices_of(intent, q, flavor, resource);
  };
  const auto take = [&](std::uint32_t q, std::int64_t amount) {
    const std::int64_t pod = one(q);
    if (sum > devices) return;
    amount = std::min(amount / pod, (devices - sum) / pod + 1) * pod;
    if (amount <= 0) return;
    sum += amount;
    usage.add(stage.shape(), limits, q, amount);
    (intent.roles[q].kind == QueueRole::Kind::Serving ? serving : others).push_back({q, amount});
  };
  const auto queues = static_cast<std::uint32_t>(stage.cluster().queues.size());
  for (const bool serves : {true, false})
    for (std::uint32_t q = 0; q < queues; ++q)
      if ((intent.roles[q].kind == QueueRole::Kind::Serving) == serves && limits.listed[q]) take(q, limits.nominal[q]);
  for (std::uint32_t q = 0; q < queues; ++q)  // what cohorts own, whoever may borrow it
    if (limits.listed[q]) take(q, kueue::available(stage.shape(), limits, usage, q));
  if (sum <= devices) return {};
  others.insert(others.end(), serving.begin(), serving.end());
  for (kueue::Holding& holding : others) {  // whole pods may have come to more than it takes
    const std::int64_t pod = one(holding.queue),
                       fewer = std::min(holding.amount / pod, (sum - devices - 1) / pod) * pod;
    holding.amount -= fewer;
    sum -= fewer;
  }
  std::erase_if(others, [](const kueue::Holding& holding) { return holding.amount == 0; });
  return others;
}

std::optional<Story> told(const Stage& stage, const Intent& intent, const PoolCapacity& capacity,
                          std::uint32_t resource, std::int64_t devices, Pods pods) {
  const Cluster& cluster = stage.cluster();
  const auto holdings = one_too_many(stage, intent, capacity.flavor, resource, devices, pods);
  if (holdings.empty()) return std::nullopt;
  std::int64_t over = -devices;
  for (const auto& holding : holdings) over += holding.amount;
  over = std::min(over, holdings.back().amount);
  Script script{hold_steps(cluster, intent, capacity.flavor, resource, holdings, 0)};
  const Played played = stage.play(script);
  for (std::size_t i = 0; i < script.steps.size(); ++i)
    if (std::holds_alternative<Submit>(script.steps[i]) && played.events[i].settled != kueue::WorkloadState::Admitted)
      return std::nullopt;
  auto steps = narrate(stage, intent, script, played, "");
  const std::string there = amounts_in_words(cluster, {{resource, devices}});
  const bool lost = capacity.lost > 0 && devices == capacity.surely[resource];
  const std::string& flavor = cluster.flavors[capacity.flavor].name;
  steps.insert(steps.begin(), {"", "nodes",
                               lost ? fmt::format("{} of `{}` {} lost; the queues have {}", capacity.lost, flavor,
                                                  capacity.lost == 1 ? "is" : "are", there)
                                    : fmt::format("`{}` has {} for the queues", flavor, there)});
  steps.back().does +=
      fmt::format("; {} of it {} on no node", amounts_in_words(cluster, {{resource, over}}), over == 1 ? "is" : "are");
  return Story{std::move(script), std::move(steps)};
}

}  // namespace

std::optional<Story> tell_capacity(const Stage& stage, const Intent& intent, const PoolCapacity& capacity,
                                   std::uint32_t resource, std::int64_t devices) {
  if (!stage.uncovered().empty() || devices < 0) return std::nullopt;
  if (shapes_declared(intent))
    if (auto story = told(stage, intent, capacity, resource, devices, Pods::OfDeclaredShapes)) return story;
  return told(stage, intent, capacity, resource, devices, Pods::OfAnySize);
}

}  // namespace gpol
