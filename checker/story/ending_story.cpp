// Debt as a story (kueue/ending.h): a head evicts more than it needs, two heads behind it share what is left over, and
// until the victim has ended the owner's own quota is not there.
#include <algorithm>

#include "checker/story/hold.h"
#include "checker/story/narrate.h"
#include "checker/story/stories.h"

namespace gpol {

namespace {

using State = kueue::WorkloadState;

Submit one(std::uint32_t queue, std::uint32_t flavor, std::uint32_t resource, std::int64_t amount,
           std::int64_t priority, bool at_the_same_time) {
  return {.workload = {.queue = queue, .priority = priority, .requests = {{resource, amount}}, .flavor = flavor},
          .at = "",
          .at_the_same_time = at_the_same_time};
}

// The last step waits, though it asks within its own quota: others were given that while a victim has not ended.
bool owner_waits(const Script& script, const Played& played) {
  const auto* ask = std::get_if<Submit>(&script.steps.back());
  const bool evicts =
      std::ranges::any_of(played.events, [](const Played::Event& event) { return !event.victims.empty(); });
  return ask != nullptr && ask->ask && evicts && played.events.back().at_once != State::Admitted;
}

}  // namespace

std::optional<Story> tell_ending(const Stage& stage, const Intent& intent, std::uint32_t owner, std::uint32_t flavor,
                                 std::uint32_t resource) {
  constexpr std::size_t kFew = 8;  // queues of the tree that list it
  if (!stage.uncovered().empty()) return std::nullopt;
  const Cluster& cluster = stage.cluster();
  const kueue::Limits& limits = stage.widest(flavor, resource);
  std::vector<std::uint32_t> tree;
  for (std::uint32_t q = 0; q < cluster.queues.size() && tree.size() < kFew; ++q)
    if (q != owner && limits.listed[q] && kueue::root_of(stage.shape(), q) == kueue::root_of(stage.shape(), owner))
      tree.push_back(q);
  Submit ask = one(owner, flavor, resource, reserve_of(cluster, intent, owner, flavor, resource),
                   priority_of(cluster, intent, owner), false);
  ask.ask = true;
  for (const std::uint32_t victim : tree)
    for (const std::uint32_t evicts : tree)
      for (const std::uint32_t first : tree)
        for (const std::uint32_t second : tree) {
          if (first == second || first == evicts || second == evicts || limits.potential[victim] < 2) continue;
          Script script;
          script.at_once_only = script.victims_stay = true;
          script.steps = {one(victim, flavor, resource, limits.potential[victim] - 1, 0, false),
                          one(evicts, flavor, resource, 2, 1, true), one(first, flavor, resource, 1, 0, true),
                          one(second, flavor, resource, 1, 0, false), ask};
          if (!owner_waits(script, stage.play(script))) continue;
          auto small = shrink(stage, std::move(script), owner_waits);
          if (!small) return std::nullopt;
          auto steps = narrate(stage, intent, *small, stage.play(*small),
                               "others hold it until what was evicted has ended, for as long as that takes");
          return Story{std::move(*small), std::move(steps)};
        }
  return std::nullopt;
}

}  // namespace gpol
