#include "checker/diff/configuration.h"

#include <fmt/format.h>

#include <set>
#include <tuple>

#include "compiler/cluster/listed.h"
#include "compiler/policy/policy.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

std::string amount_in_words(const std::string& resource, std::int64_t amount) {
  if (const ResourceRow* known = common_resource(resource)) return human_amount(*known, amount);
  if (is_slice(resource)) return human_amount(slices_row(resource.substr(kSlicePrefix.size())), amount);
  if (const ResourceRow shares = slices_row(kShares); resource == shares.name) return human_amount(shares, amount);
  if (resource == "ephemeral-storage" || resource.starts_with("hugepages-"))
    return fmt::format("{} of {}", human_amount(Resource::Memory, amount), resource);
  return fmt::format("{} {}", amount, resource);
}

Facts facts_of(const DiffSide& side, std::uint32_t f) {
  const Cluster& cluster = side.planned->cluster;
  const Flavor& flavor = cluster.flavors[f];
  Facts facts;
  for (const auto& [key, value] : flavor.node_labels) add_to_list(facts["labels"], fmt::format("{}={}", key, value));
  for (const Taint& taint : flavor.taints)
    add_to_list(facts["taints"], fmt::format("taint {}={}:{}", taint.key, taint.value, taint.effect));
  if (const PoolCapacity* nodes = side.planned->intent.capacity_of(f)) {
    const bool range = nodes->nodes_min != nodes->nodes_max;
    if (nodes->nodes_max > 0)
      facts["count"] = (range ? fmt::format("{} to ", nodes->nodes_min) : "") +
                       fmt::format("{} node{}", nodes->nodes_max, nodes->nodes_max == 1 ? "" : "s");
    const auto& amounts = nodes->nodes_max > 0 ? nodes->of_one : nodes->surely;
    for (std::size_t r = 0; r < amounts.size(); ++r)
      if (const std::string& resource = cluster.resources[r]; amounts[r] != 0)
        facts[resource] =
            fmt::format("{} {}", amount_in_words(resource, amounts[r]), nodes->nodes_max > 0 ? "each" : "in all");
    facts["lost"] = fmt::format("{} may be lost at once", nodes->lost == 0 ? "none" : std::to_string(nodes->lost));
    facts["spot"] = nodes->spot ? fmt::format("spot, with {} of notice", human_duration(nodes->notice)) : "not spot";
  }
  if (const CutPool* cut = side.planned->intent.cut_of(f)) facts["gpu"] = "GPU " + cut->device.name;
  if (side.policy == nullptr || f >= side.policy->pools.size()) return facts;
  const NodeGroup& group = side.policy->groups[side.policy->pools[f].group];
  if (!group.gpu_model.empty()) facts["gpu"] = "GPU " + group.gpu_model;
  if (group.ceiling) facts["ceiling"] = fmt::format("at most {} GPUs can be had", *group.ceiling);
  if (group.lead_time) facts["lead"] = fmt::format("one more after {}", human_duration(*group.lead_time));
  return facts;
}

}  // namespace

std::optional<std::uint32_t> flavor_of(const Cluster& cluster, std::string_view name) {
  for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f)
    if (cluster.flavors[f].name == name) return f;
  return std::nullopt;
}

std::string pods_that_stand(const Planned& side, std::optional<std::uint32_t> flavor) {
  std::vector<std::string> by_class[3];
  const auto add = [&](const std::string& name, bool serves, Isolation isolation) {
    auto& same = by_class[serves ? static_cast<std::size_t>(isolation) : 2];
    const std::string who = fmt::format("`{}`{}", name,
                                        &same == &by_class[0]   ? " (class A)"
                                        : &same == &by_class[1] ? " (class B)"
                                                                : "");
    if (!contains(same, who)) same.push_back(who);
  };
  const Cluster& cluster = side.cluster;
  for (std::size_t q = 0; q < cluster.queues.size(); ++q)
    for (const std::string& resource : cluster.resources)
      if (const QueueRole& role = side.intent.roles[q];
          is_gpu_or_slice(resource) && can_have(cluster, cluster.queues[q], resource, flavor))
        add(role.tenant.empty() ? cluster.queues[q].name : role.tenant, promised(role), role.isolation);
  for (const PlannedAllow& allow : side.intent.allows)  // in a window
    if (!flavor || allow.flavor == *flavor) add(side.intent.roles[allow.borrower].tenant, false, Isolation::C);
  for (const OutsideReserve& tenant : side.intent.outside)
    if (!flavor || tenant.flavor == *flavor) add(tenant.tenant, promised(tenant), tenant.isolation);
  std::vector<std::string> all;
  for (const auto& some : by_class) all.insert(all.end(), some.begin(), some.end());
  return all.empty() ? "no queue has quota of GPUs there"
                     : fmt::format("pods of {} may stand on {}", listed(all), flavor ? "these nodes" : "such nodes");
}

std::pair<std::string, std::string> differing(const Facts& before, const Facts& after) {
  std::pair<std::string, std::string> texts;
  for (const auto& [mine, others, text] :
       {std::tuple{&before, &after, &texts.first}, std::tuple{&after, &before, &texts.second}})
    for (const auto& [key, fact] : *mine)
      if (!has_value(*others, key, fact)) add_to_list(*text, fact);
  if (texts.first != texts.second)
    for (std::string* text : {&texts.first, &texts.second})
      if (text->empty()) *text = "-";
  return texts;
}

void compare_nodes(const DiffSide& before, const DiffSide& after, std::vector<ConfigurationRow>& out) {
  std::map<std::string, std::pair<std::optional<Facts>, std::optional<Facts>>> pools;
  for (const DiffSide* side : {&before, &after})
    for (std::uint32_t f = 0; f < side->planned->cluster.flavors.size(); ++f) {
      Facts facts = facts_of(*side, f);
      if ((before.policy == nullptr) != (after.policy == nullptr))
        for (const char* of_policy : {"gpu", "ceiling", "lead"}) facts.erase(of_policy);
      auto& both = pools[side->planned->cluster.flavors[f].name];
      (side == &before ? both.first : both.second) = std::move(facts);
    }
  for (auto& [name, both] : pools) {
    const std::string_view means = !both.first ? "new" : !both.second ? "gone" : "changed";
    if (means != "changed")  // what there is, and no more
      std::erase_if(both.first ? *both.first : *both.second, [](const auto& fact) {
        return fact.first != "count" && fact.first != "gpu" && !is_gpu_or_slice(fact.first);
      });
    const auto [was, is] = differing(both.first.value_or(Facts{}), both.second.value_or(Facts{}));
    if (was != is) out.push_back({"nodes", name, was, is, means});
  }
}

void compare_quotas(const Planned& before, const Planned& after, std::vector<ConfigurationRow>& out) {
  using Quotas = std::map<std::string, std::pair<Facts, Facts>>;  // by queue: of devices, of all else
  const auto quotas_of = [](const Planned& side) {
    Quotas found;
    const Cluster& cluster = side.cluster;
    for (std::size_t q = 0; q < cluster.queues.size(); ++q) {
      if (promised(side.intent.roles[q])) continue;
      auto& [devices, others] = found[cluster.queues[q].name];
      for (const ListedQuota& one : listed_quotas(cluster.queues[q].groups)) {
        if (one.quota.nominal == 0) continue;
        const std::string &resource = cluster.resources[one.resource], &flavor = cluster.flavors[one.flavor].name;
        (is_gpu_or_slice(resource) ? devices : others)[flavor + " " + resource] =
            fmt::format("{} of `{}`", amount_in_words(resource, one.quota.nominal), flavor);
      }
    }
    for (std::size_t q = 0; q < side.intent.volcano_roles.size(); ++q) {
      const volcano::QueueRole& role = side.intent.volcano_roles[q];
      if (promised(role) || role.pool == kNone) continue;
      auto& [devices, others] = found[cluster.volcano->queues[q].name];
      for (const auto& [resource, amount] : cluster.volcano->queues[q].capability)
        if (amount > 0)
          (is_gpu_or_slice(resource) ? devices : others)[resource] =
              fmt::format("{} of `{}`", amount_in_words(resource, amount), cluster.flavors[role.pool].name);
    }
    return found;
  };
  const Quotas was = quotas_of(before), is = quotas_of(after);
  Quotas all = was;
  all.insert(is.begin(), is.end());
  for (const auto& [name, any] : all) {
    const auto old = value_or(was, name, {}), now = value_or(is, name, {});
    auto texts = differing(old.first, now.first);
    if (texts.first == texts.second) texts = differing(old.second, now.second);
    if (texts.first != texts.second)
      out.push_back({"quota", name, texts.first, texts.second,
                     !was.contains(name)  ? "new"
                     : !is.contains(name) ? "gone"
                                          : "changed"});
  }
}

void compare_kueue(const Planned& before, const Planned& after, std::vector<ConfigurationRow>& out) {
  const auto facts_of_kueue = [](const KueueConfig& config) {
    Facts facts;
    for (const std::string& framework : config.frameworks) facts["framework " + framework] = framework;
    for (const auto& one : config.managed_namespaces.expressions)
      facts["managed " + one.key + one.op] =
          fmt::format("in namespaces where {} {} {}", one.key, one.op, listed(one.values));
    for (const auto& [key, value] : config.managed_namespaces.match_labels)
      facts["managed " + key] = fmt::format("in namespaces where {} is {}", key, value);
    facts["manage"] = config.manage_jobs_without_queue_name ? "jobs without a queue are held back"
                                                            : "jobs without a queue run unseen";
    return facts;
  };
  if (before.cluster.volcano || after.cluster.volcano) return;
  const KueueConfig &was = before.cluster.config, &is = after.cluster.config;
  const Facts old = facts_of_kueue(was), now = facts_of_kueue(is);
  const auto [old_words, now_words] = differing(old, now);
  if (old_words == now_words) return;
  ConfigurationRow row{"Kueue", "Configuration", old_words, now_words, "changed"};
  std::set<std::string> left;
  for (const std::string& framework : was.frameworks)  // where none is named nothing is known of the others
    if (!is.frameworks.empty() && !contains(is.frameworks, framework)) left.insert(framework);
  if (!left.empty())
    row.what = fmt::format("Kueue does not take {} any more: what names a queue by these kinds runs without quota",
                           listed_up_to(3, left, [](const auto& name) { return "`" + name + "`"; }));
  else if (was.manage_jobs_without_queue_name && !is.manage_jobs_without_queue_name)
    row.what = "Kueue does not hold back any more what names no queue";
  else if (is.manage_jobs_without_queue_name && was.managed_namespaces != is.managed_namespaces)
    row.what = "Kueue may hold back less of what names no queue: it looks at other namespaces";
  if (!row.what.empty()) row.means = "riskier";
  out.push_back(std::move(row));
}

void compare_replicas(const DiffSide& before, const DiffSide& after, std::vector<ConfigurationRow>& out) {
  if (before.policy == nullptr || after.policy == nullptr) return;
  const auto in_words = [](const Policy& policy, const Tenant& tenant) {
    std::string words;
    for (const PoolAmount& reserve : tenant.reserves)
      for (const auto& [resource, amount] : reserve.replica.value_or(Resources()))
        if (amount > 0 && &reserve == &tenant.reserves.front())
          add_to_list(words, human_amount(policy.resources[static_cast<std::size_t>(resource)], amount));
    return words.empty() ? "-" : words;
  };
  for (const Tenant& was : before.policy->tenants)
    for (const Tenant& is : after.policy->tenants)
      if (const std::string old = in_words(*before.policy, was), now = in_words(*after.policy, is);
          was.name == is.name && old != now)
        out.push_back({"replica", was.name, old, now, "changed"});
}

std::vector<ConfigurationRow> configuration_rows(const DiffSide& before, const DiffSide& after) {
  std::vector<ConfigurationRow> out;
  if (before.planned == nullptr || after.planned == nullptr) return out;
  compare_quotas(*before.planned, *after.planned, out);
  compare_replicas(before, after, out);
  compare_kueue(*before.planned, *after.planned, out);
  compare_nodes(before, after, out);
  compare_layouts(*before.planned, *after.planned, out);
  compare_sharing(before, after, out);
  compare_gateways(*before.planned, *after.planned, out);
  compare_guards(*before.planned, *after.planned, out);
  return out;
}

}  // namespace gpol
