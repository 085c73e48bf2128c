#include <fmt/format.h>

#include <algorithm>

#include "checker/families/codes.h"
#include "checker/families/given_edge.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

using edge::Facts;
using edge::Policy;
using edge::Ref;

namespace {

bool selects(const edge::Labels& selector, const edge::Labels& labels) {
  return std::ranges::all_of(selector, [&](const auto& pair) { return has_value(labels, pair.first, pair.second); });
}

// The cluster refuses it, or nobody knows what it bounds.
bool is_odd(const Policy& policy) { return policy.bounds_odd || !policy.wrong.empty(); }

// "*.example.com" is any name that ends so.
bool host_fits(const std::string& one, const std::string& other) {
  const auto covers = [](const std::string& wide, const std::string& name) {
    return wide.starts_with("*.") && name.ends_with(wide.substr(1));
  };
  return one == other || covers(one, other) || covers(other, one);
}

// Whom a selector of namespaces lets in is not known: it does not.
bool takes(const edge::Gateway& gateway, const edge::Listener& listener, const edge::Route& route, const Ref& parent) {
  if (!parent.section.empty() && parent.section != listener.name) return false;
  if (!parent.port.empty() && parent.port != listener.port) return false;
  if (listener.protocol != "HTTP" && listener.protocol != "HTTPS") return false;
  if (listener.from != "All" && (listener.from != "Same" || gateway.ns != route.ns)) return false;
  return listener.hostname.empty() || route.hostnames.empty() ||
         std::ranges::any_of(route.hostnames, [&](const auto& name) { return host_fits(listener.hostname, name); });
}

}  // namespace

bool PolicyInForce::limits() const {
  const auto limit = [](const Policy* policy) {
    return policy != nullptr && (policy->limits_rate || policy->parallel);
  };
  return known && (limit(own) || limit(parent));
}

std::vector<const Policy*> EdgeView::policies_on(std::string_view kind, const edge::Named& object,
                                                 const std::string& section) const {
  std::vector<const Policy*> found;
  for (const Policy& policy : facts_.policies)
    for (const Ref& target : policy.targets)
      if (target.kind == kind && target.name == object.name && target.ns == object.ns && target.section == section &&
          !contains(found, &policy))
        found.push_back(&policy);
  return found;
}

// Of a route one counts, that of the rule before that of the route, and the gateway's with it where it has `mergeType`
// (internal/gatewayapi/backendtrafficpolicy.go).
PolicyInForce EdgeView::in_force(const edge::Route& route, const edge::RouteRule& rule,
                                 const edge::Gateway* gateway) const {
  PolicyInForce found;
  if (contains(facts_.policies, true, &Policy::selects)) return found;
  auto own = rule.name.empty() ? std::vector<const Policy*>() : policies_on("HTTPRoute", route, rule.name);
  if (own.empty()) own = policies_on("HTTPRoute", route, "");
  if (own.size() > 1 || (own.size() == 1 && is_odd(*own.front()))) return found;
  found.known = true;
  if (!own.empty()) found.own = own.front();
  if (found.own != nullptr && !found.own->merges) return found.parent_known = true, found;
  if (gateway == nullptr) return found;
  for (const Policy& policy : facts_.policies)
    for (const Ref& target : policy.targets)
      if (target.kind == "ListenerSet" ||
          (target.kind == "Gateway" && target.name == gateway->name && !target.section.empty()))
        return found;
  const auto parents = policies_on("Gateway", *gateway, "");
  if (parents.size() > 1 || (parents.size() == 1 && is_odd(*parents.front()))) return found;
  found.parent_known = true;
  if (!parents.empty()) found.parent = parents.front();
  return found;
}

std::vector<const edge::Gateway*> EdgeView::gateways_of(const edge::Route& route) const {
  std::vector<const edge::Gateway*> found;
  for (const Ref& parent : route.parents)
    for (const edge::Gateway& gateway : facts_.gateways)
      if (parent.kind == "Gateway" && parent.name == gateway.name && parent.ns == gateway.ns &&
          !contains(found, &gateway) && std::ranges::any_of(gateway.listeners, [&](const auto& listener) {
            return takes(gateway, listener, route, parent);
          }))
        found.push_back(&gateway);
  return found;
}

// A Gateway that is not among what was read.
bool EdgeView::is_elsewhere(const Ref& parent) const {
  return parent.kind == "Gateway" && std::ranges::none_of(facts_.gateways, [&](const edge::Gateway& gateway) {
           return gateway.name == parent.name && may_be_namespace(gateway.ns, parent.ns);
         });
}

std::vector<EdgeDoor> EdgeView::doors_of(const Ref& service) const {
  std::vector<EdgeDoor> doors;
  const auto leads_here = [&](const Ref& backend) {
    return backend.kind == service.kind && backend.ns == service.ns && backend.name == service.name;
  };
  for (const edge::Route& route : facts_.routes)
    for (const edge::RouteRule& rule : route.rules) {
      if (!rule.whole || std::ranges::none_of(rule.backends, leads_here)) continue;
      auto gateways = gateways_of(route);
      if (gateways.empty() &&
          std::ranges::any_of(route.parents, [&](const Ref& parent) { return is_elsewhere(parent); }))
        gateways.push_back(nullptr);
      // What stands in another namespace may be refused (ReferenceGrant).
      const bool here = service.ns == route.ns && std::ranges::all_of(rule.backends, leads_here);
      for (const edge::Gateway* gateway : gateways)
        doors.push_back({&route, &rule, gateway, here, in_force(route, rule, gateway)});
    }
  return doors;
}

bool EdgeView::is_envoys(const edge::Gateway& gateway) const {
  const auto* its = find_by(facts_.classes, gateway.gateway_class, &edge::GatewayClass::name);
  if (its != nullptr) return its->of_envoy;
  return !gateway.parameters.empty() || !policies_on("Gateway", gateway, "").empty();
}

EdgeView::Proxies EdgeView::proxies_of(const edge::Gateway* gateway) const {
  if (gateway == nullptr) return {};
  const auto* its = find_by(facts_.classes, gateway->gateway_class, &edge::GatewayClass::name);
  const auto fleet = [&](const std::string& ns, const std::string& name) {
    return find_where(facts_.fleets, [&](const edge::ProxyFleet& one) { return one.ns == ns && one.name == name; });
  };
  const edge::ProxyFleet* of_class =
      its != nullptr && its->has_parameters ? fleet(its->parameters_ns, its->parameters) : nullptr;
  const edge::ProxyFleet* own = gateway->has_parameters ? fleet(gateway->ns, gateway->parameters) : nullptr;
  const edge::ProxyFleet* found = gateway->has_parameters ? own : of_class;
  Proxies proxies;
  proxies.odd = (own != nullptr && own->merges) || (of_class != nullptr && of_class->merges);
  proxies.fleet = found;
  if (found != nullptr)
    proxies.most = found->most;
  else if (its != nullptr && !its->has_parameters && !gateway->has_parameters)
    proxies.most = 1;
  return proxies;
}

std::optional<Streams> EdgeView::streams_of(const Ref& service) const {
  const auto* its = find_where(facts_.services, [&](const edge::Service& one) {
    return service.kind == "Service" && one.ns == service.ns && one.name == service.name;
  });
  if (its == nullptr || its->selector.empty()) return std::nullopt;
  for (const auto& [ns, labels] : facts_.other_pods)
    if (may_be_namespace(ns, its->ns) && selects(its->selector, labels)) return std::nullopt;
  Streams streams;
  for (const edge::Server& server : facts_.servers) {
    if (!may_be_namespace(server.ns, its->ns) || !selects(its->selector, server.labels)) continue;
    if (server.ns != its->ns || !server.streams || *server.streams > 1'000'000 || server.replicas.value_or(0) == 0)
      return std::nullopt;
    streams.sustained += Streams::of(server);
    streams.servers.push_back(&server);
  }
  if (streams.servers.empty()) return std::nullopt;
  return streams;
}

std::vector<Ref> services_of(const Facts& facts) {
  std::vector<Ref> all;
  for (const edge::Route& route : facts.routes)
    for (const edge::RouteRule& rule : route.rules)
      for (const Ref& backend : rule.backends)
        if (backend.kind == "Service" &&
            std::ranges::none_of(all, [&](const Ref& one) { return one.ns == backend.ns && one.name == backend.name; }))
          all.push_back(backend);
  return all;
}

std::string in_words(const Policy& policy) { return fmt::format("BackendTrafficPolicy `{}`", policy.full()); }

void EdgeFinding::write(const Policy& policy, const std::string& path, const std::string& value) {
  const std::string last = path.substr(path.rfind('.') + 1);
  add_to_list(fix.text, fmt::format("set `{}` of {} to `{}`", path, in_words(policy), value), "; ");
  fix.tried.push_back({in_words(policy), last, value, {}, false});
  fix.edits.push_back({policy.at, value, path});
}

void warn(Code code, Span at, std::string message, std::string hint, Report& report) {
  Diagnostic d{code, Severity::Warning, at, std::move(message), {}, std::move(hint)};
  report.diagnostics.push_back(std::move(d));
}

void tell(EdgeFinding found, Report& report) {
  Obligation o =
      obligation(Family::Gateway, found.code, Verdict::Refuted, {found.kind, report.keep(found.name)}, found.at);
  if (found.code == code::GatewayStreams) o.figures.unit = Unit::Streams;
  report.add(std::move(o), {.message = std::move(found.message),
                            .story = std::move(found.story),
                            .fix = std::move(found.fix),
                            .place = {.field = std::move(found.field)}});
}

void judge_edge(const Proof&, const Facts& facts, Report& report) {
  if (facts.torn || facts.empty()) return;
  EdgeView view(facts);
  judge_edge_targets(facts, view, report);
  judge_edge_streams(facts, view, report);
  judge_edge_policies(facts, view, report);
  judge_edge_waits(facts, view, report);
}

}  // namespace gpol
