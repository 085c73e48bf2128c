#include "checker/volcano/rules/nodegroup.h"

#include "checker/volcano/rules/mode.h"
#include "compiler/source/lookup.h"

namespace gpol::volcano {

std::map<std::string, const Queue*> queues_with_groups(const Setup& setup) {
  std::map<std::string, const Queue*> by_name, out;
  for (const Queue& queue : setup.queues) by_name.emplace(queue.name, &queue);
  const Plugin* nodegroup = plugin_of(setup.scheduler, "nodegroup");
  const bool inherits = nodegroup != nullptr && value_or(nodegroup->flags, "enableHierarchy", false);
  for (const char* made : {kDefaultQueue, kRootQueue}) by_name.emplace(made, nullptr);
  for (const auto& [own, unused] : by_name) {
    std::string name = own;
    for (std::size_t step = 0; step <= by_name.size(); ++step) {  // bounded, as parents may go round
      const Queue* queue = value_or(by_name, name, nullptr);
      if (queue != nullptr && (queue->affinity != NodeGroups{} || queue->anti_affinity != NodeGroups{})) {
        out.emplace(own, queue);
        break;
      }
      if (!inherits || name == kRootQueue) break;
      name = queue == nullptr || queue->parent.empty() ? kRootQueue : queue->parent;
    }
  }
  return out;
}

// The preferred anti-affinity admits what all else refuses: so it is upstream.
bool in_group(const SchedulerConfig& config, const Queue* groups, const std::map<std::string, std::string>& labels) {
  const Plugin* plugin = plugin_of(config, "nodegroup");
  if (plugin == nullptr) return true;
  const auto label = labels.find("volcano.sh/nodegroup-name");
  if (label == labels.end()) return groups == nullptr && has_value(plugin->arguments, "strict", "false");
  if (groups == nullptr) return false;
  const std::string& group = label->second;
  if (contains(groups->anti_affinity.preferred, group)) return true;
  return (contains(groups->affinity.required, group) || contains(groups->affinity.preferred, group)) &&
         !contains(groups->anti_affinity.required, group);
}

}  // namespace gpol::volcano
