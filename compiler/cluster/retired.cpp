#include "compiler/cluster/retired.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/cluster/codes.h"
#include "compiler/cluster/normal_form.h"
#include "compiler/cluster/retired_parts.h"
#include "compiler/source/edit_distance.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

using namespace retired;

namespace {

std::string label(const std::map<std::string, std::string>& labels, const char* key) {
  return value_or(labels, key, "");
}

// The tenants of the earlier build that `meant` says.
template <class Meant>
Leavers tenants_of(const Cluster& old, const Meant& meant) {
  Leavers all;
  const auto one_of = [&](const auto& object) -> Leaver* {
    const std::string tenant = label(object.labels, "gpol.dev/tenant");
    if (tenant.empty() || !meant(tenant)) return nullptr;
    all[tenant].name = tenant;
    return &all[tenant];
  };
  for (const Namespace& ns : old.namespaces)
    if (Leaver* leaver = one_of(ns)) leaver->namespaces.push_back(ns.name);
  for (const Queue& queue : old.queues)
    if (Leaver* leaver = one_of(queue)) {
      leaver->queues.push_back(&queue);
      leaver->serves = label(queue.labels, "gpol.dev/role") == "serving";
    }
  for (auto& [name, leaver] : all) std::ranges::sort(leaver.namespaces);
  return all;
}

// Takes those that are retired out of the leavers.
void retire(const Policy& policy, const std::vector<std::string>& names, Leavers& leavers, std::set<std::string>& back,
            std::vector<Diagnostic>& found) {
  std::vector<std::string> known;
  for (const auto& [name, leaver] : leavers) known.push_back(name);
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  for (const std::string& name : std::set<std::string>(names.begin(), names.end())) {
    if (leavers.erase(name) > 0 || back.erase(name) > 0) continue;
    const bool stays = has(policy.tenants, name);
    std::string hint = stays ? "take the tenant out of the policy first" : "";
    if (const auto near = stays ? std::nullopt : nearest(name, candidates))
      hint = fmt::format("did you mean `{}`?", *near);
    if (hint.empty() && known.empty()) hint = "leave out `--retired`: no tenant has left the policy since";
    if (hint.empty()) hint = fmt::format("tenants that left the policy since: {}", fmt::join(known, ", "));
    found.push_back(error_at(code::NotRetired, {},
                             stays ? fmt::format("tenant `{}` is to be retired, and the policy still has it", name)
                                   : fmt::format("the earlier build has no tenant `{}` that left the policy", name),
                             std::move(hint)));
  }
}

// Takes the resources that the cluster has no longer out of a queue of the earlier build, which could have nothing of
// them; false: it could (of what it has quota tenant_again has said so).
bool leave_out_absent(const Cluster& cluster, const Cluster& old, Queue& queue) {
  for (ResourceGroup& group : queue.groups)
    for (std::size_t i = group.covered.size(); i-- > 0;) {
      if (contains(cluster.resources, old.resources[group.covered[i]])) continue;
      for (FlavorQuotas& row : group.flavors) {
        if (can_have(queue, row.quotas[i])) return false;
        row.quotas.erase(row.quotas.begin() + static_cast<std::ptrdiff_t>(i));
      }
      group.covered.erase(group.covered.begin() + static_cast<std::ptrdiff_t>(i));
    }
  return true;
}

// A queue of the earlier build in terms of another cluster: names become other indices. Its flavors and resources are
// there (tenant_again, leave_out_absent).
Queue in_terms_of(const Cluster& cluster, const Cluster& old, Queue queue) {
  const auto index = [](const auto& list, auto is) {
    return static_cast<std::uint32_t>(std::ranges::find_if(list, is) - list.begin());
  };
  for (ResourceGroup& group : queue.groups) {
    for (std::uint32_t& resource : group.covered)
      resource = index(cluster.resources, [&](const std::string& name) { return name == old.resources[resource]; });
    for (FlavorQuotas& row : group.flavors)
      row.flavor =
          index(cluster.flavors, [&](const Flavor& flavor) { return flavor.name == old.flavors[row.flavor].name; });
  }
  return queue;
}

// What somebody who left is: it is promised nothing, and holds what its own figures let it hold.
QueueRole bounded(const QueueRole& of) {
  QueueRole role;
  role.kind = QueueRole::Kind::Bounded;
  role.tenant = of.tenant;
  role.policy_tenant = of.policy_tenant;
  return role;
}

void keep_queue(const Leaver& leaver, const Queue& queue, const Cluster& old, Planned& out,
                std::vector<Diagnostic>& found) {
  const auto& queues = out.cluster.queues;
  const auto named = std::ranges::count_if(queues, [&](const Queue& q) { return q.name == queue.name; });
  if (named != 1) {  // two: a tenant of the policy has one of that name
    found.push_back(cannot_keep(
        fmt::format("ClusterQueue `{}` of tenant `{}`, which left the policy, is {}", queue.name, leaver.name,
                    named == 0 ? "not what gpol makes of a tenant" : "also what gpol makes of another tenant"),
        named == 0 ? "" : fmt::format("give that tenant another name until `{}` is retired", leaver.name)));
    return;
  }
  const auto at = find_named(out.cluster.queues, queue.name);
  Queue left = queue;
  if (!leave_out_absent(out.cluster, old, left)) {
    found.push_back(
        cannot_keep(fmt::format("`{}` of tenant `{}`, which left the policy, may hold what the policy knows no longer",
                                queue.name, leaver.name),
                    fmt::format("keep the pools as they are cut until `{}` is retired", leaver.name)));
    return;
  }
  *at = in_terms_of(out.cluster, old, std::move(left));
  QueueRole& role = out.intent.roles[static_cast<std::size_t>(at - out.cluster.queues.begin())];
  if (leaver.serves) role = bounded(role);

  for (Mode& mode : out.cluster.modes)
    std::erase_if(mode.changed, [&](const auto& row) { return row.first.queue == queue.name; });
  for (const Mode& mode : old.modes)
    for (const auto& [key, quota] : mode.changed) {
      if (key.queue != queue.name) continue;
      if (const auto same = find_named(out.cluster.modes, mode.name); same != out.cluster.modes.end()) {
        same->changed[key] = quota;
        continue;
      }
      found.push_back(
          cannot_keep(fmt::format("`{}` may borrow during `{}`, which the policy no longer has", queue.name, mode.name),
                      fmt::format("keep the windows of `{}` until `{}` is retired", mode.name, leaver.name)));
      break;
    }
  for (const LocalQueue& local : old.local_queues) {
    if (local.cluster_queue != queue.name) continue;
    const auto same = std::ranges::find_if(
        out.cluster.local_queues, [&](const LocalQueue& l) { return l.ns == local.ns && l.name == local.name; });
    if (same == out.cluster.local_queues.end()) out.cluster.local_queues.push_back(local);
  }
  for (LocalQueue& local : out.cluster.local_queues)
    if (local.cluster_queue == queue.name) local.stop = StopPolicy::Hold;
}

// Of the plan's own `allow`s none is the policy's.
void forget_loans(Planned& out) {
  const auto kept = kept_queues(out.cluster);
  std::erase_if(out.intent.allows,
                [&](const PlannedAllow& allow) { return kept.contains(out.cluster.queues[allow.borrower].name); });
  for (QueueRole& role : out.intent.roles) std::erase_if(role.allow_spans, [](Span span) { return !span.known(); });
}

// A tenant that stays keeps its namespaces, and its guards are about it.
void require_queues_of_stayers(const Policy& policy, const Cluster& old, const Planned& planned,
                               std::vector<Diagnostic>& found) {
  for (const Queue& queue : old.queues) {
    const std::string tenant = label(queue.labels, "gpol.dev/tenant");
    if (!has(policy.tenants, tenant) || has(planned.cluster.queues, queue.name)) continue;
    found.push_back(cannot_keep(fmt::format("tenant `{}` stays and its ClusterQueue `{}` goes", tenant, queue.name),
                                "end what runs in that queue, and build without `--from`"));
  }
}

// What queues own, lend and borrow.
std::string quotas_of(const Cluster& cluster) {
  Cluster only;
  only.resources = cluster.resources;
  only.flavors = cluster.flavors;
  only.cohorts = cluster.cohorts;
  only.queues = cluster.queues;
  only.modes = cluster.modes;
  return normal_form(only);
}

// A tenant that comes back may still run what was kept for it: then all quotas are as they were, and the guards on its
// pods.
void require_same_for(const std::set<std::string>& back, const Cluster& old, const Planned& planned,
                      std::vector<Diagnostic>& found) {
  if (back.empty()) return;
  Leavers batch = tenants_of(old, [&](const std::string& tenant) { return back.contains(tenant); });
  std::erase_if(batch, [](const auto& one) { return one.second.serves; });
  require_same(batch, old, planned, found);
  if (quotas_of(old) == quotas_of(planned.cluster)) return;
  for (const std::string& tenant : back)
    found.push_back(cannot_keep(
        fmt::format(
            "tenant `{}` comes back, the quotas of the cluster are others than in the earlier build, and what it "
            "held then may still run",
            tenant),
        fmt::format("once its work has ended, build with `--retired {}`", tenant)));
}

// Outside the queue nobody holds back new pods, and no queue says how much they have.
void require_queues(const Leavers& leavers, std::vector<Diagnostic>& found) {
  for (const auto& [name, leaver] : leavers)
    if (leaver.queues.empty())
      found.push_back(cannot_keep(fmt::format("tenant `{}` left the policy and ran outside the queue", name),
                                  fmt::format("end its pods, then build with `--retired {}`", name)));
}

}  // namespace

std::map<std::string, std::string> kept_queues(const Cluster& planned) {
  std::map<std::string, std::string> kept;
  for (const LocalQueue& local : planned.local_queues) {
    if (local.stop != StopPolicy::Hold) continue;
    const auto queue = find_named(planned.queues, local.cluster_queue);
    if (queue != planned.queues.end()) kept[queue->name] = label(queue->labels, "gpol.dev/tenant");
  }
  return kept;
}

Outcome<std::optional<Planned>> plan_beside(const Policy& policy, const Earlier& earlier,
                                            const MigConfigMap* mig_configs) {
  Outcome<std::optional<Planned>> out;
  std::vector<Diagnostic>& found = out.diagnostics;
  const Cluster& old = earlier.cluster;
  if (!earlier.of.empty() && earlier.of != policy.cluster) {
    found.push_back(cannot_keep(
        fmt::format("the earlier build is of cluster `{}`, and the policy of `{}`", earlier.of, policy.cluster),
        "give `--from` an earlier build of the same cluster"));
    return out;
  }
  if (old.volcano || !policy.volcano_version.empty()) {
    found.push_back(cannot_keep("what an earlier build for Volcano had, or a change of schedulers, cannot be kept yet",
                                "build without `--from`, once no work of a tenant that left runs"));
    return out;
  }
  Leavers leavers = tenants_of(old, [&](const std::string& tenant) { return !has(policy.tenants, tenant); });
  std::set<std::string> back;
  for (const auto& [queue, tenant] : kept_queues(old))
    if (has(policy.tenants, tenant)) back.insert(tenant);
  retire(policy, earlier.retired, leavers, back, found);
  require_queues(leavers, found);
  if (!found.empty()) return out;

  Policy with = policy;
  for (const auto& [name, leaver] : leavers)
    if (auto tenant = tenant_again(leaver, old, with, found)) with.tenants.push_back(std::move(*tenant));
  if (!found.empty()) return out;
  const PlanInputs inputs{&old, mig_configs};
  Planned planned = plan(with, inputs);
  require_queues_of_stayers(policy, old, planned, found);
  if (const auto loans = loans_again(leavers, policy, old, planned); !loans.empty()) {
    with.allows.insert(with.allows.end(), loans.begin(), loans.end());
    planned = plan(with, inputs);
  }
  for (const auto& [name, leaver] : leavers)
    for (const Queue* queue : leaver.queues) keep_queue(leaver, *queue, old, planned, found);
  forget_loans(planned);
  require_same(leavers, old, planned, found);
  require_same_for(back, old, planned, found);
  if (found.empty()) out.value = std::move(planned);
  return out;
}

}  // namespace gpol
