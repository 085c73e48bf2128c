// What a policy may not say where its scheduler is Volcano: words that are Kueue's, what Volcano gives no proof of yet,
// and names that its queues cannot have.
#include <fmt/format.h>

#include <map>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"

namespace gpol {

namespace {

void check_words(Resolver& r) {
  for (const Cohort& cohort : r.policy.cohorts)
    error(r, code::BadValue, cohort.span,
          fmt::format("`cohort {}`: a cohort is Kueue's, and Volcano has none", cohort.name),
          "take it out: gpol writes the tree of Volcano's queues by itself");
  for (const Tenant& tenant : r.policy.tenants) {
    if (tenant.queue.span.known())
      error(r, code::BadValue, tenant.queue.span,
            fmt::format("`queue` of tenant `{}` is in Kueue's words, which Volcano has not", tenant.name),
            "take it out: gpol writes Volcano's queues by itself");
    if (tenant.outside)
      error(r, code::BadValue, *tenant.outside,
            fmt::format("tenant `{}` serves outside the queue, which gpol proves beside Kueue alone", tenant.name),
            "let its pods name its queue: take this clause out");
  }
  for (const Allow& allow : r.policy.allows)
    error(r, code::BadValue, allow.span, "what Volcano lends, gpol cannot prove to come back yet",
          "take this `allow` out, or write `scheduler kueue`");
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
  for (const Tenant& tenant : r.policy.tenants) {
    const auto& amounts = tenant.reserves.empty() ? tenant.quotas : tenant.reserves;
    if (amounts.empty())
      error(r, code::MissingClause, tenant.span,
            fmt::format("tenant `{}` has nothing of any pool, and Volcano lets it borrow nothing", tenant.name),
            "add `quota N gpus of POOL`");
    for (const PoolAmount& amount : amounts) {
      const std::string name = amounts.size() > 1 ? tenant.name + "-" + r.policy.pools[amount.pool].name : tenant.name;
      const auto [at, fresh] = known.emplace(name, fmt::format("that of tenant `{}`", tenant.name));
      if (!fresh)
        error(r, code::BadValue, tenant.span,
              fmt::format("a queue of tenant `{}` would be called `{}`, and that queue is {}", tenant.name, name,
                          at->second),
              "give the tenant another name");
    }
  }
}

}  // namespace

void check_volcano(Resolver& r) {
  if (r.policy.volcano_version.empty() || r.is_module()) return;
  check_words(r);
  check_names(r);
}

}  // namespace gpol
