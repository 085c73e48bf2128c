#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

namespace {

void read_parent(const View& parent, HttpRoute& route) {
  must_be(parent, "group", "gateway.networking.k8s.io");
  must_be(parent, "kind", "Gateway");
  route.gateway_ns = parent.required_text("namespace");
  route.gateway = parent.required_text("name");
  route.listener = parent.required_text("sectionName");
}

std::string read_class(const View& filter) {
  must_be(filter, "type", "RequestHeaderModifier");
  std::string request_class;
  const auto change = filter.required_map("requestHeaderModifier");
  if (!change) return request_class;
  if (change->has("set")) {
    only(*change, "set", [&](const View& set) {
      must_be(set, "name", kClassHeader);
      request_class = set.required_text("value");
    });
  } else if (change->texts("remove") != std::vector{std::string(kClassHeader)}) {
    change->problem("remove", "does not take off the header of the class alone");
  }
  change->finish();
  return request_class;
}

void read_rule(const View& rule, HttpRoute& route) {
  only(rule, "matches", [&](const View& match) {
    const auto path = match.required_map("path");
    if (!path) return;
    must_be(*path, "type", "PathPrefix");
    route.path = path->required_text("value");
    path->finish();
  });
  only(rule, "filters", [&](const View& filter) { route.request_class = read_class(filter); });
  only(rule, "backendRefs", [&](const View& backend) {
    if (!backend.text("group").value_or("").empty()) backend.problem("group", "is not that of a Service");
    must_be(backend, "kind", "Service");
    route.service = backend.required_text("name");
    route.port = backend.integer("port").value_or(0);
  });
}

}  // namespace

// Fields: apis/v1 of sigs.k8s.io/gateway-api v1.6.1. Only what `build` writes is understood.
void read_http_route(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "HTTPRoute", Scope::Namespaced);
  HttpRoute route;
  if (const auto spec = object.required_map("spec")) {
    only(*spec, "parentRefs", [&](const View& parent) { read_parent(parent, route); });
    if (const auto hosts = spec->texts("hostnames"); hosts.size() == 1)
      route.host = hosts.front();
    else
      spec->problem("hostnames", "does not hold exactly one");
    only(*spec, "rules", [&](const View& rule) { read_rule(rule, route); });
    spec->finish();
  }
  keep(object, metadata, route, draft.cluster.http_routes);
}

}  // namespace gpol::manifest
