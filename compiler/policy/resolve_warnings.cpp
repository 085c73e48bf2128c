// Statements of a policy that fit together badly, though each of them is sound: warnings. Nothing is proven of either.
#include <fmt/format.h>

#include <variant>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

Diagnostic& warn(Resolver& r, Code code, Span span, std::string message, std::string hint) {
  Diagnostic& found = error(r, code, span, std::move(message), std::move(hint));
  found.severity = Severity::Warning;
  return found;
}

// Where a service says how many replicas there are.
Span replicas_of(const ast::Service& service) {
  for (const auto& item : service.items)
    if (std::holds_alternative<ast::ServiceReplicas>(item.node)) return item.span;
  return {};
}

// A service's replicas and its tenant's reserve are stated apart.
void compare_services(Resolver& r) {
  for (std::size_t i = 0; i < r.policy.services.size(); ++i) {
    const Service& service = r.policy.services[i];
    if (service.tenant == kNone) continue;
    const Tenant& tenant = r.policy.tenants[service.tenant];
    if (tenant.reserves.empty() || !r.tenant_facts[service.tenant].owned_sound) continue;
    Resources reserved;
    for (const PoolAmount& reserve : tenant.reserves)
      for (const auto& [resource, amount] : reserve.amount) reserved[resource] = sum_of({reserved[resource], amount});
    for (const auto& [resource, each] : service.each) {
      const std::int64_t most = times(service.replicas_max, each), there = reserved[resource];
      if (!row_of(r, resource).device || there == 0 || most <= there) continue;
      warn(r, code::TooManyReplicas, replicas_of(*r.declared.services[i]),
           fmt::format("service `{}` runs up to {} replicas of {}, {} in all, and `{}` reserves {}", service.name,
                       service.replicas_max, in_words(r, resource, each), in_words(r, resource, most), tenant.name,
                       in_words(r, resource, there)),
           "reserve more, or run fewer: what asks beyond the reserve is promised nothing")
          .labels.push_back({tenant.reserves.front().span, "the reserve"});
    }
  }
}

// Spot nodes give their pods no more time than their notice, whatever grace they have.
void compare_notices(Resolver& r) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> said;  // class and group
  for (const Tenant& tenant : r.policy.tenants) {
    if (tenant.latency_class == kNone) continue;
    const LatencyClass& batch = r.policy.classes[tenant.latency_class];
    const auto& needs = batch.saved_in ? batch.saved_in : batch.grace;
    if (batch.isolation != Isolation::C || !needs) continue;
    for (const PoolAmount& quota : tenant.quotas) {
      const std::uint32_t index = r.policy.pools[quota.pool].group;
      const std::pair key{tenant.latency_class, index};
      if (index == kNone || contains(said, key)) continue;
      const NodeGroup& group = r.policy.groups[index];
      if (!group.spot_notice || *group.spot_notice >= needs->value) continue;
      said.push_back(key);
      warn(r, code::CheckpointTooSlow, needs->span,
           fmt::format("pods of class `{}` are given {} {}, and the nodes of `{}` are taken away after {}", batch.name,
                       human_duration(needs->value), batch.saved_in ? "to save" : "of grace", group.name,
                       human_duration(*group.spot_notice)),
           "expect that what runs there loses work, or give its tenants a class of their own")
          .labels.push_back({r.group_facts[index].spot, "the notice"});
    }
  }
}

// podMaxBackoffSeconds of kube-scheduler (pkg/scheduler/apis/config/v1/defaults.go): after a round in which its victims
// still ended, a pod may wait so long for the next one.
void compare_back_off(Resolver& r) {
  constexpr Millis kBackOff = 10'000;
  for (const Tenant& tenant : r.policy.tenants) {
    if (const auto& schedule = tenant.start.schedule; tenant.preempts && schedule && schedule->value < kBackOff)
      warn(r, code::ShortBackOff, schedule->span,
           fmt::format("kube-scheduler may wait 10s before it looks for a node again, and `schedule` is {}",
                       human_duration(schedule->value)),
           "write `10s` or more, unless its `podMaxBackoffSeconds` is lower");
  }
}

}  // namespace

void warn_of_what_fits_badly(Resolver& r) {
  compare_services(r);
  compare_notices(r);
  compare_back_off(r);
}

}  // namespace gpol
