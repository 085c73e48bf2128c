#include "checker/story/within_quotas.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "compiler/cluster/listed.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

using Kind = QueueRole::Kind;

bool names(const ResourceGroup& group, std::uint32_t flavor) {
  return contains(group.flavors, flavor, &FlavorQuotas::flavor);
}

}  // namespace

void keep_to_quotas(Script& script, const Cluster& cluster, const Intent& intent, std::uint32_t owner) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::int64_t> asked;  // queue, flavor, resource
  std::erase_if(script.steps, [&](const Step& step) {
    const auto* submit = std::get_if<Submit>(&step);
    if (submit == nullptr) return false;
    const kueue::WorkloadSpec& workload = submit->workload;
    const Kind kind = intent.roles[workload.queue].kind;
    if (workload.queue == owner || kind == Kind::Batch || (kind == Kind::Serving && submit->ask)) return false;
    if (intent.roles[workload.queue].unit_demand == 0) return true;
    std::map<std::uint32_t, std::int64_t> amounts;
    for (const auto& request : workload.requests) amounts[request.resource] = request.amount;
    bool beyond = false;
    for (const bool take : {false, true})
      for (const ListedQuota& one : listed_quotas(cluster.queues[workload.queue].groups)) {
        if (beyond) break;
        const std::int64_t own = amounts[one.resource];
        const std::int64_t amount = cluster.resources[one.resource] == "pods" ? std::max(workload.count, own) : own;
        const bool here = !workload.flavor || one.flavor == *workload.flavor || !names(one.group, *workload.flavor);
        if (amount == 0 || !here) continue;
        std::int64_t& all = asked[{workload.queue, one.flavor, one.resource}];
        if (take)
          all += amount;
        else
          beyond = amount > one.quota.nominal - all;
      }
    return beyond;
  });
}

}  // namespace gpol
