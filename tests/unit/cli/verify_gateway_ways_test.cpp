// gpol verify of gateways: routes that lead nowhere, and ways past the limits.
#include "tests/unit/cli/gateway_manifests.h"

using namespace gpol::test;

TEST_CASE("verify of gateways: a route that no listener of its Gateway lets in, and the hint followed") {
  const std::string closed = replaced(kGateway, ", allowedRoutes: {namespaces: {from: All}}", "");
  CHECK(codes(closed + kServer + route()) == "GP2019");
  CHECK(codes(kGateway + kServer + route()).empty());
  for (const char* grant :
       {"from: All", "from: Selector, selector: {matchLabels: {kubernetes.io/metadata.name: chat}}"})
    CHECK(codes(replaced(kGateway, "from: All", grant) + kServer + route()).empty());
  CHECK(codes(replaced(kGateway, "from: All", "from: None") + kServer + route()) == "GP2019");
  // Of the Gateway's own namespace.
  CHECK(codes(replaced(closed, "namespace: edge}\nspec:\n  gatewayClassName",
                       "namespace: chat}\nspec:\n  gatewayClassName") +
              kServer + replaced(route(), "namespace: edge", "namespace: chat"))
            .empty());
  // Another listener, which may take it.
  CHECK(
      codes(
          replaced(
              closed, "  listeners:\n",
              "  listeners:\n  - {name: http, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: All}}}\n") +
          kServer + route())
          .empty());
}

TEST_CASE("verify of gateways: a NetworkPolicy that lets everybody reach a Deployment with limits") {
  const auto callers = [](const std::string& spec) {
    return "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: callers, namespace: "
           "chat}\nspec:\n" +
           spec + "---\n";
  };
  const std::string limited = kGateway + kServer + route() + policy(parallel(100));
  for (const char* open : {"  podSelector: {matchLabels: {app: vllm}}\n  ingress: [{}]\n",
                           "  podSelector: {}\n  ingress: [{from: [{namespaceSelector: {}}]}]\n",
                           "  podSelector: {}\n  ingress: [{from: [{namespaceSelector: {}, podSelector: {}}]}]\n"}) {
    INFO(open);
    CHECK(codes(limited + callers(open)) == "GP2004");
    CHECK(codes(kGateway + kServer + route() + callers(open)).empty());  // nothing is limited
  }
  for (const char* closed :
       {"  podSelector: {matchLabels: {app: other}}\n  ingress: [{}]\n", "  podSelector: {}\n  ingress: []\n",
        "  podSelector: {}\n  policyTypes: [Egress]\n  ingress: [{}]\n",
        "  podSelector: {}\n  ingress: [{ports: [{port: 9090}]}]\n",
        "  podSelector: {}\n  ingress: [{from: [{podSelector: {}}]}]\n",
        "  podSelector: {}\n  ingress: [{from: [{namespaceSelector: {}, podSelector: {matchLabels: {app: envoy}}}]}]\n",
        "  podSelector: {}\n  ingress: [{from: [{ipBlock: {cidr: 10.0.0.0/8}}]}]\n"}) {
    INFO(closed);
    CHECK(codes(limited + callers(closed)).empty());
  }
}
