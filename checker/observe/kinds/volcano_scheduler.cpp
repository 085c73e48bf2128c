// volcano-scheduler.conf: pkg/scheduler/conf/scheduler_conf.go and pkg/scheduler/util.go of Volcano v1.15.1, which
// parses it without looking for keys that it does not know.
#include <sstream>

#include "checker/observe/documents.h"
#include "checker/observe/kinds/kinds.h"
#include "compiler/model/volcano/arguments.h"

namespace gpol::manifest {

namespace {

// A scalar as it is written: numbers and booleans, too.
std::map<std::string, std::string> read_arguments(const View& map) {
  std::map<std::string, std::string> arguments;
  const auto list = map.map("arguments");
  if (!list) return arguments;
  for (const Entry& entry : list->node().entries) {
    list->ignore(entry.key);
    if (entry.value.kind == Node::Kind::Map || entry.value.kind == Node::Kind::List)
      list->problem(entry.key, "is no single value");
    else if (entry.value.kind == Node::Kind::Text &&
             (entry.value.text == "true" || entry.value.text == "false" || volcano::is_number(entry.value.text)))
      list->problem(entry.key, "stands in quotes, and Volcano takes neither numbers nor true and false from a text");
    else if (entry.value.kind == Node::Kind::Ambiguous && !volcano::is_number(entry.value.text))
      list->problem(entry.key, "is read in more than one way: put it in quotes");
    else
      arguments[entry.key] = entry.value.text;
  }
  return arguments;
}

// A key that is none of these does nothing, and is a problem.
constexpr std::string_view kFlags[] = {
    "enableJobOrder",          "enableHierarchy",        "enableJobReady",      "enableJobPipelined",
    "enableTaskOrder",         "enablePreemptable",      "enableReclaimable",   "enablePreemptive",
    "enableQueueOrder",        "EnabledClusterOrder",    "enablePredicate",     "enableBestNode",
    "enableNodeOrder",         "enableTargetJob",        "enableReservedNodes", "enableJobEnqueued",
    "enabledVictim",           "enableJobStarving",      "enabledOverused",     "enabledAllocatable",
    "enabledSubJobReady",      "enabledSubJobPipelined", "enabledSubJobOrder",  "enabledHyperNodeOrder",
    "enabledHyperNodeGradient"};

volcano::Plugin read_plugin(const View& entry) {
  volcano::Plugin plugin;
  plugin.name = entry.required_text("name");
  plugin.arguments = read_arguments(entry);
  for (const std::string_view flag : kFlags)
    if (const auto on = entry.boolean(flag)) plugin.flags.emplace(flag, *on);
  entry.finish();
  return plugin;
}

}  // namespace

std::span<const std::string_view> volcano_flags() { return kFlags; }

volcano::SchedulerConfig read_volcano_scheduler(const View& document) {
  volcano::SchedulerConfig config;
  // strings.Split of Go: an empty one between, behind or instead of commas is an action, too, that is unknown.
  std::istringstream actions(document.text("actions").value_or("") + ",");
  for (std::string action; std::getline(actions, action, ',');) {
    const auto begin = action.find_first_not_of(" \t"), end = action.find_last_not_of(" \t");
    config.actions.push_back(begin == std::string::npos ? "" : action.substr(begin, end - begin + 1));
  }
  if (const auto tiers = document.list("tiers"))
    tiers->each_map([&](const View& tier) {
      config.tiers.emplace_back();
      tier.each_map(
          "plugins", [&](const View& entry) { config.tiers.back().push_back(read_plugin(entry)); }, kMostItems);
      tier.finish();
    });
  document.each_map(
      "configurations",
      [&](const View& one) {
        const std::string name = one.required_text("name");
        config.action_arguments[name] = read_arguments(one);
        one.finish();
      },
      kMostItems);
  if (const auto metrics = document.map("metrics"))
    for (const Entry& entry : metrics->node().entries) {
      metrics->ignore(entry.key);
      if (entry.value.kind == Node::Kind::Map || entry.value.kind == Node::Kind::List)
        metrics->problem(entry.key, "is no single value: Volcano's scheduler refuses the whole configuration");
      else
        config.metrics[entry.key] = entry.value.text;
    }
  document.finish();
  return config;
}

void read_volcano_config_map(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "ConfigMap", Scope::Namespaced);
  if (const auto data = object.required_map("data")) {
    const Tree tree = parse_document(data->required_text(volcano::kSchedulerKey));
    if (!draft.cluster.volcano) draft.cluster.volcano.emplace();
    if (!tree.root)
      data->problem(volcano::kSchedulerKey, tree.refused);
    else
      draft.cluster.volcano->scheduler = read_volcano_scheduler(View(*tree.root, draft.problems));
    data->finish();
  }
  object.finish();
  if (metadata && (metadata->ns != volcano::kSystemNamespace || metadata->name != volcano::kSchedulerConfigMap))
    object.problem("metadata", "is not the ConfigMap that Volcano's scheduler reads");
}

void read_config_map(const View& object, Draft& draft) {
  const auto data = object.map("data");
  data && data->has(volcano::kSchedulerKey) ? read_volcano_config_map(object, draft)
                                            : read_partition_config_map(object, draft);
}

}  // namespace gpol::manifest
