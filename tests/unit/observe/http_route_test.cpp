#include "tests/unit/observe/manifests.h"

namespace gpol {
namespace {

using namespace manifests;

const std::string kRoute = R"(apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: gpol-chat, namespace: chat}
spec:
  parentRefs: [{group: gateway.networking.k8s.io, kind: Gateway, namespace: edge, name: public, sectionName: https}]
  hostnames: [chat.example.com]
  rules:
  - matches: [{path: {type: PathPrefix, value: /v1}}]
    filters: [{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: x-gpol-class, value: interactive}]}}]
    backendRefs: [{group: "", kind: Service, name: assistant, port: 8000}]
)";

HttpRoute route_of(const std::string& text) {
  const auto observed = observe_text(text);
  INFO(listed(observed));
  REQUIRE(observed.problems.empty());
  REQUIRE(observed.cluster.http_routes.size() == 1);
  return observed.cluster.http_routes[0];
}

}  // namespace

TEST_CASE("every field of an HTTPRoute is read") {
  const HttpRoute route = route_of(kRoute);
  CHECK(route.ns == "chat");
  CHECK(route.name == "gpol-chat");
  CHECK(route.gateway_ns == "edge");
  CHECK(route.gateway == "public");
  CHECK(route.listener == "https");
  CHECK(route.host == "chat.example.com");
  CHECK(route.path == "/v1");
  CHECK(route.request_class == "interactive");
  CHECK(route.service == "assistant");
  CHECK(route.port == 8000);
}

TEST_CASE("a class header that is taken off") {
  CHECK(route_of(edited(kRoute, "{set: [{name: x-gpol-class, value: interactive}]}", "{remove: [x-gpol-class]}"))
            .request_class.empty());
}

TEST_CASE("what an HTTPRoute says beside that is a problem") {
  for (const auto& [from, to] : std::initializer_list<std::pair<const char*, const char*>>{
           {"kind: Gateway", "kind: ListenerSet"},
           {"[chat.example.com]", "[chat.example.com, b.example.com]"},
           {"hostnames: [chat.example.com]", "hostnames: []"},
           {"type: PathPrefix", "type: Exact"},
           {"value: /v1}}]", "value: /v1}}, {path: {type: PathPrefix, value: /v2}}]"},
           {"value: /v1}}", "value: /v1}, method: GET}"},
           {"name: x-gpol-class", "name: x-other"},
           {"{set: [{name: x-gpol-class, value: interactive}]}", "{remove: [x-other]}"},
           {"kind: Service", "kind: InferencePool"},
           {"port: 8000}", "port: 8000, weight: 0}"},
           {"    backendRefs", "    timeouts: {request: 1s}\n    backendRefs"},
           {"    backendRefs", "    retry: {attempts: 2}\n    backendRefs"}}) {
    INFO(from << " -> " << to);
    CHECK_FALSE(problems_of(edited(kRoute, from, to)).empty());
  }
}

}  // namespace gpol
