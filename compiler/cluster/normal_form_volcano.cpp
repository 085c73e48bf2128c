// What is Volcano's of a cluster, in normal form. The order of actions and tiers counts, and of plugins within a tier.
#include "compiler/cluster/fact_lines.h"
#include "compiler/cluster/normal_form.h"

namespace gpol {

namespace {

void put_amounts(Block& block, std::string_view field, const volcano::Amounts& amounts) {
  for (const auto& [resource, amount] : amounts) block.fact(field, word(resource) + " " + std::to_string(amount));
}

void put_groups(Block& block, const std::string& field, const volcano::NodeGroups& groups) {
  for (const std::string& one : groups.required) block.fact(field, "required " + word(one));
  for (const std::string& one : groups.preferred) block.fact(field, "preferred " + word(one));
}

Block block_of(const volcano::Queue& queue) {
  Block block("volcanoQueue", queue.name);
  block.fact("parent", word(queue.parent));
  put_amounts(block, "capability", queue.capability);
  put_amounts(block, "deserved", queue.deserved);
  put_amounts(block, "guarantee", queue.guarantee);
  block.fact("reclaimable", queue.reclaimable ? "true" : "false");
  block.fact("priority", std::to_string(queue.priority));
  block.fact("weight", std::to_string(queue.weight));
  put_groups(block, "nodeGroupAffinity", queue.affinity);
  put_groups(block, "nodeGroupAntiAffinity", queue.anti_affinity);
  block.facts("label", queue.labels);
  return block;
}

std::string scheduler_text(const volcano::SchedulerConfig& config) {
  Block block("scheduler", "volcano");
  for (const std::string& action : config.actions) block.fact("action", word(action));
  for (std::size_t tier = 0; tier < config.tiers.size(); ++tier)
    for (const volcano::Plugin& plugin : config.tiers[tier]) {
      const std::string field = "tier " + std::to_string(tier) + " " + word(plugin.name);
      block.fact(field, "plugin");
      for (const auto& [flag, on] : plugin.flags) block.fact(field, word(flag) + (on ? " on" : " off"));
      block.facts(field, plugin.arguments);
    }
  for (const auto& [action, arguments] : config.action_arguments)
    block.facts("configuration " + word(action), arguments);
  block.facts("metrics", config.metrics);
  return block.take();
}

}  // namespace

std::string normal_form(const volcano::Setup& setup) {
  std::string out = scheduler_text(setup.scheduler);
  Section queues;
  for (const volcano::Queue& queue : setup.queues) {
    Block block = block_of(queue);
    queues.add(queue.name, block);
  }
  queues.append_to(out);
  return out;
}

}  // namespace gpol
