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
  for (const char* refused :
       {"from: None", "from: Selector, selector: {matchLabels: {kubernetes.io/metadata.name: other}}"})
    CHECK(codes(replaced(kGateway, "from: All", refused) + kServer + route()) == "GP2019");
  CHECK(codes(replaced(kGateway, "from: All", "from: Selector, selector: {matchLabels: {team: a}}") + kServer + route())
            .empty());
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
  CHECK(codes(limited + callers("  podSelector: {}\n  ingress: [{ports: [{port: 8000}]}]\n")) == "GP2004");
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

TEST_CASE("verify of gateways: what is not known makes no finding") {
  const std::string wrong = kGateway + kServer + route() + policy(parallel(200));
  REQUIRE(codes(wrong) == "GP2001");
  // A policy that merges has a parent somewhere, which may bound it.
  const std::string merging = "  mergeType: StrategicMerge\n  loadBalancer: {type: LeastRequest}\n";
  CHECK(codes(kGateway + kServer + route() + policy(merging)).empty());
  // Another controller's gateway does not look at it.
  CHECK(codes(replaced(wrong, "gateway.envoyproxy.io/gatewayclass-controller", "istio.io/gateway-controller")).empty());
  // Its one replica goes before the next one comes.
  CHECK(codes(replaced(wrong, "replicas: 4",
                       "strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}\n  replicas: 1"))
            .empty());
  // Pods of others answer, too.
  CHECK(codes(wrong + "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {name: l, namespace: "
                      "chat}\nspec: {leaderWorkerTemplate: {workerTemplate: {metadata: {labels: {app: vllm}}}}}\n---\n")
            .empty());
  CHECK(codes(replaced(wrong, "spec: {selector: {app: vllm}", "spec: {type: ExternalName, selector: {app: vllm}"))
            .empty());
}

TEST_CASE("verify of gateways: what was not judged is told") {
  const std::string twice = kGateway + kServer + route() + policy(parallel(96)) + policy(parallel(200));
  CHECK(has(said(twice), "limits of gateways were not judged"));
  CHECK(
      has(said(kGateway + kServer + route() +
               "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {name: a, namespace: "
               "chat}\nspec:\n  targetSelectors: [{kind: HTTPRoute, matchLabels: {t: x}}]\n" +
               parallel(200) + "---\n"),
          "limits of gateways were judged in part"));
  CHECK(!has(said(kGateway + kServer + route() + policy(parallel(96))), "limits of gateways"));
}
