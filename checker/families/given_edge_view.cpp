#include <fmt/format.h>

#include <algorithm>

#include "checker/families/codes.h"
#include "checker/families/given_edge.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

using edge::Policy;
using edge::Ref;

namespace {

bool is(const edge::Named& one, const edge::Named& other) { return one.ns == other.ns && one.name == other.name; }

std::string key_of(const std::string& kind, const edge::Named& object, const std::string& section) {
  return kind + "/" + object.ns + "/" + object.name + "/" + section;
}

// The cluster refuses it, or what it bounds is not modelled.
bool is_odd(const Policy& policy) {
  return !policy.wrong.empty() || std::ranges::any_of(policy.fields, [&](const auto& field) {
    return field.first.starts_with("circuitBreaker.perEndpoint.") ||
           (field.first.starts_with("circuitBreaker.max") && !policy.number(field.first));
  });
}

// "*.example.com" is any name that ends so.
bool host_fits(const std::string& one, const std::string& other) {
  const auto covers = [](const std::string& wide, const std::string& name) {
    return wide.starts_with("*.") && name.ends_with(wide.substr(1));
  };
  return one == other || covers(one, other) || covers(other, one);
}

// Whom a selector of namespaces lets in is not known: nobody is.
bool takes(const edge::Gateway& gateway, const edge::Listener& listener, const edge::Route& route, const Ref& parent) {
  if ((!parent.section.empty() && parent.section != listener.name) ||
      (!parent.port.empty() && parent.port != listener.port) ||
      (listener.protocol != "HTTP" && listener.protocol != "HTTPS"))
    return false;
  const bool same = (listener.from.empty() || listener.from == "Same") && gateway.ns == route.ns;
  return (same || listener.from == "All") &&
         (listener.hostname.empty() || route.hostnames.empty() ||
          std::ranges::any_of(route.hostnames, [&](const auto& name) { return host_fits(listener.hostname, name); }));
}

}  // namespace

bool selects(const edge::Labels& selector, const edge::Labels& labels) {
  return std::ranges::all_of(selector, [&](const auto& pair) { return has_value(labels, pair.first, pair.second); });
}

EdgeView::EdgeView(const edge::Facts& all) : facts(all) {
  for (const Policy& policy : facts.policies)
    for (const Ref& target : policy.targets)
      if (auto& on = policies_[key_of(target.kind, target, target.section)]; !contains(on, &policy))
        on.push_back(&policy);
  for (const edge::Route& route : facts.routes)
    for (const edge::RouteRule& rule : route.rules)
      for (const Ref& backend : rule.backends)
        if (auto& ways = ways_[key_of(backend.kind, backend, "")]; ways.empty() || ways.back().second != &rule)
          ways.emplace_back(&route, &rule);
}

const std::vector<const Policy*>& EdgeView::policies_on(const std::string& kind, const edge::Named& object,
                                                        const std::string& section) const {
  static const std::vector<const Policy*> none;
  const auto found = policies_.find(key_of(kind, object, section));
  return found == policies_.end() ? none : found->second;
}

// Of a route one counts, that of the rule before that of the route, and the gateway's with it where it has `mergeType`
// (internal/gatewayapi/backendtrafficpolicy.go).
void EdgeView::find_policies(EdgeDoor& door) const {
  if (facts.selects) return;
  auto own =
      door.rule->name.empty() ? std::vector<const Policy*>() : policies_on("HTTPRoute", *door.route, door.rule->name);
  if (own.empty()) own = policies_on("HTTPRoute", *door.route, "");
  if (own.size() > 1 || (!own.empty() && is_odd(*own.front()))) return;
  door.own_known = true;
  if (!own.empty()) door.own = own.front();
  door.parent_known = door.own != nullptr && !door.own->merges();
  if (door.parent_known || door.gateway == nullptr) return;
  for (const Policy& policy : facts.policies)
    for (const Ref& target : policy.targets)
      if (target.kind == "ListenerSet" || (is(target, *door.gateway) && !target.section.empty())) return;
  const auto parents = policies_on("Gateway", *door.gateway, "");
  if (parents.size() > 1 || (!parents.empty() && is_odd(*parents.front()))) return;
  if (parents.empty() && door.own != nullptr) return;  // `mergeType` says that there is one
  door.parent_known = true;
  if (!parents.empty()) door.parent = parents.front();
}

std::vector<const edge::Gateway*> EdgeView::gateways_of(const edge::Route& route) const {
  std::vector<const edge::Gateway*> found;
  for (const edge::Gateway& gateway : facts.gateways)
    if (!is_foreign(gateway) && std::ranges::any_of(route.parents, [&](const Ref& parent) {
          return parent.kind == "Gateway" && is(parent, gateway) &&
                 std::ranges::any_of(gateway.listeners,
                                     [&](const auto& one) { return takes(gateway, one, route, parent); });
        }))
      found.push_back(&gateway);
  return found;
}

std::vector<EdgeDoor> EdgeView::doors_of(const Ref& service) const {
  std::vector<EdgeDoor> doors;
  const auto leads_here = [&](const Ref& backend) { return backend.kind == service.kind && is(backend, service); };
  const auto was_read = [&](const Ref& parent) {
    return parent.kind != "Gateway" || std::ranges::any_of(facts.gateways, [&](const edge::Gateway& gateway) {
             return gateway.name == parent.name && may_be_namespace(gateway.ns, parent.ns);
           });
  };
  const auto ways = ways_.find(key_of(service.kind, service, ""));
  if (ways == ways_.end()) return doors;
  for (const auto& [route, rule] : ways->second) {
    if (rule->elsewhere) continue;
    auto gateways = gateways_of(*route);
    if (gateways.empty() && !std::ranges::all_of(route->parents, was_read)) gateways.push_back(nullptr);
    // What stands in another namespace may be refused (ReferenceGrant).
    const bool alone = service.ns == route->ns && std::ranges::all_of(rule->backends, leads_here);
    for (const edge::Gateway* gateway : gateways)
      find_policies(doors.emplace_back(EdgeDoor{route, rule, gateway, alone}));
  }
  return doors;
}

bool EdgeView::is_foreign(const edge::Gateway& gateway) const {
  const auto* its = find_by(facts.classes, gateway.gateway_class, &edge::GatewayClass::name);
  return its != nullptr && !its->of_envoy;
}

bool EdgeView::is_envoys(const edge::Gateway& gateway) const {
  const auto* its = find_by(facts.classes, gateway.gateway_class, &edge::GatewayClass::name);
  return its != nullptr ? its->of_envoy
                        : gateway.parameters.kind == "EnvoyProxy" || !policies_on("Gateway", gateway, "").empty();
}

// The gateway's own EnvoyProxy counts before that of its class.
EdgeView::Proxies EdgeView::proxies_of(const edge::Gateway* gateway) const {
  if (gateway == nullptr) return {};
  const auto* its = find_by(facts.classes, gateway->gateway_class, &edge::GatewayClass::name);
  const auto named = [&](const Ref& ref) {
    return find_where(facts.proxies, [&](const auto& one) { return ref.kind == "EnvoyProxy" && is(one, ref); });
  };
  const edge::EnvoyProxy *own = named(gateway->parameters),
                         *of_class = its == nullptr ? nullptr : named(its->parameters);
  const bool has_own = !gateway->parameters.kind.empty();
  Proxies proxies{{}, has_own ? own : of_class, (own && own->merges) || (of_class && of_class->merges)};
  if (proxies.said != nullptr)
    proxies.most = proxies.said->most;
  else if (!has_own && its != nullptr && its->parameters.kind.empty())
    proxies.most = 1;
  return proxies;
}

std::optional<Streams> EdgeView::streams_of(const Ref& service) const {
  const auto* its = find_where(facts.services, [&](const edge::Service& one) { return is(one, service); });
  if (service.kind != "Service" || its == nullptr || its->selector.empty()) return std::nullopt;
  for (const auto& [ns, labels] : facts.other_pods)
    if (may_be_namespace(ns, its->ns) && selects(its->selector, labels)) return std::nullopt;
  Streams streams;
  for (const edge::Server& server : facts.servers) {
    if (!may_be_namespace(server.ns, its->ns) || !selects(its->selector, server.labels)) continue;
    // Of one replica that an update takes away nothing is left to compare with.
    if (server.ns != its->ns || server.replicas.value_or(0) <= server.away || !server.streams ||
        *server.streams > 1'000'000)
      return std::nullopt;
    streams.sustained += Streams::of(server);
    streams.servers.push_back(&server);
  }
  return streams.servers.empty() ? std::nullopt : std::optional(std::move(streams));
}

std::vector<Ref> EdgeView::services() const {
  std::vector<Ref> all;
  std::set<std::string> known;
  for (const edge::Route& route : facts.routes)
    for (const edge::RouteRule& rule : route.rules)
      for (const Ref& backend : rule.backends)
        if (backend.kind == "Service" && known.insert(backend.full()).second) all.push_back(backend);
  return all;
}

std::string in_words(const Policy& policy) { return fmt::format("BackendTrafficPolicy `{}`", policy.full()); }

void EdgeFinding::write(const Policy& policy, const std::string& path, const std::string& value) {
  add_to_list(fix.text, fmt::format("set `{}` of {} to `{}`", path, in_words(policy), value), "; ");
  fix.tried.push_back({in_words(policy), path.substr(path.rfind('.') + 1), value, {}, false});
  fix.edits.push_back({policy.at, value, path});
}

EdgeFinding about(const Policy& policy, Code code, std::string message, Span at, std::string field) {
  return {code, "BackendTrafficPolicy", policy.full(), at, std::move(field), std::move(message)};
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

void judge_edge(const edge::Facts& facts, Report& report) {
  const auto unjudged = [&](std::string what, std::string hint) {
    if (!facts.policies.empty())
      report.diagnostics.push_back(
          warning_at(code::NotModelled, facts.policies.front().at, std::move(what), std::move(hint)));
  };
  if (facts.torn)
    return unjudged("limits of gateways were not judged: some object of theirs is described twice, and not alike",
                    "give one directory at a time, as one cluster gets it");
  if (facts.selects)
    unjudged("limits of gateways were judged in part: `targetSelectors` says by labels whom a policy is for",
             "name the targets: `targetRefs`");
  constexpr std::size_t kMost = 20'000;  // each is compared with each
  if (facts.routes.size() + facts.policies.size() + facts.services.size() > kMost)
    return report.diagnostics.push_back(warning_at(code::NotModelled, {},
                                                   "more routes, policies and Services of gateways than are looked at",
                                                   "give fewer directories at once"));
  EdgeView view(facts);
  judge_edge_targets(view, report);
  judge_edge_grants(view, report);
  judge_edge_streams(view, report);
  judge_edge_policies(view, report);
  judge_edge_callers(view, report);
  judge_edge_waits(view, report);
}

}  // namespace gpol
