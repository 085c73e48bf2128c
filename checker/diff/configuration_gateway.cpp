// What gateways let in, in streams and requests, and what the services behind them do.
#include <fmt/format.h>

#include <set>

#include "checker/diff/configuration.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

std::string stated(const std::optional<std::int64_t>& value, std::string_view what) {
  return value ? fmt::format("{} {}", *value, what) : std::string();
}

std::string in_words(const std::optional<PlannedLimit::Amount>& amount, std::string_view what) {
  if (!amount) return {};
  const std::string per = amount->window_ms == 0 ? "" : " per " + written_duration(amount->window_ms);
  return fmt::format("{} {}{}{}", amount->most, what, per, amount->per_proxy ? "" : " (not said how counted)");
}

Facts facts_of(const PlannedEdge& edge) {
  Facts facts;
  if (!edge.service.empty()) {
    std::string does;
    for (const std::string& one :
         {stated(edge.replicas, "replicas"), stated(edge.streams, "streams each"),
          edge.requests ? fmt::format("{} req/s each", static_cast<double>(*edge.requests) / 1000) : std::string()})
      if (!one.empty()) add_to_list(does, one);
    facts["service"] = fmt::format("`{}`: {}", edge.service, does.empty() ? "nothing stated" : does);
  }
  for (const PlannedLimit& limit : edge.limits) {
    std::string lets_in;
    for (const std::string& one : {in_words(limit.streams, "streams"), in_words(limit.requests, "requests")})
      if (!one.empty()) add_to_list(lets_in, one);
    facts["gateway " + limit.gateway] =
        fmt::format("`{}`: {} at each of {} proxies, route {}", limit.gateway, lets_in.empty() ? "no bound" : lets_in,
                    limit.proxies ? std::to_string(*limit.proxies) : "?", limit.route.empty() ? "?" : limit.route);
  }
  return facts;
}

}  // namespace

void compare_gateways(const Planned& before, const Planned& after, std::vector<ConfigurationRow>& out) {
  std::set<std::string> tenants;
  for (const Planned* side : {&before, &after})
    for (const PlannedEdge& edge : side->intent.edges) tenants.insert(edge.tenant);
  for (const std::string& tenant : tenants) {
    const auto *was = find_by(before.intent.edges, tenant, &PlannedEdge::tenant),
               *is = find_by(after.intent.edges, tenant, &PlannedEdge::tenant);
    const auto [old, now] =
        differing(was == nullptr ? Facts{} : facts_of(*was), is == nullptr ? Facts{} : facts_of(*is));
    if (old != now)
      out.push_back({"gateway", tenant, old, now, was == nullptr ? "new" : is == nullptr ? "gone" : "changed"});
  }
}

}  // namespace gpol
