// More quota than devices, told: queues are admitted within their quotas, and the last one's pods find no device.
#include <algorithm>

#include <fmt/format.h>

#include "checker/kueue/amount.h"
#include "checker/story/hold.h"
#include "checker/story/narrate.h"
#include "checker/story/stories.h"

namespace gpol {

namespace {

// One unit more than the devices, serving's quota last: to lower any of it leaves all of it a place.
std::vector<kueue::Holding> one_too_many(const Stage& stage, const Intent& intent, std::uint32_t flavor,
                                         std::uint32_t resource, std::int64_t devices) {
  const kueue::Limits& limits = stage.widest(flavor, resource);
  std::vector<kueue::Holding> serving, others;
  kueue::Usage usage;
  std::int64_t sum = 0;
  const auto take = [&](std::uint32_t q, std::int64_t amount) {
    amount = std::min(amount, devices + 1 - sum);
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
  return others;
}

}  // namespace

std::optional<Story> tell_capacity(const Stage& stage, const Intent& intent, const PoolCapacity& capacity,
                                   std::uint32_t resource, std::int64_t devices) {
  if (!stage.uncovered().empty() || devices < 0) return std::nullopt;
  const Cluster& cluster = stage.cluster();
  const auto holdings = one_too_many(stage, intent, capacity.flavor, resource, devices);
  if (holdings.empty()) return std::nullopt;
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
  steps.back().does += fmt::format("; {} of it is on no node", amounts_in_words(cluster, {{resource, 1}}));
  return Story{std::move(script), std::move(steps)};
}

}  // namespace gpol
