// resourceGroups of ClusterQueues and Cohorts: the same type in both (apis/kueue/v1beta2 ResourceGroup).
#include <unordered_set>

#include "checker/observe/kinds/kinds.h"
#include "checker/observe/quantity.h"

namespace gpol::manifest {
namespace {

// Names that may occur in one group only.
struct Seen {
  std::unordered_set<std::string> resources, flavors;
};

std::optional<Quota> read_quota(const View& item, const std::string& resource, GroupRules rules) {
  Quota quota;
  if (!item.has("nominalQuota")) item.problem("nominalQuota", "is required");
  quota.nominal = read_amount(item, "nominalQuota", resource).value_or(0);
  quota.borrowing = read_amount(item, "borrowingLimit", resource);
  quota.lending = read_amount(item, "lendingLimit", resource);
  item.finish();
  if (auto problem = quota_problem(quota, rules); !problem.empty()) item.problem(std::move(problem));
  return quota;
}

void read_flavor_quotas(const View& item, Draft& draft, GroupRules rules, const std::vector<std::string>& covered,
                        Seen& seen, ResourceGroup& group, std::vector<Span>* places) {
  if (!item.expect(Node::Kind::Map)) return;
  const auto name = item.required_text("name");
  if (!name.empty() && !seen.flavors.insert(name).second)
    item.problem("name", "names the flavor " + shown(name) + " a second time");
  FlavorQuotas quotas;
  quotas.flavor = draft.flavor(item, name);
  quotas.quotas.resize(covered.size());
  const auto resources = item.required_list("resources");
  item.finish();
  if (!resources) return;
  if (resources->size() != covered.size()) {
    resources->problem("must list as many resources as coveredResources does");
    return;
  }
  for (std::size_t i = 0; i < covered.size(); ++i) {
    const View resource = resources->at(i);
    if (!resource.expect(Node::Kind::Map)) continue;
    const auto word = resource.required_text("name");
    if (word != covered[i] && !word.empty())
      resource.problem("name", shown(word) + " must be " + shown(covered[i]) + ", as in coveredResources");
    if (const auto quota = read_quota(resource, covered[i], rules)) quotas.quotas[i] = *quota;
    if (places != nullptr) places->push_back(resource.span_of("nominalQuota"));
  }
  group.flavors.push_back(std::move(quotas));
}

ResourceGroup read_group(const View& item, Draft& draft, GroupRules rules, Seen& seen, std::vector<Span>* places) {
  ResourceGroup group;
  if (!item.expect(Node::Kind::Map)) return group;
  const auto resources = item.required_list("coveredResources");
  const auto flavors = item.required_list("flavors");
  item.finish();
  if (!resources || !flavors || !resources->at_most(64) || !flavors->at_most(64)) return group;
  std::vector<std::string> covered;
  for (std::size_t i = 0; i < resources->size(); ++i) {
    const View name = resources->at(i);
    const auto word = name.as_text();
    if (!word) continue;
    if (word->empty()) name.problem("must not be empty");
    if (!seen.resources.insert(*word).second) name.problem("names the resource " + shown(*word) + " a second time");
    covered.push_back(*word);
    group.covered.push_back(draft.resource(*word));
  }
  if (covered.empty()) resources->problem("must not be empty");
  if (flavors->size() == 0) flavors->problem("must not be empty");
  for (std::size_t i = 0; i < flavors->size(); ++i)
    read_flavor_quotas(flavors->at(i), draft, rules, covered, seen, group, places);
  return group;
}

}  // namespace

std::string quota_problem(const Quota& quota, GroupRules rules) {
  if (quota.nominal < 0 || quota.borrowing.value_or(0) < 0 || quota.lending.value_or(0) < 0)
    return "a quota or limit must not be negative";
  if (!rules.has_parent && (quota.borrowing || quota.lending)) return "limits need a cohort to borrow from or lend to";
  if (rules.lending_within_nominal && quota.lending && *quota.lending > quota.nominal)
    return "lendingLimit must not exceed nominalQuota";
  return {};
}

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
      map.not_modelled(key, shown(*text) + " is so large that Kueue takes it as unlimited, which is not modelled");
      break;
  }
  return std::nullopt;
}

std::vector<ResourceGroup> read_resource_groups(const View& spec, Draft& draft, GroupRules rules,
                                                std::vector<Span>* quotas) {
  std::vector<ResourceGroup> groups;
  const auto list = spec.list("resourceGroups");
  if (!list || !list->at_most(16)) return groups;
  Seen seen;
  for (std::size_t i = 0; i < list->size(); ++i) groups.push_back(read_group(list->at(i), draft, rules, seen, quotas));
  return groups;
}

}  // namespace gpol::manifest
