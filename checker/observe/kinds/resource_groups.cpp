// resourceGroups of ClusterQueues and Cohorts: the same type in both (apis/kueue/v1beta2 ResourceGroup).
#include "checker/observe/kinds/kinds.h"
#include "checker/observe/quantity.h"

namespace gpol::manifest {
namespace {

Quota read_quota(const View& item, const std::string& resource) {
  Quota quota;
  quota.nominal = read_amount(item, "nominalQuota", resource).value_or(0);
  quota.borrowing = read_amount(item, "borrowingLimit", resource);
  quota.lending = read_amount(item, "lendingLimit", resource);
  item.ignore("name");  // as in coveredResources
  item.finish();
  return quota;
}

ResourceGroup read_group(const View& item, Draft& draft, std::vector<Span>* places) {
  ResourceGroup group;
  const auto covered = item.texts("coveredResources");
  for (const std::string& resource : covered) group.covered.push_back(draft.resource(resource));
  item.each_map("flavors", [&](const View& flavor) {
    FlavorQuotas quotas;
    quotas.flavor = draft.flavor(flavor, flavor.required_text("name"));
    if (const auto resources = flavor.list("resources"))
      for (std::size_t i = 0; i < covered.size(); ++i) {
        const View resource = resources->at(i);
        quotas.quotas.push_back(read_quota(resource, covered[i]));
        if (places != nullptr) places->push_back(resource.span_of("nominalQuota"));
      }
    flavor.finish();
    group.flavors.push_back(std::move(quotas));
  });
  item.finish();
  return group;
}

}  // namespace

std::optional<std::int64_t> read_amount(const View& map, std::string_view key, const std::string& resource) {
  const auto text = map.quantity(key);
  if (!text) return std::nullopt;
  const auto amount = amount_of(*text, resource);
  switch (amount.status) {
    case Amount::Status::Ok:
      return amount.value;
    case Amount::Status::Malformed:
      map.problem(key, shown(*text) + " is not a quantity");
      break;
    case Amount::Status::Unlimited:
      map.not_modelled(key, shown(*text) + " is so large that it counts as unlimited, which is not modelled");
      break;
  }
  return std::nullopt;
}

std::vector<ResourceGroup> read_resource_groups(const View& spec, Draft& draft, std::vector<Span>* quotas) {
  std::vector<ResourceGroup> groups;
  spec.each_map("resourceGroups", [&](const View& item) { groups.push_back(read_group(item, draft, quotas)); });
  return groups;
}

}  // namespace gpol::manifest
