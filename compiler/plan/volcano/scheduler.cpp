// The configuration of Volcano's scheduler: what it is installed with
// (installer/helm/chart/volcano/config/volcano-scheduler.conf of v1.15.1), or one that is given, with what the proof
// needs of it and docs/volcano.md gives reasons for.
#include "compiler/plan/volcano/plan.h"

namespace gpol::volcano {

SchedulerConfig with_limits(SchedulerConfig config) {
  std::erase(config.actions, "enqueue");
  bool limited = false;
  for (auto& tier : config.tiers) {
    std::erase_if(tier, [](const Plugin& plugin) { return plugin.name == "overcommit"; });
    for (Plugin& plugin : tier) {
      if (plugin.name != "capacity") continue;
      plugin.flags["enableHierarchy"] = true;
      plugin.flags.erase("enabledAllocatable");  // on where nobody says so
      limited = true;
    }
  }
  for (auto& tier : config.tiers) {
    for (Plugin& plugin : tier)
      if (plugin.name == "proportion" && !limited)
        plugin = {"capacity", {{"enableHierarchy", true}}, {}}, limited = true;
    std::erase_if(tier, [](const Plugin& plugin) { return plugin.name == "proportion"; });
  }
  if (!limited && config.tiers.empty()) config.tiers.emplace_back();
  if (!limited) config.tiers.back().push_back({"capacity", {{"enableHierarchy", true}}, {}});
  return config;
}

SchedulerConfig installed_scheduler() {
  const auto plugin = [](const char* name) { return Plugin{name, {}, {}}; };
  const auto not_preempting = [](const char* name) { return Plugin{name, {{"enablePreemptable", false}}, {}}; };
  SchedulerConfig config;
  config.actions = {"enqueue", "allocate", "backfill"};
  config.tiers = {{plugin("priority"), not_preempting("gang"), plugin("conformance")},
                  {plugin("overcommit"), not_preempting("drf"), plugin("predicates"), plugin("proportion"),
                   plugin("nodeorder"), plugin("binpack")}};
  return config;
}

}  // namespace gpol::volcano
