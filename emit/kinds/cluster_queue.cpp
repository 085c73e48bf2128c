#include <string>
#include <utility>

#include "compiler/cluster/quantity.h"
#include "compiler/cluster/words.h"
#include "emit/kinds/kinds.h"

namespace gpol::kinds {

namespace {

yaml::Map quota_of(const std::string& resource, const Quota& quota, bool in_tree) {
  yaml::Map map;
  map.reserve(4);
  map.emplace_back("name", resource);
  map.emplace_back("nominalQuota", quantity(resource, quota.nominal));
  if (in_tree && quota.borrowing) map.emplace_back("borrowingLimit", quantity(resource, *quota.borrowing));
  if (in_tree && quota.lending) map.emplace_back("lendingLimit", quantity(resource, *quota.lending));
  return map;
}

yaml::Map flavor_fungibility(const Queue& queue) {
  yaml::Map map{{"whenCanBorrow", word(queue.when_can_borrow)}, {"whenCanPreempt", word(queue.when_can_preempt)}};
  if (!queue.fungibility_preference.empty()) map.emplace_back("preference", queue.fungibility_preference);
  return map;
}

yaml::Map preemption(const Preemption& preemption) {
  yaml::Map borrow{{"policy", word(preemption.borrow_within_cohort)}};
  if (preemption.max_priority_threshold)
    borrow.emplace_back("maxPriorityThreshold", *preemption.max_priority_threshold);

  return {{"withinClusterQueue", word(preemption.within_cluster_queue)},
          {"reclaimWithinCohort", word(preemption.reclaim_within_cohort)},
          {"borrowWithinCohort", std::move(borrow)}};
}

yaml::Map admission_checks(const std::vector<std::string>& names) {
  yaml::List checks;
  for (const std::string& name : names) checks.emplace_back(yaml::Map{{"name", name}});
  return {{"admissionChecks", std::move(checks)}};
}

}  // namespace

yaml::List resource_groups(const Cluster& cluster, const std::vector<ResourceGroup>& groups, bool in_tree) {
  yaml::List list;
  list.reserve(groups.size());
  for (const ResourceGroup& group : groups) {
    yaml::List covered;
    covered.reserve(group.covered.size());
    for (const std::uint32_t resource : group.covered) covered.emplace_back(cluster.resources.at(resource));

    yaml::List flavors;
    flavors.reserve(group.flavors.size());
    for (const FlavorQuotas& flavor : group.flavors) {
      yaml::List resources;
      resources.reserve(group.covered.size());
      for (std::size_t i = 0; i < group.covered.size(); ++i)
        resources.emplace_back(quota_of(cluster.resources.at(group.covered[i]), flavor.quotas.at(i), in_tree));
      yaml::Map entry;
      entry.reserve(2);
      entry.emplace_back("name", cluster.flavors.at(flavor.flavor).name);
      entry.emplace_back("resources", std::move(resources));
      flavors.emplace_back(std::move(entry));
    }

    yaml::Map entry;
    entry.reserve(2);
    entry.emplace_back("coveredResources", std::move(covered));
    entry.emplace_back("flavors", std::move(flavors));
    list.emplace_back(std::move(entry));
  }
  return list;
}

yaml::Value cluster_queue(const Cluster& cluster, const Queue& queue) {
  const bool in_tree = !queue.cohort.empty();
  yaml::Map spec;
  spec.reserve(9);
  if (in_tree) spec.emplace_back("cohortName", queue.cohort);
  spec.emplace_back("queueingStrategy", word(queue.strategy));
  // Absent is Kueue's own way to say that no namespace is let in; an empty selector would let in all.
  if (queue.namespaces.present) spec.emplace_back("namespaceSelector", label_selector(queue.namespaces));
  spec.emplace_back("stopPolicy", word(queue.stop));
  spec.emplace_back("flavorFungibility", flavor_fungibility(queue));
  spec.emplace_back("preemption", preemption(queue.preemption));
  if (!queue.admission_checks.empty())
    spec.emplace_back("admissionChecksStrategy", admission_checks(queue.admission_checks));
  if (!queue.fair_weight.empty()) spec.emplace_back("fairSharing", yaml::Map{{"weight", queue.fair_weight}});
  if (!queue.groups.empty()) spec.emplace_back("resourceGroups", resource_groups(cluster, queue.groups, in_tree));

  yaml::Map map =
      object({.api_version = kKueueApi, .kind = "ClusterQueue", .name = queue.name, .kept = true}, queue.labels);
  map.emplace_back("spec", std::move(spec));
  return map;
}

}  // namespace gpol::kinds
