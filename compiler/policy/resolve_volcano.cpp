// What a policy may not say where its scheduler is Volcano: words that are Kueue's, what Volcano gives no proof of, and
// names that its queues cannot have.
#include <fmt/format.h>

#include <map>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

void check_words(Resolver& r) {
  for (const Cohort& cohort : r.policy.cohorts)
    error(r, code::BadValue, cohort.span,
          fmt::format("`cohort {}`: a cohort is Kueue's, and Volcano has none", cohort.name),
          "take it out: gpol writes the tree of Volcano's queues by itself");
  for (const std::optional<TimeConstant>* time : {&r.policy.round, &r.policy.release})
    if (*time)
      error(r, code::BadValue, (*time)->span,
            "times of the scheduler count for class B, of which Volcano gives no proof", "take it out");
  for (const Tenant& tenant : r.policy.tenants) {
    if (tenant.queue.span.known())
      error(r, code::BadValue, tenant.queue.span,
            fmt::format("`queue` of tenant `{}` is in Kueue's words, which Volcano has not", tenant.name),
            "take it out: gpol writes Volcano's queues by itself");
    if (tenant.outside)
      error(r, code::BadValue, *tenant.outside,
            fmt::format("tenant `{}` serves outside the queue, which gpol proves beside Kueue alone", tenant.name),
            "let its pods name its queue: take this clause out");
    if (tenant.jobs_at_most)
      error(r, code::BadValue, tenant.jobs_span,
            "how many Jobs there are counts for the times of class B, of which Volcano gives no proof", "take it out");
    for (const PoolAmount& shape : tenant.shapes)
      error(r, code::BadValue, shape.span,
            "a `shape` counts where batch stands beside serving, of which Volcano gives no proof", "take it out");
    if (contains(tenant.namespaces, "volcano-system"))
      error(r, code::BadValue, tenant.span,
            fmt::format("tenant `{}` has the namespace `volcano-system`, in which Volcano itself runs", tenant.name),
            "give the tenant a namespace of its own");
  }
  for (const Allow& allow : r.policy.allows)
    error(r, code::BadValue, allow.span, "what Volcano lends, gpol cannot prove to come back yet",
          "take this `allow` out, or write `scheduler kueue`");
}

// A pod is charged to the queue of its PodGroup, which outlives a change of the template that it was made from
// (pkg/controllers/podgroup/pg_controller_handler.go): only a namespace with one queue keeps its pods in it.
void check_amounts(Resolver& r) {
  for (std::size_t t = 0; t < r.policy.tenants.size(); ++t) {
    const Tenant& tenant = r.policy.tenants[t];
    const auto& amounts = tenant.reserves.empty() ? tenant.quotas : tenant.reserves;
    // Of a tenant that serves it is said elsewhere.
    if (amounts.empty() && r.tenant_facts[t].owned_sound &&
        isolation_of_tenant(r, static_cast<std::uint32_t>(t)) == Isolation::C)
      error(r, code::MissingClause, tenant.span,
            fmt::format("tenant `{}` has nothing of any pool, and Volcano lets it borrow nothing", tenant.name),
            "add `quota N gpus of POOL`");
    if (amounts.size() > 1)
      error(r, code::BadValue, amounts[1].span,
            fmt::format(
                "tenant `{}` has several pools, and Volcano does not look which of its queues a pod is charged to",
                tenant.name),
            "make a tenant, with a namespace of its own, for each pool");
    for (const PoolAmount& amount : amounts)
      if (amount.amount[Resource::Cpu] == 0 || amount.amount[Resource::Memory] == 0)
        error(r, code::BadValue, amount.span, "a queue of Volcano with 0 cpu or memory has no limit of it",
              "state more than 0, or take the tenant out");
  }
}

// Queues are of the whole cluster: `root` and `default` are there already (pkg/scheduler/cache/cache.go).
void check_names(Resolver& r) {
  std::map<std::string, std::string> known = {{"root", "Volcano's own"},
                                              {"default", "Volcano's own"},
                                              {r.policy.cluster, "above all others, and has the cluster's name"},
                                              {r.policy.cluster + "-batch", "above those of batch"}};
  if (r.policy.cluster == "root" || r.policy.cluster == "default")
    error(r, code::BadValue, r.policy.cluster_span,
          fmt::format("the queue above all others has the cluster's name, and `{}` is Volcano's own", r.policy.cluster),
          "give the cluster another name");
  for (const Tenant& tenant : r.policy.tenants)
    if (const auto taken = known.find(tenant.name); taken != known.end())
      error(r, code::BadValue, tenant.span,
            fmt::format("the queue of tenant `{0}` would be called `{0}`, and that queue is {1}", tenant.name,
                        taken->second),
            "give the tenant another name");
}

}  // namespace

void check_volcano(Resolver& r) {
  if (r.policy.volcano_version.empty() || r.is_module()) return;
  check_words(r);
  check_amounts(r);
  check_names(r);
}

}  // namespace gpol
