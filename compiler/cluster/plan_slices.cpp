// What of a policy is planned: all that is not counted in slices.
#include "compiler/cluster/plan_parts.h"

namespace gpol {

std::optional<Plannable> without_slices(const Policy& policy) {
  if (policy.resources.size() == kCommonResources) return std::nullopt;
  const auto cut = [&](std::uint32_t pool) { return policy.pools[pool].partition.mode == Partition::Mode::Mig; };
  // Whether something was left out.
  const auto leave_out = [&](std::vector<PoolAmount>& amounts) {
    return std::erase_if(amounts, [&](const PoolAmount& amount) { return cut(amount.pool); }) > 0;
  };
  Plannable out{policy, std::vector<bool>(policy.tenants.size())};
  Policy& left = out.policy;
  left.resources = common_resources();
  left.services.clear();  // they count slices, and nothing is planned of them
  for (Cohort& cohort : left.cohorts)
    std::erase_if(cohort.entries, [&](const Cohort::Entry& entry) { return cut(entry.pool); });
  std::vector<bool> had(left.tenants.size()), borrows(left.tenants.size());
  for (const Allow& allow : left.allows) (cut(allow.pool) ? had : borrows)[allow.borrower] = true;
  std::erase_if(left.allows, [&](const Allow& allow) { return cut(allow.pool); });
  for (std::size_t t = 0; t < left.tenants.size(); ++t) {
    Tenant& tenant = left.tenants[t];
    had[t] = leave_out(tenant.reserves) || had[t];
    had[t] = leave_out(tenant.quotas) || had[t];
    leave_out(tenant.shapes);
    for (auto* limit : {&tenant.queue.lend, &tenant.queue.borrow})
      if (*limit && leave_out((*limit)->at_most) && (*limit)->at_most.empty()) {
        had[t] = true;
        limit->reset();
      }
    out.only_slices[t] =
        had[t] && tenant.reserves.empty() && tenant.quotas.empty() && !borrows[t] && !tenant.queue.borrow;
  }
  return out;
}

}  // namespace gpol
