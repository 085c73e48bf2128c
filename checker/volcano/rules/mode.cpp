#include "checker/volcano/rules/mode.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "compiler/source/lookup.h"

namespace gpol::volcano {

namespace {

constexpr std::array<std::string_view, 8> kActions{"enqueue", "allocate",    "backfill",    "preempt",
                                                   "reclaim", "gangpreempt", "gangreclaim", "shuffle"};
constexpr std::array<std::string_view, 3> kPlayedActions{"enqueue", "allocate", "backfill"};
constexpr std::array<std::string_view, 4> kEvictingActions{"preempt", "reclaim", "gangpreempt", "gangreclaim"};

// Those that the executable scheduler has, and those that only rank nodes or choose whom to evict.
constexpr std::array<std::string_view, 12> kPlayedPlugins{"priority",   "gang",        "overcommit", "drf",
                                                          "predicates", "nodegroup",   "capacity",   "nodeorder",
                                                          "binpack",    "conformance", "pdb",        "cdp"};
// The others are asked about evictions, nodes' ranks, sub-groups or topologies alone.
constexpr std::array<std::string_view, 7> kReadFlags{"enableJobOrder",   "enableQueueOrder", "enableTaskOrder",
                                                     "enablePredicate",  "enableJobReady",   "enableJobPipelined",
                                                     "enableJobEnqueued"};

// The first three numbers of "v1.14.2-alpha.1"; zeros for what is no number.
std::tuple<int, int, int> numbers_of(std::string_view version) {
  std::array<int, 3> numbers{};
  std::size_t part = 0;
  for (const char c : version) {
    if (c >= '0' && c <= '9' && numbers[part] < 100000)
      numbers[part] = numbers[part] * 10 + (c - '0');
    else if (c == '.' && ++part == numbers.size())
      break;
    else if (c != 'v' && c != '.')
      break;
  }
  return {numbers[0], numbers[1], numbers[2]};
}

void look_at_plugin(const Plugin& plugin, Mode& mode) {
  const std::string who = "plugin `" + plugin.name + "`";
  if (!contains(kPlayedPlugins, plugin.name)) mode.not_played.push_back(who);
  if (plugin.name == "drf" && value_or(plugin.flags, "enableHierarchy", false))
    mode.not_played.push_back(who + " with enableHierarchy");
  if (plugin.name == "predicates" && !plugin.arguments.empty()) mode.not_played.push_back(who + " with arguments");
  for (const auto& [name, on] : plugin.flags)
    if (!on && contains(kReadFlags, name)) mode.not_played.push_back(who + " with " + name + " off");
}

}  // namespace

const Plugin* plugin_of(const SchedulerConfig& config, std::string_view name) {
  for (const auto& tier : config.tiers)
    for (const auto& plugin : tier)
      if (plugin.name == name) return &plugin;
  return nullptr;
}

std::string refused(const SchedulerConfig& config) {
  for (const auto& action : config.actions)
    if (!contains(kActions, action))
      return (action.empty() ? "an action has no name" : "action `" + action + "` is unknown") +
             std::string(": the scheduler refuses the whole configuration");
  for (const auto& tier : config.tiers) {
    const auto has = [&](std::string_view name, bool hierarchical) {
      return std::ranges::any_of(tier, [&](const Plugin& plugin) {
        return plugin.name == name && (!hierarchical || value_or(plugin.flags, "enableHierarchy", false));
      });
    };
    if (has("drf", true) && has("proportion", false))
      return "`drf` with enableHierarchy and `proportion` stand in one tier: the scheduler refuses the whole "
             "configuration";
  }
  return {};
}

Mode mode_of(const SchedulerConfig& config, std::string_view version) {
  Mode mode;
  if (const auto numbers = numbers_of(version); numbers < std::tuple(1, 14, 2) || numbers >= std::tuple(1, 16, 0))
    mode.beyond_limits.push_back("version " + std::string(version) + ": the rules are those of v1.14.2 to v1.15");
  if (std::string why = refused(config); !why.empty()) mode.beyond_limits.push_back(std::move(why));
  for (const auto& action : config.actions)
    if (!contains(kPlayedActions, action))
      (contains(kEvictingActions, action) ? mode.evicts : mode.not_played).push_back("action `" + action + "`");
  std::map<std::string, int> entries;
  for (const auto& tier : config.tiers)
    for (const auto& plugin : tier) {
      if (++entries[plugin.name] == 2) mode.beyond_limits.push_back("plugin `" + plugin.name + "` is listed twice");
      look_at_plugin(plugin, mode);
    }
  const Plugin* capacity = plugin_of(config, "capacity");
  const bool proportion = plugin_of(config, "proportion") != nullptr;
  if (capacity != nullptr) {
    mode.hierarchical = value_or(capacity->flags, "enableHierarchy", false);
    mode.allocatable = value_or(capacity->flags, "enabledAllocatable", true);
    mode.limiter = proportion          ? Limiter::Both
                   : mode.hierarchical ? Limiter::CapacityHierarchical
                                       : Limiter::CapacityFlat;
  } else if (proportion) {
    mode.limiter = Limiter::Proportion;
  }
  return mode;
}

}  // namespace gpol::volcano
