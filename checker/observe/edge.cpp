#include "checker/observe/edge.h"

#include <algorithm>

#include "checker/observe/fields.h"
#include "checker/observe/pods.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest {
namespace {

edge::Gateway read_gateway(const Node& object, const Place& place) {
  const Node* spec = field(object, "spec");
  edge::Gateway gateway{named(object, place), text_at(spec, "gatewayClassName"), {}, {}};
  for (const Node& one : items_at(spec, "listeners")) {
    const Node* namespaces = at(at(&one, "allowedRoutes"), "namespaces");
    gateway.listeners.push_back(
        {text_at(&one, "name"), text_at(namespaces, "from"), text_at(&one, "hostname"), text_at(&one, "protocol"),
         text_at(&one, "port"), text_at(at(at(namespaces, "selector"), "matchLabels"), "kubernetes.io/metadata.name")});
  }
  if (const Node* ref = at(at(spec, "infrastructure"), "parametersRef"))
    gateway.parameters = read_ref(*ref, place, gateway.ns);
  return gateway;
}

// One replica where it says nothing (DefaultDeploymentReplicas of api/v1alpha1).
edge::EnvoyProxy read_proxy(const Node& object, const Place& place) {
  edge::EnvoyProxy proxy{named(object, place), {}, {}};
  const Node* spec = field(object, "spec");
  const Node* kubernetes = at(at(spec, "provider"), "kubernetes");
  const Node *deployment = at(kubernetes, "envoyDeployment"), *hpa = at(kubernetes, "envoyHpa");
  proxy.merges = text_at(spec, "mergeGateways") == "true" || at(spec, "mergeBackends") != nullptr ||
                 at(spec, "mergeType") != nullptr || at(deployment, "patch") != nullptr || at(hpa, "patch") != nullptr;
  if (at(kubernetes, "envoyDaemonSet") != nullptr || text_at(at(spec, "provider"), "type") == "Host") return proxy;
  if (hpa != nullptr)
    proxy.most = whole_at(hpa, "maxReplicas");
  else
    proxy.most = at(deployment, "replicas") == nullptr ? 1 : whole_at(deployment, "replicas");
  return proxy;
}

edge::Route read_route(const Node& object, const Place& place) {
  const Node* spec = field(object, "spec");
  edge::Route route{named(object, place), {}, {}, {}};
  for (const Node& hostname : items_at(spec, "hostnames")) route.hostnames.push_back(hostname.text);
  route.parents = refs_at(spec, "parentRefs", "spec", place, route.ns, "Gateway");
  for (const Node& rule : items_at(spec, "rules")) {
    edge::RouteRule& out = route.rules.emplace_back();
    out.name = text_at(&rule, "name"), out.request_timeout = text_at(at(&rule, "timeouts"), "request");
    out.retries = field(rule, "retry") != nullptr;
    out.backends = refs_at(&rule, "backendRefs", "spec.rules", place, route.ns, "Service");
    for (const Node& filter : items_at(&rule, "filters"))
      out.elsewhere = out.elsewhere || contains({"RequestRedirect", "ExtensionRef"}, text_at(&filter, "type"));
  }
  return route;
}

bool is_open(const Node* selector) { return selector != nullptr && selector->entries.empty(); }

// Nothing: it says nothing of ingress, or selects by expressions.
std::optional<edge::NetworkPolicy> read_network_policy(const Node& object, const Place& place) {
  const Node *spec = field(object, "spec"), *pods = at(spec, "podSelector");
  const auto& types = items_at(spec, "policyTypes");
  if (at(pods, "matchExpressions") != nullptr ||
      (!types.empty() && std::ranges::none_of(types, [](const Node& type) { return type.text == "Ingress"; })))
    return std::nullopt;
  edge::NetworkPolicy policy{named(object, place), labels_of(at(pods, "matchLabels")), {}};
  for (const Node& rule : items_at(spec, "ingress")) {
    const auto& from = items_at(&rule, "from");
    if (!from.empty() && std::ranges::none_of(from, [](const Node& peer) {
          return is_open(at(&peer, "namespaceSelector")) &&
                 (at(&peer, "podSelector") == nullptr || is_open(at(&peer, "podSelector")));
        }))
      continue;
    edge::NetworkPolicy::Open& open = policy.open.emplace_back(place.span(rule));
    for (const Node& port : items_at(&rule, "ports")) open.ports.push_back(text_at(&port, "port"));
  }
  return policy;
}

// Limits of others are named, and not analysed.
std::optional<std::string> foreign_limit(const Node& object, const std::string& kind, const std::string& api) {
  if (kind == "Ingress")
    for (const auto& [key, value] : labels_of(at(field(object, "metadata"), "annotations")))
      if (key.starts_with("nginx.ingress.kubernetes.io/limit-")) return "Ingress with limits of NGINX (" + api + ")";
  if (kind == "DestinationRule" && at(at(field(object, "spec"), "trafficPolicy"), "connectionPool") != nullptr)
    return "DestinationRule with limits of Istio (" + api + ")";
  return std::nullopt;
}

}  // namespace

edge::Named named(const Node& object, const Place& place) {
  const Node *metadata = field(object, "metadata"), *name = at(metadata, "name");
  return {text_at(metadata, "namespace"), text_at(metadata, "name"), place.span(name == nullptr ? object : *name)};
}

edge::Ref read_ref(const Node& ref, const Place& place, const std::string& ns) {
  const Node *name = field(ref, "name"), *other = field(ref, "namespace");
  const edge::Named about{other == nullptr ? ns : other->text, text_at(ref, "name"),
                          place.span(name == nullptr ? ref : *name)};
  return {about, text_at(ref, "kind"), text_at(ref, "sectionName"), text_at(ref, "port"), {}};
}

edge::Labels labels_of(const Node* map) {
  edge::Labels labels;
  if (map != nullptr)
    for (const Entry& entry : map->entries) labels.emplace(entry.key, entry.value.text);
  return labels;
}

const std::vector<Node>& items_at(const Node* map, std::string_view key) {
  static const std::vector<Node> none;
  const Node* list = at(map, key);
  return list == nullptr ? none : list->items;
}

std::vector<edge::Ref> refs_at(const Node* map, const std::string& key, const std::string& path, const Place& place,
                               const std::string& ns, const std::string& kind) {
  std::vector<edge::Ref> refs;
  const auto& items = items_at(map, key);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (text_at(&items[i], "weight") == "0") continue;
    edge::Ref& ref = refs.emplace_back(read_ref(items[i], place, ns));
    if (ref.kind.empty()) ref.kind = kind;
    ref.field = path + "." + key + "[" + std::to_string(i) + "].name";
  }
  return refs;
}

// One object that stands in two files is read once; of two that differ neither is known to count, nor whether two that
// do not say their namespaces are of one where they stand in two directories.
bool EdgeReader::is_first(const Node& object, const std::string& kind, const Place& place) {
  const Node* metadata = field(object, "metadata");
  const std::string name = kind + "/" + text_at(metadata, "namespace") + "/" + text_at(metadata, "name");
  const auto [known, fresh] = known_.try_emplace(name, meaning_of(object));
  if (text_at(metadata, "namespace").empty() && kind != "GatewayClass" && object.file == kNoFile)
    nameless_.insert(place.file.substr(0, place.file.rfind('/') + 1));
  facts_.torn = facts_.torn || known->second != meaning_of(object) || nameless_.size() > 1;
  return fresh;
}

// What another one owns is counted with its owner. True: it says how many requests it answers at once.
bool EdgeReader::read_pods(const Node& object, const std::string& kind, const Place& place) {
  const Node* spec = field(object, "spec");
  const Node* of = kind == "Pod"               ? &object
                   : kind == "LeaderWorkerSet" ? at(at(spec, "leaderWorkerTemplate"), "workerTemplate")
                                               : at(spec, "template");
  const Node* labels = at(at(of, "metadata"), "labels");
  if (labels == nullptr || !owner_of(object).name.empty()) return false;
  if (kind != "Deployment" || group_of(text_at(object, "apiVersion")) != "apps")
    facts_.other_pods.emplace_back(named(object, place).ns, labels_of(labels));
  else if (is_first(object, kind, place))
    return facts_.servers.emplace_back(read_server(object, place)).streams.has_value();
  return false;
}

std::optional<std::string> EdgeReader::read(const Node& object, const Place& place) {
  constexpr std::pair<std::string_view, std::string_view> kKinds[] = {{"", "Service"},
                                                                      {"gateway.networking.k8s.io", "Gateway"},
                                                                      {"gateway.networking.k8s.io", "GatewayClass"},
                                                                      {"gateway.networking.k8s.io", "HTTPRoute"},
                                                                      {"networking.k8s.io", "NetworkPolicy"},
                                                                      {"gateway.envoyproxy.io", "EnvoyProxy"},
                                                                      {"gateway.envoyproxy.io", "BackendTrafficPolicy"},
                                                                      {"aigateway.envoyproxy.io", "AIGatewayRoute"}};
  const std::string kind = text_at(object, "kind"), api = text_at(object, "apiVersion"), group = group_of(api);
  // Of what these install or make nothing is known.
  if (contains({"HelmRelease", "HelmChart", "Application", "ApplicationSet", "Kustomization"}, std::string_view(kind)))
    facts_.whole = false;
  if (!contains(kKinds, std::pair<std::string_view, std::string_view>(group, kind)))
    return read_pods(object, kind, place) ? "" : foreign_limit(object, kind, api);
  if (!is_first(object, kind, place)) return "";
  const Node* spec = field(object, "spec");
  const edge::Named about = named(object, place);
  if (kind == "Service") {
    edge::Service& made = facts_.services.emplace_back(edge::Service{about, {}, {}});
    if (text_at(spec, "type") != "ExternalName") made.selector = labels_of(at(spec, "selector"));
    for (const Node& port : items_at(spec, "ports"))
      made.ports.push_back(text_at(&port, at(&port, "targetPort") == nullptr ? "port" : "targetPort"));
  }
  if (kind == "Gateway") facts_.gateways.push_back(read_gateway(object, place));
  if (kind == "GatewayClass") {
    const Node* ref = at(spec, "parametersRef");
    facts_.classes.push_back({about, text_at(spec, "controllerName").starts_with("gateway.envoyproxy.io/"),
                              ref == nullptr ? edge::Ref() : read_ref(*ref, place, "")});
  }
  if (kind == "EnvoyProxy") facts_.proxies.push_back(read_proxy(object, place));
  if (kind == "NetworkPolicy")
    if (auto policy = read_network_policy(object, place)) facts_.network_policies.push_back(std::move(*policy));
  if (kind == "HTTPRoute") facts_.routes.push_back(read_route(object, place));
  if (kind == "AIGatewayRoute") facts_.ai_routes.push_back(about);
  if (kind == "BackendTrafficPolicy") facts_.policies.push_back(read_traffic_policy(object, place, about.ns));
  facts_.selects = facts_.selects || (kind == "BackendTrafficPolicy" && at(spec, "targetSelectors") != nullptr);
  return "";
}

edge::Facts EdgeReader::settle(const Scaled& scaled, const std::vector<LeftOut>& left_out,
                               std::map<std::string, std::size_t>& others) {
  if (facts_.routes.empty() && facts_.policies.empty() && !facts_.services.empty())
    others["Service (v1)"] += facts_.services.size();
  for (edge::Server& server : facts_.servers)
    if (const auto most = scaled.find("Deployment/" + (server.ns.empty() ? "default/" : server.ns + "/") + server.name);
        most != scaled.end())
      server.replicas = std::max(server.replicas.value_or(1), most->second), server.away = 0, server.scaled = true;
  using Why = LeftOut::Why;
  facts_.whole =
      facts_.whole && std::ranges::none_of(left_out, [](const LeftOut& one) {
        return contains({Why::Template, Why::Chart, Why::Excluded, Why::Wrong, Why::Ignored, Why::Vendored}, one.why);
      });
  return std::move(facts_);
}

}  // namespace gpol::manifest
