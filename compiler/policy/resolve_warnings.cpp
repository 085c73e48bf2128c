// Statements of a policy that fit together badly, though each of them is sound: warnings. Nothing is proven of either.
#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"

namespace gpol {

namespace {

Diagnostic& warn(Resolver& r, Code code, Span span, std::string message, std::string hint) {
  Diagnostic& found = error(r, code, span, std::move(message), std::move(hint));
  found.severity = Severity::Warning;
  return found;
}

// GPUs of one replica, and where the service says how many there are.
struct Runs {
  std::int64_t gpus = 0;
  Span replicas;
};

Runs runs_of(const ast::Service& service) {
  Runs runs;
  std::vector<Diagnostic> said;  // already, where the service was read
  for (const auto& item : service.items) {
    if (std::holds_alternative<ast::ServiceReplicas>(item.node)) runs.replicas = item.span;
    if (const auto* each = std::get_if<ast::ServiceEach>(&item.node))
      for (const auto& part : each->amounts)
        if (is_unit(part.unit, Dimension::Gpus))
          runs.gpus = measure(part, Dimension::Gpus, "gpus", "1 gpu", said).value_or(0);
  }
  return runs;
}

// A service's replicas and its tenant's reserve are stated apart.
void compare_services(Resolver& r) {
  for (std::size_t i = 0; i < r.policy.services.size(); ++i) {
    const Service& service = r.policy.services[i];
    const Runs runs = runs_of(*r.declared.services[i]);
    if (service.tenant == kNone || runs.gpus == 0) continue;
    const Tenant& tenant = r.policy.tenants[service.tenant];
    if (tenant.reserves.empty() || !r.tenant_facts[service.tenant].owned_sound) continue;
    std::int64_t reserved = 0;
    for (const PoolAmount& reserve : tenant.reserves) reserved = sum_of({reserved, reserve.amount[Resource::Gpu]});
    const std::int64_t most = times(service.replicas_max, runs.gpus);
    if (most <= reserved) continue;
    warn(r, code::TooManyReplicas, runs.replicas,
         fmt::format("service `{}` runs up to {} replicas of {}, {} in all, and `{}` reserves {}", service.name,
                     service.replicas_max, human_amount(Resource::Gpu, runs.gpus), human_amount(Resource::Gpu, most),
                     tenant.name, human_amount(Resource::Gpu, reserved)),
         "reserve more, or run fewer: what asks beyond the reserve is promised nothing")
        .labels.push_back({tenant.reserves.front().span, "the reserve"});
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
      if (index == kNone || std::find(said.begin(), said.end(), key) != said.end()) continue;
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
    const auto& schedule = tenant.start.schedule;
    if (tenant.preempts && schedule && schedule->value < kBackOff)
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
