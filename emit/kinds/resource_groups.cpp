#include "emit/kinds/resource_groups.h"

#include <string>
#include <utility>

#include "compiler/cluster/quantity.h"

namespace gpol::kinds {

namespace {

yaml::Map resource_quota(const std::string& resource, const Quota& quota, bool in_tree) {
  yaml::Map map;
  map.reserve(4);
  map.emplace_back("name", resource);
  map.emplace_back("nominalQuota", quantity(resource, quota.nominal));
  if (in_tree && quota.borrowing) map.emplace_back("borrowingLimit", quantity(resource, *quota.borrowing));
  if (in_tree && quota.lending) map.emplace_back("lendingLimit", quantity(resource, *quota.lending));
  return map;
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
        resources.emplace_back(resource_quota(cluster.resources.at(group.covered[i]), flavor.quotas.at(i), in_tree));
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

}  // namespace gpol::kinds
