// Manifests of a gateway, what stands behind it, and what `gpol verify` says of them.
#pragma once

#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

inline const std::string kGateway = R"(
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: envoy}
spec: {controllerName: gateway.envoyproxy.io/gatewayclass-controller}
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: public, namespace: edge}
spec:
  gatewayClassName: envoy
  infrastructure: {parametersRef: {group: gateway.envoyproxy.io, kind: EnvoyProxy, name: proxies}}
  listeners:
  - {name: https, port: 443, protocol: HTTPS, hostname: "*.example.com", allowedRoutes: {namespaces: {from: All}}}
---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: EnvoyProxy
metadata: {name: proxies, namespace: edge}
spec: {provider: {type: Kubernetes, kubernetes: {envoyDeployment: {replicas: 3}}}}
---
)";

inline const std::string kServer = R"(
apiVersion: apps/v1
kind: Deployment
metadata: {name: vllm, namespace: chat}
spec:
  replicas: 4
  selector: {matchLabels: {app: vllm}}
  template:
    metadata: {labels: {app: vllm, tier: gpu}}
    spec:
      containers:
      - name: proxy
        image: nginx
      - name: vllm
        image: vllm/vllm-openai
        command: [sh, -c]
        args: ["exec vllm serve /model --max-num-seqs 128 --port 8000"]
---
apiVersion: v1
kind: Service
metadata: {name: vllm, namespace: chat}
spec: {selector: {app: vllm}, ports: [{port: 8000}]}
---
)";

inline std::string route(const std::string& name = "chat", const std::string& rule = "") {
  return "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: " + name +
         ", namespace: chat}\nspec:\n  hostnames: [chat.example.com]\n  parentRefs: [{name: public, namespace: edge}]\n"
         "  rules:\n  - backendRefs: [{name: vllm, port: 8000}]\n" +
         rule + "---\n";
}

inline std::string policy(const std::string& spec, const std::string& name = "chat", const std::string& target = "chat",
                          const std::string& kind = "HTTPRoute", const std::string& ns = "chat") {
  return "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata:\n  name: " + name +
         "\n  namespace: " + ns + "\nspec:\n  targetRefs:\n  - group: gateway.networking.k8s.io\n    kind: " + kind +
         "\n    name: " + target + "\n" + spec + "---\n";
}

inline std::string parallel(int most) {
  return "  circuitBreaker:\n    maxParallelRequests: " + std::to_string(most) + "\n";
}

inline const std::string kRate = "  rateLimit: {local: {rules: [{limit: {requests: 10, unit: Second}}]}}\n";

// What is said of one file, in full.
inline std::string said(const std::string& text) { return run_gpol({"verify", "-", "--full"}, text).out; }

// Codes of gateways, "GP2001 GP2012".
inline std::string codes(const std::string& text) {
  const std::string out = said(text);
  std::string found;
  for (int code = 2001; code < 2020; ++code)
    if (has(out, "[GP" + std::to_string(code) + "]")) found += (found.empty() ? "GP" : " GP") + std::to_string(code);
  return found;
}

// The file after `verify --fix`, of which nothing is left to say.
inline std::string fixed(const std::string& text) {
  const Scratch dir;
  write_text(dir / "all.yaml", text);
  const auto before = run_gpol({"verify", dir.path().string()});
  CHECK(before.code == 1);
  CHECK(has(before.out, "[tried"));
  run_gpol({"verify", "--fix", dir.path().string()});
  const auto after = run_gpol({"verify", "--full", dir.path().string()});
  CHECK(after.code == 3);  // no queue was read
  CHECK(!has(after.out, "[GP20"));
  return read_text(dir / "all.yaml");
}

}  // namespace gpol::test
