#include <utility>

#include "emit/kinds/kinds.h"

namespace gpol::kinds {

yaml::Value cohort(const Cluster& cluster, const CohortNode& cohort) {
  const bool in_tree = !cohort.parent.empty();
  yaml::Map spec;
  if (in_tree) spec.emplace_back("parentName", cohort.parent);
  if (!cohort.fair_weight.empty()) spec.emplace_back("fairSharing", yaml::Map{{"weight", cohort.fair_weight}});
  if (!cohort.groups.empty()) spec.emplace_back("resourceGroups", resource_groups(cluster, cohort.groups, in_tree));

  return with(object({.api_version = kKueueApi, .kind = "Cohort", .name = cohort.name, .kept = true}), "spec",
              std::move(spec));
}

}  // namespace gpol::kinds
