// Fields: staging/src/volcano.sh/apis/pkg/apis/scheduling/v1beta1/types.go of Volcano v1.15.1; defaults:
// pkg/webhooks/admission/queues/mutate.
#include <algorithm>

#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

namespace {

volcano::Amounts read_amounts(const View& spec, std::string_view key) {
  volcano::Amounts amounts;
  const auto list = spec.map(key);
  if (!list) return amounts;
  for (const Entry& entry : list->node().entries)
    if (const auto amount = read_amount(*list, entry.key, entry.key)) amounts[entry.key] = *amount;
  list->finish();
  return amounts;
}

volcano::NodeGroups read_groups(const View& affinity, std::string_view key) {
  volcano::NodeGroups groups;
  const auto map = affinity.map(key);
  if (!map) return groups;
  groups.required = map->texts("requiredDuringSchedulingIgnoredDuringExecution");
  groups.preferred = map->texts("preferredDuringSchedulingIgnoredDuringExecution");
  map->finish();
  return groups;
}

void read_spec(const View& spec, volcano::Queue& queue) {
  if (const std::string parent = spec.text("parent").value_or(""); !parent.empty()) queue.parent = parent;
  queue.capability = read_amounts(spec, "capability");
  queue.deserved = read_amounts(spec, "deserved");
  if (const auto guarantee = spec.map("guarantee")) {
    queue.guarantee = read_amounts(*guarantee, "resource");
    guarantee->finish();
  }
  queue.reclaimable = spec.boolean("reclaimable").value_or(true);
  queue.priority = spec.integer("priority").value_or(0);
  queue.weight = std::max<std::int64_t>(1, spec.integer("weight").value_or(1));
  if (const auto affinity = spec.map("affinity")) {
    queue.affinity = read_groups(*affinity, "nodeGroupAffinity");
    queue.anti_affinity = read_groups(*affinity, "nodeGroupAntiAffinity");
    affinity->finish();
  }
  for (const auto* unread : {"dequeueStrategy", "extendClusters", "type"})
    spec.ignore(unread);  // no scheduler reads it
  spec.finish();
}

}  // namespace

void read_volcano_queue(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "Queue", Scope::Cluster);
  volcano::Queue queue;
  if (const auto spec = object.map("spec")) read_spec(*spec, queue);
  object.ignore("status");  // what applies a manifest drops it
  object.finish();
  if (!metadata) return;
  queue.name = metadata->name;
  queue.labels = metadata->labels;
  if (!draft.cluster.volcano) draft.cluster.volcano.emplace();
  draft.cluster.volcano->queues.push_back(std::move(queue));
}

}  // namespace gpol::manifest
