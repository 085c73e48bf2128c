// Policy to cluster: the safe pattern (docs/kueue.md 4.4) with the policy's overrides written over it.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "compiler/cluster/intent.h"
#include "compiler/cluster/plan_parts.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

// A pool is a flavor; every node belongs to one pool and is labelled and tainted so: kubelet and kube-scheduler then
// keep pods of other flavors, and pods without a toleration, away.
std::vector<Flavor> plan_flavors(const Policy& policy) {
  std::vector<Flavor> flavors;
  for (const auto& pool : policy.pools) {
    Flavor flavor;
    flavor.name = pool.name;
    // One label key for all flavors (GP0321), pairwise different values: no node belongs to two flavors (kueue.md 6).
    const NodeMark label = label_of(pool), taint = taint_of(pool);
    flavor.node_labels = {{label.key, label.value}};
    flavor.tolerations = {{taint.key, "Equal", taint.value, taint.effect, std::nullopt}};
    flavors.push_back(std::move(flavor));
  }
  return flavors;
}

std::vector<NodePool> plan_node_pools(const Policy& policy) {
  std::vector<NodePool> pools;
  for (const auto& pool : policy.pools) {
    const NodeMark label = label_of(pool), taint = taint_of(pool);
    pools.push_back({pool.name, {{label.key, label.value}}, {{taint.key, taint.value, taint.effect}}});
  }
  return pools;
}

ResourceGroup group_over(const Policy& policy, const std::vector<std::uint32_t>& pools) {
  ResourceGroup group;
  group.covered = covered_on(policy, pools);
  for (const auto pool : pools) group.flavors.push_back({pool, std::vector<Quota>(group.covered.size())});
  return group;
}

// waitForPodsReady is on by default and evicts what is not ready in time: upstream's half an hour, or longer than the
// slowest tenant may take by its own terms, once the pods of its victims are gone.
constexpr std::int64_t kPodsReadyMinutes = 30;
std::int64_t pods_ready_minutes(const Policy& policy) {
  constexpr Millis kMinute = 60'000;
  Millis ends = 0, starts = 0;
  const auto value = [](const std::optional<TimeConstant>& t) { return t ? t->value : 0; };
  for (const auto& c : policy.classes) ends = std::max(ends, value(c.grace) + value(c.kill_margin));
  for (const auto& tenant : policy.tenants) {
    const StartTerms& s = tenant.start;
    starts = std::max(starts, value(s.schedule) + value(s.image) + value(s.weights) + value(s.load) + value(s.warm));
  }
  return std::max(kPodsReadyMinutes, (ends + starts) / kMinute + 2);
}

void plan_cohorts(const Policy& policy, const std::set<std::uint32_t>& used_root, Planned& out) {
  for (const auto& cohort : policy.cohorts) {
    CohortNode node;
    node.name = cohort.name;
    if (cohort.parent != kNone) node.parent = policy.cohorts[cohort.parent].name;
    std::vector<std::uint32_t> pools;
    for (const auto& entry : cohort.entries) pools.push_back(entry.pool);
    if (!pools.empty()) {
      ResourceGroup group = group_over(policy, pools);
      for (std::size_t f = 0; f < cohort.entries.size(); ++f)
        for (std::size_t i = 0; i < group.covered.size(); ++i) {
          const auto& entry = cohort.entries[f];
          const auto resource = static_cast<Resource>(group.covered[i]);
          Quota& quota = group.flavors[f].quotas[i];
          quota.nominal = entry.quota[resource];
          if (entry.lend_at_most) quota.lending = (*entry.lend_at_most)[resource];
          if (entry.borrow_at_most) quota.borrowing = (*entry.borrow_at_most)[resource];
        }
      node.groups.push_back(std::move(group));
    }
    out.cluster.cohorts.push_back(std::move(node));
    out.origins.cohort.push_back(cohort.span);
  }
  if (used_root.empty()) return;
  // The cohort of the safe pattern: no quota of its own, so that nothing is free for all.
  CohortNode root;
  root.name = policy.cluster;
  out.cluster.cohorts.push_back(std::move(root));
  out.origins.cohort.push_back(policy.cluster_span);
}

void plan_names(const Policy& policy, Planned& out) {
  for (const auto& c : policy.classes) {
    WorkloadPriorityClass priority;
    priority.name = c.name;
    priority.value = priority_value(c.isolation);
    priority.labels = {{"gpol.dev/role", c.isolation == Isolation::C ? "batch" : "serving"},
                       {"gpol.dev/class", isolation_letter(c.isolation)}};
    out.cluster.priority_classes.push_back(std::move(priority));
    out.origins.priority_class.push_back(c.span);
  }
  PriorityClass queued;
  queued.name = kQueuedPods;
  queued.preempts = false;
  const bool any = std::ranges::any_of(policy.tenants, [](const Tenant& t) { return !t.outside; });
  if (any) out.cluster.pod_priority_classes.push_back(std::move(queued));
  plan_namespaces(policy, out);

  KueueConfig& config = out.cluster.config;
  config.version = policy.kueue_version;
  // Which kinds of jobs Kueue takes, and whether it holds back what names no queue, is for all teams of the cluster to
  // say: guards keep what is not queued away from devices and from the pools' nodes, and Workloads of other kinds out.
  //
  // An elastic Job is charged by the number of its pods, whatever each of them asks for by then
  // (pkg/workloadslicing EnsureWorkloadSlices). Of a Job that runs pods beside each other, Kueue gives back the quota
  // of as many as are no longer to come, while others still run (jobs/job/job_controller.go ReclaimablePods).
  config.gates = {{"ElasticJobsViaWorkloadSlices", false}, {"ReclaimablePods", false}};
  if (const std::int64_t minutes = pods_ready_minutes(policy); minutes > kPodsReadyMinutes) {
    const std::string longest = fmt::format("{}m", minutes);
    config.wait_for_pods_ready = KueueConfig::WaitForPodsReady{longest, longest, false};
  }
}

}  // namespace

// Of the directory that an overlay stands in: 255 bytes are the most that file systems take.
constexpr std::size_t kLongestMode = 200;

PlanContext::PlanContext(const Policy& from) : policy(from), borrows(from.tenants.size()), lends(from.tenants.size()) {
  for (auto& set : window_modes(policy.windows).value_or(std::vector<WindowSet>{{}})) {
    std::string name;
    std::string numbers = "windows.";  // a dot, which no window's name has
    for (const auto w : set) {
      add_to_list(name, policy.windows[w].name, "-and-");
      numbers += fmt::format("{}{}", w == set.front() ? "" : "-", w + 1);
    }
    if (name.size() > kLongestMode) name = numbers;
    modes.push_back({name.empty() ? "default" : name, std::move(set)});
  }
  for (const auto& allow : policy.allows) {
    borrows[allow.borrower].push_back(&allow);
    lends[allow.lender].push_back(&allow);
  }
}

Resources flow(const Allows& allows, std::uint32_t pool, const PlannedMode& mode) {
  Resources sum;
  for (const auto* allow : allows) {
    const bool in_force = allow->window == kNone || contains(mode.windows, allow->window);
    if (!in_force || allow->pool != pool) continue;
    sum += allow->amount;
  }
  return sum;
}

Resources widest_flow(const Allows& allows, std::uint32_t pool, const std::vector<PlannedMode>& modes) {
  Resources widest;
  for (const auto& mode : modes) widest.raise_to(flow(allows, pool, mode));
  return widest;
}

std::int64_t priority_value(Isolation isolation) {
  return isolation == Isolation::A ? 1'000'000 : isolation == Isolation::B ? 100'000 : -1;
}

std::string isolation_letter(Isolation isolation) {
  return isolation == Isolation::A ? "A" : isolation == Isolation::B ? "B" : "C";
}

std::vector<std::uint32_t> covered_on(const Policy& policy, const std::vector<std::uint32_t>& pools) {
  std::vector<std::uint32_t> covered;
  for (std::uint32_t id = 0; id < policy.resources.size(); ++id) {
    const ResourceRow& row = policy.resources[id];
    const bool somewhere = std::ranges::any_of(pools, [&](std::uint32_t pool) {
      const Partition& partition = policy.pools[pool].partition;
      if (!row.device || partition.layout.empty()) return row.profile.empty();
      return std::ranges::any_of(partition.layout, [&](const Slices& slices) { return slices.profile == row.profile; });
    });
    if (somewhere) covered.push_back(id);
  }
  return covered;
}

std::vector<std::int64_t> by_id(const Policy& policy, const Resources& amounts) {
  std::vector<std::int64_t> all(policy.resources.size());
  for (const auto& [resource, amount] : amounts) all[static_cast<std::size_t>(resource)] = amount;
  return all;
}

void plan_pools(const Policy& policy, Planned& out) {
  out.origins.cluster = policy.cluster_span;
  // An id of the policy is an index of the cluster.
  for (const ResourceRow& resource : policy.resources) out.cluster.resources.push_back(resource.name);
  out.cluster.flavors = plan_flavors(policy);
  out.cluster.node_pools = plan_node_pools(policy);
}

void plan_namespaces(const Policy& policy, Planned& out) {
  for (const auto& tenant : policy.tenants)
    for (const auto& ns : tenant.namespaces) {
      const auto isolation = policy.classes[tenant.latency_class].isolation;
      out.cluster.namespaces.push_back(
          {ns, {{"gpol.dev/tenant", tenant.name}, {"gpol.dev/role", isolation == Isolation::C ? "batch" : "serving"}}});
    }
}

Planned plan_kueue(const Policy& policy, const PlanInputs& inputs) {
  Planned out;
  plan_pools(policy, out);
  const PlanContext context(policy);
  std::set<std::uint32_t> in_root;
  for (std::uint32_t t = 0; t < policy.tenants.size(); ++t) {
    if (policy.tenants[t].outside) continue;
    if (policy.classes[policy.tenants[t].latency_class].isolation != Isolation::C) {
      const auto& reserves = policy.tenants[t].reserves;
      for (const auto& reserve : reserves) plan_serving_queue(context, t, reserve, reserves.size() > 1, out);
    } else {
      plan_batch_queue(context, t, out);
    }
    if (!out.cluster.queues.empty() && out.cluster.queues.back().cohort == policy.cluster &&
        policy.tenants[t].queue.cohort == kNone)
      in_root.insert(t);
  }
  plan_cohorts(policy, in_root, out);
  finish_modes(context, out);
  plan_names(policy, out);
  plan_gateway(policy, out);
  plan_guards(context, out);
  plan_access(policy, out);
  plan_intent(context, out);
  plan_partition(policy, inputs, out);
  return out;
}

}  // namespace gpol
