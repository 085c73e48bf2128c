// Gateway, of what is there: who reaches the pods of a Service past the limits of its routes. NetworkPolicies only ever
// add up, so one that lets everybody in opens what the others close (k8s.io/api networking/v1). Without any policy
// everybody gets in, too: that nobody meant to close them is no finding.
#include <fmt/format.h>

#include <algorithm>

#include "checker/families/codes.h"
#include "checker/families/given_edge.h"
#include "compiler/source/lookup.h"

namespace gpol {

void judge_edge_callers(const EdgeView& view, Report& report) {
  for (const edge::Ref& service : view.services()) {
    const auto doors = view.doors_of(service);
    const auto streams = view.streams_of(service);
    const auto* its = find_where(view.facts.services, [&](const edge::Service& one) {
      return one.name == service.name && one.ns == service.ns;
    });
    const auto limited = std::ranges::find_if(doors, [](const EdgeDoor& door) {
      return door.saying("circuitBreaker.maxParallelRequests") != nullptr ||
             (door.own != nullptr && door.own->blocks.contains("rateLimit"));
    });
    if (limited == doors.end() || !streams || its == nullptr) continue;
    for (const edge::NetworkPolicy& policy : view.facts.network_policies)
      for (const edge::Server* server : streams->servers)
        for (const edge::NetworkPolicy::Open& open : policy.open)
          if (policy.ns == server->ns && selects(policy.pods, server->labels) &&
              (open.ports.empty() ||
               std::ranges::any_of(open.ports, [&](const std::string& port) { return contains(its->ports, port); })))
            report.diagnostics.push_back(warning_at(
                code::GatewayCallers, open.at,
                fmt::format(
                    "NetworkPolicy `{}` lets every pod of the cluster reach Deployment `{}`: no limit of HTTPRoute "
                    "`{}` counts what comes so",
                    policy.full(), server->full(), limited->route->full()),
                "name in `from` who may: the gateway's proxies, and what reads metrics"));
  }
}

}  // namespace gpol
