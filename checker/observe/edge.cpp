#include "checker/observe/edge.h"

#include <algorithm>

#include "checker/observe/fields.h"
#include "checker/observe/pods.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest {
namespace {

using edge::Ref;

constexpr std::string_view kGatewayApi = "gateway.networking.k8s.io", kEnvoy = "gateway.envoyproxy.io",
                           kAi = "aigateway.envoyproxy.io";

const std::vector<Node>& items_at(const Node* map, std::string_view key) {
  static const std::vector<Node> none;
  const Node* list = at(map, key);
  return list == nullptr ? none : list->items;
}

Span span_at(const Node* map, std::string_view key, const Place& place, Span fallback) {
  const Node* node = at(map, key);
  return node == nullptr ? fallback : place.span(*node);
}

edge::Gateway read_gateway(const Node& object, const Place& place) {
  edge::Gateway gateway{named(object, place), {}, {}, {}, {}};
  const Node* spec = field(object, "spec");
  gateway.gateway_class = text_at(spec, "gatewayClassName");
  for (const Node& listener : items_at(spec, "listeners")) {
    const std::string from = text_at(at(at(&listener, "allowedRoutes"), "namespaces"), "from");
    gateway.listeners.push_back({text_at(&listener, "name"), from.empty() ? "Same" : from,
                                 text_at(&listener, "hostname"), text_at(&listener, "protocol"),
                                 text_at(&listener, "port")});
  }
  if (const Node* parameters = at(at(spec, "infrastructure"), "parametersRef")) {
    gateway.has_parameters = true;
    if (text_at(parameters, "kind") == "EnvoyProxy") gateway.parameters = text_at(parameters, "name");
  }
  return gateway;
}

edge::GatewayClass read_class(const Node& object, const Place& place) {
  edge::GatewayClass found{named(object, place), {}, {}, {}, {}};
  const Node* spec = field(object, "spec");
  found.of_envoy = text_at(spec, "controllerName") == "gateway.envoyproxy.io/gatewayclass-controller";
  if (const Node* parameters = at(spec, "parametersRef")) {
    found.has_parameters = true;
    found.parameters_ns = text_at(parameters, "namespace");
    if (text_at(parameters, "kind") == "EnvoyProxy") found.parameters = text_at(parameters, "name");
  }
  return found;
}

// EnvoyProxy: api/v1alpha1/envoyproxy_types.go; one replica where it says nothing (DefaultDeploymentReplicas).
edge::ProxyFleet read_fleet(const Node& object, const Place& place) {
  edge::ProxyFleet fleet{named(object, place), {}, {}, {}};
  const Node* spec = field(object, "spec");
  const Node* kubernetes = at(at(spec, "provider"), "kubernetes");
  const Node *deployment = at(kubernetes, "envoyDeployment"), *hpa = at(kubernetes, "envoyHpa");
  fleet.merges = text_at(spec, "mergeGateways") == "true" || at(spec, "mergeBackends") != nullptr ||
                 at(spec, "mergeType") != nullptr || at(deployment, "patch") != nullptr || at(hpa, "patch") != nullptr;
  fleet.counted = fleet.at;
  if (at(kubernetes, "envoyDaemonSet") != nullptr || text_at(at(spec, "provider"), "type") == "Host") return fleet;
  if (hpa != nullptr) {
    fleet.most = whole_at(hpa, "maxReplicas");
    fleet.counted = span_at(hpa, "maxReplicas", place, fleet.at);
  } else {
    const Node* replicas = at(deployment, "replicas");
    fleet.most = replicas == nullptr ? 1 : whole_at(deployment, "replicas");
    fleet.counted = span_at(deployment, "replicas", place, fleet.at);
  }
  return fleet;
}

edge::RouteRule read_rule(const Node& rule, const Place& place, const std::string& ns, const std::string& path) {
  edge::RouteRule out;
  out.name = text_at(&rule, "name");
  for (const Node& filter : items_at(&rule, "filters")) {
    const std::string type = text_at(&filter, "type");
    if (type == "RequestRedirect" || type == "ExtensionRef") out.whole = false;
  }
  const auto& backends = items_at(&rule, "backendRefs");
  for (std::size_t i = 0; i < backends.size(); ++i) {
    if (text_at(&backends[i], "weight") == "0") continue;
    Ref ref = read_ref(backends[i], place, ns, path + ".backendRefs[" + std::to_string(i) + "]");
    if (ref.kind.empty()) ref.kind = "Service";
    out.backends.push_back(std::move(ref));
  }
  const std::string timeout = text_at(at(&rule, "timeouts"), "request");
  if (!timeout.empty()) out.request_timeout = timeout;
  if (const Node* retry = at(&rule, "retry")) out.retries = whole_at(retry, "attempts").value_or(1);
  return out;
}

edge::Route read_route(const Node& object, const Place& place) {
  edge::Route route{named(object, place), {}, {}, {}};
  const Node* spec = field(object, "spec");
  for (const Node& hostname : items_at(spec, "hostnames")) route.hostnames.push_back(hostname.text);
  const auto& parents = items_at(spec, "parentRefs");
  for (std::size_t i = 0; i < parents.size(); ++i) {
    Ref ref = read_ref(parents[i], place, route.ns, "spec.parentRefs[" + std::to_string(i) + "]");
    if (ref.kind.empty()) ref.kind = "Gateway";
    route.parents.push_back(std::move(ref));
  }
  const auto& rules = items_at(spec, "rules");
  for (std::size_t i = 0; i < rules.size(); ++i)
    route.rules.push_back(read_rule(rules[i], place, route.ns, "spec.rules[" + std::to_string(i) + "]"));
  return route;
}

// Limits of others are named, and not analysed.
std::optional<std::string> foreign_limit(const Node& object) {
  const std::string kind = text_at(&object, "kind"), api = text_at(&object, "apiVersion");
  if (kind == "Ingress")
    for (const auto& [key, value] : labels_of(at(field(object, "metadata"), "annotations")))
      if (key.starts_with("nginx.ingress.kubernetes.io/limit-")) return "Ingress with limits of NGINX (" + api + ")";
  const Node* spec = field(object, "spec");
  if (kind == "DestinationRule" && at(at(spec, "trafficPolicy"), "connectionPool") != nullptr)
    return "DestinationRule with limits of Istio (" + api + ")";
  return std::nullopt;
}

}  // namespace

edge::Named named(const Node& object, const Place& place) {
  const Node* metadata = field(object, "metadata");
  return {text_at(metadata, "namespace"), text_at(metadata, "name"),
          span_at(metadata, "name", place, place.span(object))};
}

edge::Labels labels_of(const Node* map) {
  edge::Labels labels;
  if (map != nullptr)
    for (const Entry& entry : map->entries) labels.emplace(entry.key, entry.value.text);
  return labels;
}

Ref read_ref(const Node& ref, const Place& place, const std::string& ns, const std::string& path) {
  Ref out{text_at(&ref, "kind"),
          text_at(&ref, "namespace"),
          text_at(&ref, "name"),
          text_at(&ref, "sectionName"),
          text_at(&ref, "port"),
          path + ".name",
          span_at(&ref, "name", place, place.span(ref))};
  if (out.ns.empty()) out.ns = ns;
  return out;
}

// One object that stands in two files is read once; of two that differ neither is known to count.
bool EdgeReader::is_first(const Node& object, const std::string& kind) {
  const Node* metadata = field(object, "metadata");
  const std::string name = kind + "/" + text_at(metadata, "namespace") + "/" + text_at(metadata, "name");
  const auto [known, fresh] = known_.try_emplace(name, meaning_of(object));
  if (!fresh && known->second != meaning_of(object)) facts_.torn = true;
  return fresh;
}

// What another one owns is counted with its owner.
bool EdgeReader::read_pods(const Node& object, const std::string& kind, const Place& place) {
  const Node* labels = kind == "Pod" ? at(field(object, "metadata"), "labels")
                                     : at(at(at(field(object, "spec"), "template"), "metadata"), "labels");
  if (labels == nullptr || !owner_of(object).name.empty()) return false;
  if (kind != "Deployment" || group_of(text_at(object, "apiVersion")) != "apps")
    facts_.other_pods.emplace_back(named(object, place).ns, labels_of(labels));
  else if (is_first(object, kind))
    return facts_.servers.emplace_back(read_server(object, place)).streams.has_value();
  return false;
}

std::optional<std::string> EdgeReader::read(const Node& object, const Place& place) {
  const std::string kind = text_at(object, "kind"), api = text_at(object, "apiVersion"), group = group_of(api);
  if (kind == "Service" && api == "v1") {
    if (is_first(object, kind))
      facts_.services.push_back({named(object, place), labels_of(at(field(object, "spec"), "selector"))});
    return "";
  }
  if (group != kGatewayApi && group != kEnvoy && group != kAi) {
    if (read_pods(object, kind, place)) return "";
    return foreign_limit(object);
  }
  const bool known =
      contains({"Gateway", "GatewayClass", "HTTPRoute", "EnvoyProxy", "BackendTrafficPolicy", "AIGatewayRoute"},
               std::string_view(kind));
  if (!known) return std::nullopt;
  if (!is_first(object, kind)) return "";
  if (kind == "Gateway") facts_.gateways.push_back(read_gateway(object, place));
  if (kind == "GatewayClass") facts_.classes.push_back(read_class(object, place));
  if (kind == "HTTPRoute") facts_.routes.push_back(read_route(object, place));
  if (kind == "EnvoyProxy") facts_.fleets.push_back(read_fleet(object, place));
  if (kind == "BackendTrafficPolicy") facts_.policies.push_back(read_traffic_policy(object, place));
  if (kind == "AIGatewayRoute") {
    const edge::Named route = named(object, place);
    facts_.ai_routes.emplace(route.ns, route.name);
  }
  return "";
}

edge::Facts EdgeReader::settle(const Scaled& scaled, const std::vector<LeftOut>& left_out,
                               std::map<std::string, std::size_t>& others) {
  if (facts_.empty() && !facts_.services.empty()) others["Service (v1)"] += facts_.services.size();
  for (edge::Server& server : facts_.servers) {
    const auto most = scaled.find("Deployment/" + (server.ns.empty() ? "default" : server.ns) + "/" + server.name);
    if (most == scaled.end()) continue;
    server.replicas = std::max(server.replicas.value_or(1), most->second);
    server.away = 0, server.scaled = true;
  }
  using Why = LeftOut::Why;
  facts_.whole = std::ranges::none_of(left_out, [](const LeftOut& one) {
    return contains({Why::Template, Why::Chart, Why::Excluded, Why::Wrong, Why::Ignored, Why::Vendored}, one.why);
  });
  return std::move(facts_);
}

}  // namespace gpol::manifest
