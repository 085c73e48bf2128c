#include "emit/kinds/kinds.h"

namespace gpol::kinds {

namespace {

// What a client says of its class is never taken for true.
yaml::Value class_header(const std::string& request_class) {
  yaml::Map header{{"name", std::string(kClassHeader)}, {"value", request_class}};
  yaml::Map change;
  if (request_class.empty())
    change.emplace_back("remove", yaml::List{std::string(kClassHeader)});
  else
    change.emplace_back("set", yaml::List{std::move(header)});
  return yaml::List{yaml::Map{{"type", "RequestHeaderModifier"}, {"requestHeaderModifier", std::move(change)}}};
}

}  // namespace

yaml::Value http_route(const HttpRoute& route) {
  yaml::Map parent{{"group", "gateway.networking.k8s.io"},
                   {"kind", "Gateway"},
                   {"namespace", route.gateway_ns},
                   {"name", route.gateway},
                   {"sectionName", route.listener}};
  yaml::Map path{{"type", "PathPrefix"}, {"value", route.path}};
  yaml::Map rule{{"matches", yaml::List{yaml::Map{{"path", std::move(path)}}}}};
  rule.emplace_back("filters", class_header(route.request_class));
  rule.emplace_back(
      "backendRefs",
      yaml::List{yaml::Map{{"group", ""}, {"kind", "Service"}, {"name", route.service}, {"port", route.port}}});
  yaml::Map spec{{"parentRefs", yaml::List{std::move(parent)}},
                 {"hostnames", yaml::List{route.host}},
                 {"rules", yaml::List{std::move(rule)}}};
  return with(
      object({.api_version = "gateway.networking.k8s.io/v1", .kind = "HTTPRoute", .name = route.name, .ns = route.ns}),
      "spec", std::move(spec));
}

}  // namespace gpol::kinds
