// A tenant that left the policy, from the objects that an earlier build made of it.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "compiler/cluster/codes.h"
#include "compiler/cluster/guard_parts.h"
#include "compiler/cluster/retired_parts.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol::retired {

namespace {

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

template <class List>
std::uint32_t index_of(const List& list, const std::string& name) {
  const auto at = find_named(list, name);
  return at == list.end() ? kNone : static_cast<std::uint32_t>(at - list.begin());
}

class Again {
 public:
  Again(const Leaver& leaver, const Cluster& old, Policy& policy, std::vector<Diagnostic>& found)
      : leaver_(leaver), old_(old), policy_(policy), found_(found) {}

  std::optional<Tenant> tenant() {
    const std::size_t before = found_.size();
    tenant_.name = leaver_.name;
    find_class();
    find_namespaces();
    for (const Queue* queue : leaver_.queues) add_queue(*queue);
    if (!leaver_.serves) find_limits();
    if (found_.size() > before) return std::nullopt;
    return std::move(tenant_);
  }

 private:
  void cannot(std::string message, std::string hint) {
    found_.push_back(cannot_keep(std::move(message), std::move(hint)));
  }

  std::string class_letter() const { return value_or(leaver_.queues.front()->labels, "gpol.dev/class", ""); }
  void find_class() {
    const Isolation isolation = !leaver_.serves ? Isolation::C : class_letter() == "A" ? Isolation::A : Isolation::B;
    const std::string name = leaver_.serves ? "" : batch_class(leaver_, old_);
    for (std::uint32_t c = 0; c < policy_.classes.size(); ++c)
      if (policy_.classes[c].isolation == isolation && (leaver_.serves || policy_.classes[c].name == name)) {
        tenant_.latency_class = c;
        return;
      }
    cannot(fmt::format("tenant `{}` left the policy, and so did {}", leaver_.name,
                       leaver_.serves ? fmt::format("every class {}", isolation_letter(isolation))
                                      : fmt::format("its class `{}`", name)),
           fmt::format("keep the class until `{}` is retired", leaver_.name));
  }

  // One that another tenant has by now has its guards; they are the same where both are batch of one class, or serve.
  void find_namespaces() {
    for (const std::string& ns : leaver_.namespaces) {
      const auto other =
          std::ranges::find_if(policy_.tenants, [&](const Tenant& t) { return contains(t.namespaces, ns); });
      if (other == policy_.tenants.end()) {
        tenant_.namespaces.push_back(ns);
      } else {
        const bool serves = policy_.classes[other->latency_class].isolation != Isolation::C;
        const bool same = leaver_.serves ? serves && !other->outside : other->latency_class == tenant_.latency_class;
        if (!same)
          cannot(fmt::format("tenant `{}` left the policy, and `{}` has its namespace `{}` in another class",
                             leaver_.name, other->name, ns),
                 fmt::format("give `{}` another namespace until `{}` is retired", other->name, leaver_.name));
      }
      for (const Writer& writer : policy_.writers)
        if (writer.name.starts_with(fmt::format("system:serviceaccount:{}:", ns)) ||
            writer.name == "system:serviceaccounts:" + ns)
          cannot(fmt::format("writer `{}` is of namespace `{}`, in which `{}` may still run", writer.name, ns,
                             leaver_.name),
                 fmt::format("name another writer until `{}` is retired", leaver_.name));
    }
  }

  Resource resource(std::uint32_t id) {
    const std::uint32_t found = index_of(policy_.resources, old_.resources[id]);
    if (found == kNone)
      cannot(fmt::format("`{}` has quota of `{}`, which the policy knows no longer", leaver_.name, old_.resources[id]),
             fmt::format("keep its pools as they were until `{}` is retired", leaver_.name));
    return static_cast<Resource>(found);
  }
  std::uint32_t pool(std::uint32_t flavor) {
    const std::string& name = old_.flavors[flavor].name;
    const std::uint32_t found = index_of(policy_.pools, name);
    if (found == kNone)
      cannot(fmt::format("`{}` may still run on pool `{}`, which the policy no longer has", leaver_.name, name),
             fmt::format("keep the pool until `{}` is retired", leaver_.name));
    return found;
  }
  // `of`: what of a quota.
  template <class Of>
  Resources amounts(const ResourceGroup& group, const FlavorQuotas& row, const Of& of) {
    Resources all;
    for (std::size_t i = 0; i < group.covered.size(); ++i)
      if (const std::int64_t amount = of(row.quotas[i]); amount > 0)
        if (const Resource r = resource(group.covered[i]); static_cast<std::uint32_t>(r) != kNone) all[r] = amount;
    return all;
  }

  void add_queue(const Queue& queue) {
    if (!queue.cohort.empty() && queue.cohort != policy_.cluster) tenant_.queue.cohort = cohort(queue.cohort);
    for (const ResourceGroup& group : queue.groups)
      for (const FlavorQuotas& row : group.flavors) {
        PoolAmount owns{pool(row.flavor), amounts(group, row, [](const Quota& q) { return q.nominal; }), {}};
        if (owns.pool != kNone && owns.amount.begin() != owns.amount.end())
          (leaver_.serves ? tenant_.reserves : tenant_.quotas).push_back(std::move(owns));
      }
  }

  // The policy's, or the earlier build's as one of the policy.
  std::uint32_t cohort(const std::string& name) {
    if (const std::uint32_t found = index_of(policy_.cohorts, name); found != kNone) return found;
    const auto at = static_cast<std::uint32_t>(policy_.cohorts.size());
    policy_.cohorts.emplace_back().name = name;  // first: a cycle ends
    const auto was = find_named(old_.cohorts, name);
    if (was == old_.cohorts.end()) return at;
    Cohort made;
    made.name = name;
    if (!was->parent.empty()) made.parent = cohort(was->parent);
    for (const ResourceGroup& group : was->groups)
      for (const FlavorQuotas& row : group.flavors) {
        Cohort::Entry entry{
            pool(row.flavor), amounts(group, row, [](const Quota& q) { return q.nominal; }), {}, {}, {}};
        const auto limit = [&](std::optional<std::int64_t> Quota::* which) -> std::optional<Resources> {
          if (row.quotas.empty() || !(row.quotas.front().*which)) return std::nullopt;
          return amounts(group, row, [&](const Quota& q) { return (q.*which).value_or(0); });
        };
        entry.lend_at_most = limit(&Quota::lending);
        entry.borrow_at_most = limit(&Quota::borrowing);
        made.entries.push_back(std::move(entry));
      }
    policy_.cohorts[at] = std::move(made);
    return at;
  }

  // How many Jobs it may have, and the sizes of its pods, by the guards on these.
  void find_limits() {
    for (const std::string& ns : leaver_.namespaces)
      for (const ResourceQuota& quota : old_.resource_quotas)
        if (const auto jobs = quota.hard.find(kCountOfJobs);
            quota.ns == ns && quota.name == kJobQuota && jobs != quota.hard.end())
          tenant_.jobs_at_most = jobs->second;
    for (std::uint32_t p = 0; p < policy_.pools.size(); ++p)
      for (const AdmissionPolicy& guard : old_.admission_policies) {
        const std::string prefix = fmt::format("gpol-shape-{}-", policy_.pools[p].name);
        if (!guard.name.starts_with(prefix) || leaver_.namespaces.empty() ||
            !is_about(guard, leaver_.namespaces.front()))
          continue;
        const std::string rest = guard.name.substr(prefix.size());
        const std::string size = rest.substr(0, rest.find('-'));
        if (size.empty() || size.size() > 6 || !std::ranges::all_of(size, is_digit)) continue;
        for (std::size_t row = 0; row < policy_.resources.size(); ++row) {
          const Devices devices{static_cast<Resource>(row), std::stoll(size)};
          if (!policy_.resources[row].device || in_name(policy_, devices) != rest) continue;
          Resources amounts;
          amounts[devices.first] = devices.second;
          tenant_.shapes.push_back({p, amounts, {}});
        }
      }
  }

  const Leaver& leaver_;
  const Cluster& old_;
  Policy& policy_;
  std::vector<Diagnostic>& found_;
  Tenant tenant_;
};

}  // namespace

Diagnostic cannot_keep(std::string message, std::string hint) {
  return error_at(code::CannotKeep, {}, std::move(message), std::move(hint));
}

bool is_about(const AdmissionPolicy& guard, const std::string& ns) {
  return std::ranges::any_of(guard.match.namespaces.expressions,
                             [&](const Selector::Expression& e) { return e.op == "In" && contains(e.values, ns); });
}

std::string batch_class(const Leaver& leaver, const Cluster& old) {
  for (const WorkloadPriorityClass& priority : old.priority_classes)
    for (const AdmissionPolicy& guard : old.admission_policies)
      if (guard.name == fmt::format("gpol-{}-leaves", priority.name) && !leaver.namespaces.empty() &&
          is_about(guard, leaver.namespaces.front()))
        return priority.name;
  return {};
}

Quotas quotas_of(const Cluster& cluster, const std::vector<ResourceGroup>& groups) {
  Quotas all;
  for (const ResourceGroup& group : groups)
    for (const FlavorQuotas& row : group.flavors)
      for (std::size_t i = 0; i < group.covered.size(); ++i)
        all[{cluster.flavors[row.flavor].name, cluster.resources[group.covered[i]]}] = row.quotas[i];
  return all;
}

Quotas borrowable(const Cluster& cluster, const Queue& queue) {
  if (queue.cohort.empty()) return {};
  Quotas all = quotas_of(cluster, queue.groups);
  for (auto& [of, quota] : all) {
    std::int64_t widest = quota.borrowing.value_or(kNoLimit);
    for (const Mode& mode : cluster.modes)
      if (const auto row = mode.changed.find({queue.name, of.first, of.second}); row != mode.changed.end())
        widest = std::max(widest, row->second.borrowing.value_or(kNoLimit));
    quota.borrowing = widest;
  }
  std::erase_if(all, [](const auto& one) { return one.second.borrowing == 0; });
  return all;
}

std::int64_t lends(const Cluster& cluster, const Queue& queue, const QuotaOf& of) {
  const Quotas all = quotas_of(cluster, queue.groups);
  const auto own = all.find(of);
  if (own == all.end()) return 0;
  const auto lent = [](const Quota& quota) { return std::min(quota.nominal, quota.lending.value_or(kNoLimit)); };
  std::int64_t least = lent(own->second);
  for (const Mode& mode : cluster.modes)
    if (const auto row = mode.changed.find({queue.name, of.first, of.second}); row != mode.changed.end())
      least = std::min(least, lent(row->second));
  return least;
}

std::string root_of(const Cluster& cluster, std::string cohort) {
  for (std::size_t depth = 0; depth <= cluster.cohorts.size(); ++depth) {  // a cycle ends, too
    const auto at = find_named(cluster.cohorts, cohort);
    if (at == cluster.cohorts.end() || at->parent.empty()) break;
    cohort = at->parent;
  }
  return cohort;
}

std::optional<Tenant> tenant_again(const Leaver& leaver, const Cluster& old, Policy& policy,
                                   std::vector<Diagnostic>& found) {
  return Again(leaver, old, policy, found).tenant();
}

std::vector<Allow> loans_again(const Leavers& leavers, const Policy& policy, const Cluster& old,
                               const Planned& planned) {
  std::vector<Allow> loans;
  std::map<std::pair<std::string, QuotaOf>, std::int64_t> restored;  // by lending queue
  std::uint32_t borrower = static_cast<std::uint32_t>(policy.tenants.size());
  for (const auto& [name, leaver] : leavers) {
    for (const Queue* queue : leaver.queues) {
      const Quotas borrows = leaver.serves ? Quotas() : borrowable(old, *queue);
      for (std::size_t q = 0; q < planned.cluster.queues.size(); ++q) {
        const Queue& lender = planned.cluster.queues[q];
        const QueueRole& role = planned.intent.roles[q];
        const auto before = find_named(old.queues, lender.name);
        if (role.kind != QueueRole::Kind::Serving || role.policy_tenant >= policy.tenants.size() ||
            before == old.queues.end() || lender.cohort.empty() ||
            root_of(old, before->cohort) != root_of(old, queue->cohort))
          continue;
        std::map<std::uint32_t, Resources> amounts;  // by pool
        for (const auto& [of, quota] : borrows) {
          std::int64_t& done = restored[{lender.name, of}];
          const std::int64_t less = lends(old, *before, of) - lends(planned.cluster, lender, of) - done;
          const std::int64_t amount = std::min(less, *quota.borrowing);
          if (amount <= 0) continue;
          done += amount;
          amounts[index_of(policy.pools, of.first)][static_cast<Resource>(index_of(policy.resources, of.second))] =
              amount;
        }
        for (auto& [pool, amount] : amounts)
          loans.push_back({borrower, role.policy_tenant, pool, std::move(amount), kNone, std::nullopt, {}});
      }
    }
    ++borrower;
  }
  return loans;
}

}  // namespace gpol::retired
