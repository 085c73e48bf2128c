#include "compiler/lint/uses.h"

#include <set>

namespace gpol::lints {

namespace {

void use(std::vector<bool>& used, std::uint32_t index) {
  if (index < used.size()) used[index] = true;
}

void use_all(std::vector<bool>& used, const std::vector<PoolAmount>& amounts) {
  for (const PoolAmount& amount : amounts) use(used, amount.pool);
}

void uses_of_tenant(const Tenant& tenant, Uses& uses) {
  use(uses.classes, tenant.latency_class);
  for (const auto* amounts : {&tenant.reserves, &tenant.quotas, &tenant.shapes}) use_all(uses.pools, *amounts);
  for (const auto& limit : {tenant.queue.lend, tenant.queue.borrow})
    if (limit) use_all(uses.pools, limit->at_most);
}

// A cohort with a quota lends to all of its tree; one without serves the tenants below it.
void uses_of_cohorts(const Policy& policy, Uses& uses) {
  const auto up = [&](std::uint32_t cohort, auto each) {
    for (std::size_t depth = 0; cohort != kNone && depth <= policy.cohorts.size(); ++depth) {
      if (!each(cohort)) return;
      cohort = policy.cohorts[cohort].parent;
    }
  };
  std::vector<bool> inhabited(policy.cohorts.size());  // by a tenant below it
  for (const Tenant& tenant : policy.tenants)
    up(tenant.queue.cohort, [&](std::uint32_t c) {
      const bool fresh = !inhabited[c];
      inhabited[c] = true;
      return fresh;
    });
  // Whether the tree that a cohort is in has a tenant; each is asked once, so that deep trees cost no more.
  enum class Rooted : char { Unknown, No, Yes };
  std::vector<Rooted> rooted(policy.cohorts.size(), Rooted::Unknown);
  for (std::uint32_t c = 0; c < policy.cohorts.size(); ++c) {
    std::vector<std::uint32_t> path;
    Rooted answer = Rooted::No;
    up(c, [&](std::uint32_t above) {
      // What is above an inhabited cohort is inhabited, so that the root is.
      answer = inhabited[above] ? Rooted::Yes : rooted[above];
      if (answer == Rooted::Unknown) path.push_back(above);
      return answer == Rooted::Unknown;
    });
    if (answer == Rooted::Unknown) answer = Rooted::No;
    for (const std::uint32_t below : path) rooted[below] = answer;
    const Cohort& cohort = policy.cohorts[c];
    if (inhabited[c] || (!cohort.entries.empty() && answer == Rooted::Yes)) use(uses.cohorts, c);
    use(uses.cohorts, cohort.parent);  // it is told of once nothing names it
    for (const auto& entry : cohort.entries) use(uses.pools, entry.pool);
  }
}

}  // namespace

Uses uses_of(const Policy& policy) {
  Uses uses;
  uses.classes.resize(policy.classes.size());
  uses.pools.resize(policy.pools.size());
  uses.groups.resize(policy.groups.size());
  uses.windows.resize(policy.windows.size());
  uses.calendars.resize(policy.calendars.size());
  uses.cohorts.resize(policy.cohorts.size());
  uses.hardware.resize(policy.hardware.size());
  for (const Tenant& tenant : policy.tenants) uses_of_tenant(tenant, uses);
  uses_of_cohorts(policy, uses);
  for (const Pool& pool : policy.pools) use(uses.groups, pool.group);
  for (const Price& price : policy.prices) use(uses.pools, price.pool);
  for (const Allow& allow : policy.allows) {
    use(uses.windows, allow.window);
    use(uses.pools, allow.pool);
  }
  for (const ProveHolds& prove : policy.prove_holds) {
    use(uses.classes, prove.holder);
    use(uses.classes, prove.held);
  }
  for (const ProveReady& prove : policy.prove_ready) use(uses.classes, prove.latency_class);
  for (const LatencyClass& latency_class : policy.classes)
    for (const Slo& slo : latency_class.slos) use(uses.windows, slo.window);
  for (const Lever& lever : policy.levers)
    for (const Lever::Stop& stop : lever.stops)
      if (!stop.hold) use(uses.windows, stop.index);
  for (const Window& window : policy.windows) use(uses.calendars, window.except);
  std::set<std::string_view> named;  // approvals and models go by name
  for (const Approval& approval : policy.approvals) named.insert(approval.what);
  for (std::size_t i = 0; i < policy.classes.size(); ++i)
    if (named.contains(policy.classes[i].name)) uses.classes[i] = true;
  for (std::size_t i = 0; i < policy.pools.size(); ++i)
    if (named.contains(policy.pools[i].name)) uses.pools[i] = true;
  named.clear();
  for (const NodeGroup& group : policy.groups) named.insert(group.gpu_model);
  for (std::size_t i = 0; i < policy.hardware.size(); ++i)
    if (named.contains(policy.hardware[i].name)) uses.hardware[i] = true;
  return uses;
}

std::vector<Named> declared_names(const Policy& policy, const Uses& uses) {
  std::vector<Named> out;
  const auto all = [&](const auto& declared, const std::vector<bool>& used, std::string_view kind,
                       std::string_view users, bool spare) {
    for (std::size_t i = 0; i < declared.size(); ++i)
      out.push_back({kind, declared[i].name, users, declared[i].span, used[i], spare});
  };
  all(policy.classes, uses.classes, "class", "", true);
  all(policy.pools, uses.pools, "pool", "", true);
  all(policy.groups, uses.groups, "node group", "no pool is on it", false);
  all(policy.windows, uses.windows, "window", "", true);
  all(policy.calendars, uses.calendars, "calendar", "no window leaves its days out", false);
  all(policy.cohorts, uses.cohorts, "cohort", "no tenant is in it", false);
  all(policy.hardware, uses.hardware, "hardware", "no nodes are of it", false);
  return out;
}

}  // namespace gpol::lints
