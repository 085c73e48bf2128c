#include "compiler/model/volcano/arguments.h"
#include "compiler/source/text.h"
#include "emit/kinds/object.h"
#include "emit/volcano/volcano.h"

namespace gpol::kinds {

namespace {

// Volcano reads a number in quotes as none (framework/arguments.go).
yaml::Map arguments_of(const std::map<std::string, std::string>& arguments) {
  yaml::Map map;
  for (const auto& [key, value] : arguments)
    if (value == "true" || value == "false")
      map.emplace_back(key, value == "true");
    else if (volcano::is_number(value))
      map.emplace_back(key, yaml::Number{value});
    else
      map.emplace_back(key, value);
  return map;
}

yaml::Value plugin(const volcano::Plugin& plugin) {
  yaml::Map map{{"name", plugin.name}};
  for (const auto& [flag, on] : plugin.flags) map.emplace_back(flag, on);
  if (!plugin.arguments.empty()) map.emplace_back("arguments", arguments_of(plugin.arguments));
  return map;
}

}  // namespace

yaml::Value volcano_scheduler(const volcano::SchedulerConfig& config) {
  std::string actions;
  for (const std::string& action : config.actions) add_to_list(actions, action);
  yaml::List tiers;
  for (const auto& tier : config.tiers) {
    yaml::List plugins;
    for (const volcano::Plugin& one : tier) plugins.push_back(plugin(one));
    tiers.emplace_back(yaml::Map{{"plugins", std::move(plugins)}});
  }
  yaml::Map text{{"actions", actions}, {"tiers", std::move(tiers)}};
  if (!config.action_arguments.empty()) {
    yaml::List configurations;
    for (const auto& [action, arguments] : config.action_arguments)
      configurations.emplace_back(yaml::Map{{"name", action}, {"arguments", arguments_of(arguments)}});
    text.emplace_back("configurations", std::move(configurations));
  }
  if (!config.metrics.empty()) {
    yaml::Map metrics;
    for (const auto& [key, value] : config.metrics) metrics.emplace_back(key, value);
    text.emplace_back("metrics", std::move(metrics));
  }
  return with(object({.api_version = "v1",
                      .kind = "ConfigMap",
                      .name = volcano::kSchedulerConfigMap,
                      .ns = volcano::kSystemNamespace}),
              "data", yaml::Map{{volcano::kSchedulerKey, yaml::print(std::move(text))}});
}

std::vector<std::string> scheduler_words() {
  return {
      "A proposal for whoever runs Volcano: no kustomization names this file, since it is one for all queues of the "
      "cluster. What it changes for others, beside the one that Volcano is installed with, or that was given:",
      "- the plugin `capacity` stands where `proportion` was: `weight` counts no more, `capability` counts of the "
      "queue "
      "above, too (`parent`), and a queue that has none, directly below `root`, may use all that the nodes have;",
      "- the action `enqueue` and the plugin `overcommit` are left out: a PodGroup is looked at in each session, and "
      "does "
      "not wait for room first.",
  };
}

}  // namespace gpol::kinds
