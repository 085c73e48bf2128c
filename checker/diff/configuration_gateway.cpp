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

std::string in_words(const std::optional<PlannedLimit::Amount>& amount, std::string_view what, std::string_view where) {
  if (!amount) return {};
  const std::string per = amount->window_ms == 0 ? "" : " per " + written_duration(amount->window_ms);
  return fmt::format("{} {}{}{}", amount->most, what, per, where);
}

// "at each of 2 proxies", as far as it is said.
std::string where_counted(const std::optional<PlannedLimit::Amount>& amount) {
  return amount && !amount->per_proxy ? " (not said how counted)" : "";
}

std::string after(const std::optional<std::int64_t>& ms, std::string_view who) {
  return ms ? fmt::format("{} after {}", who, written_duration(*ms)) : "";
}

std::string all_of(std::initializer_list<std::string> parts, std::string_view otherwise) {
  std::string out;
  for (const std::string& part : parts)
    if (!part.empty()) add_to_list(out, part);
  return out.empty() ? std::string(otherwise) : out;
}

Facts facts_of(const PlannedEdge& edge) {
  Facts facts;
  if (!edge.service.empty())
    facts["service"] = fmt::format(
        "`{}`: {}", edge.service,
        all_of({stated(edge.replicas, "replicas"), stated(edge.streams, "streams each"),
                edge.requests ? fmt::format("{} req/s each", static_cast<double>(*edge.requests) / 1000) : "",
                edge.longest_ms ? "answers within " + written_duration(*edge.longest_ms) : ""},
               "nothing stated"));
  for (const auto& [name, streams] : edge.classes)
    facts["requests " + name] = fmt::format("{} requests: {} streams of each replica", name, streams);
  for (const PlannedEdge::Caller& caller : edge.callers)
    facts["from " + caller.service + caller.who] =
        fmt::format("{} reaches the pods of `{}` ({})", caller.who, caller.service, caller.pods);
  for (const PlannedLimit& limit : edge.limits) {
    const std::string lets_in = all_of({in_words(limit.streams, "streams", where_counted(limit.streams)),
                                        in_words(limit.requests, "requests", where_counted(limit.requests))},
                                       "no bound");
    facts["gateway " + limit.gateway + " " + limit.route] = all_of(
        {fmt::format("`{}`: {} at each of {} proxies, route {}", limit.gateway, lets_in,
                     limit.proxies ? std::to_string(*limit.proxies) : "?", limit.route.empty() ? "?" : limit.route),
         limit.leads, limit.longest_request ? fmt::format("requests of {} bytes", *limit.longest_request) : "",
         in_words(limit.shared, "requests", " at all of them"),
         in_words(limit.queue, "wait", where_counted(limit.queue)), after(limit.timeout_ms, "gives up"),
         after(limit.deadline_ms, "its client"), limit.retries > 0 ? fmt::format("{} retries", limit.retries) : "",
         limit.refusal.empty() ? "" : "refuses with " + limit.refusal,
         limit.classes.empty() ? "" : fmt::format("{} requests", fmt::join(limit.classes, ", "))},
        "");
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
