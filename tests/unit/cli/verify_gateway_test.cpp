// gpol verify of gateways: each finding with a twin without it, what a part of a cluster must not be blamed for, and
// that what is [tried] does what it says.
#include "tests/unit/cli/gateway_manifests.h"

using namespace gpol::test;

TEST_CASE("verify of gateways: a limit of each proxy, taken for one of all") {
  const std::string wrong = kGateway + kServer + route() + policy(parallel(384));
  const std::string out = said(wrong);
  CHECK(has(out, "error[GP2001]: proxies let in 3 x 384 = 1152 requests at once"));
  CHECK(has(out, "4 replicas of Deployment `chat/vllm`, of which an update takes 1 away, have 3 x 128 = 384 streams"));
  CHECK(has(out, "would do for all of them together"));
  CHECK(has(fixed(wrong), "maxParallelRequests: 128"));
  CHECK(codes(kGateway + kServer + route() + policy(parallel(128))).empty());
  CHECK(codes(kGateway + kServer + route() + policy(parallel(129))) == "GP2001");
  // Two rules are counted apart.
  CHECK(codes(kGateway + kServer + route("chat", "  - backendRefs: [{name: vllm, port: 8000}]\n") +
              policy(parallel(65))) == "GP2001");
  CHECK(
      codes(kGateway + kServer + route("chat", "  - backendRefs: [{name: vllm, port: 8000}]\n") + policy(parallel(64)))
          .empty());
}

TEST_CASE("verify of gateways: how many proxies and streams there are") {
  const auto with = [](const std::string& from, const std::string& to, int most) {
    return codes(replaced(kGateway + kServer, from, to) + route() + policy(parallel(most)));
  };
  CHECK(with("envoyDeployment: {replicas: 3}", "envoyHpa: {maxReplicas: 4}", 97) == "GP2001");
  CHECK(with("envoyDeployment: {replicas: 3}", "envoyHpa: {maxReplicas: 4}", 96).empty());
  CHECK(with("envoyDeployment: {replicas: 3}", "envoyDeployment: {}", 384).empty());
  // A number that nobody says is at least one.
  CHECK(with("envoyDeployment: {replicas: 3}", "envoyDaemonSet: {}", 385) == "GP2001");
  CHECK(with("envoyDeployment: {replicas: 3}", "envoyDaemonSet: {}", 384).empty());
  CHECK(with("name: proxies, namespace: edge", "name: elsewhere, namespace: edge", 384).empty());
  CHECK(with("--max-num-seqs 128", "--max-num-seqs=$(SEQS)", 1000).empty());
  CHECK(with("--max-num-seqs 128", "--max_num_seqs=256", 256).empty());
  CHECK(with("--max-num-seqs 128", "--max-num-seqs 128 --data-parallel-size 4", 1000).empty());
  CHECK(with("--max-num-seqs 128", "", 1000).empty());
  CHECK(with("  replicas: 4\n", "", 1000).empty());  // who scales it is not known
  CHECK(with("  replicas: 4\n", "  replicas: 4\n  strategy: {rollingUpdate: {maxUnavailable: 0}}\n", 170).empty());
  CHECK(with("  replicas: 4\n", "  replicas: 4\n  strategy: {rollingUpdate: {maxUnavailable: 0}}\n", 171) == "GP2001");
  CHECK(with("  replicas: 4\n", "  replicas: 4\n  strategy: {rollingUpdate: {maxUnavailable: 60%}}\n", 86) == "GP2001");
  const std::string hpa =
      "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: vllm, namespace: chat}\nspec: "
      "{maxReplicas: 8, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: vllm}}\n---\n";
  CHECK(codes(kGateway + kServer + hpa + route() + policy(parallel(341))).empty());
  CHECK(codes(kGateway + kServer + hpa + route() + policy(parallel(342))) == "GP2001");
  // Others answer, too.
  const std::string more =
      "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: more, namespace: chat}\nspec: {template: {metadata: "
      "{labels: {app: vllm}}, spec: {containers: []}}}\n---\n";
  CHECK(codes(kGateway + kServer + more + route() + policy(parallel(1000))).empty());
}

TEST_CASE("verify of gateways: what no listener takes lets nothing in") {
  const std::string rest = kServer + route() + policy(parallel(1000));
  CHECK(codes(kGateway + rest) == "GP2001");
  CHECK(codes(replaced(kGateway, "from: All", "from: Same") + rest) == "GP2019");
  CHECK(codes(replaced(kGateway, "from: All", "from: Selector, selector: {}") + rest).empty());
  CHECK(codes(replaced(kGateway, "*.example.com", "*.example.org") + rest).empty());
  CHECK(codes(replaced(kGateway, "protocol: HTTPS", "protocol: TCP") + rest).empty());
  // Without the gateway there is one proxy at least.
  CHECK(codes(rest) == "GP2001");
  CHECK(codes(kServer + route() + policy(parallel(384))).empty());
  // A connection carries one request.
  CHECK(codes(kGateway + kServer + route() + policy(parallel(1000) + "    maxConnections: 128\n")).empty());
}

TEST_CASE("verify of gateways: a bound that is left out is Envoy's") {
  const std::string silent = kGateway + kServer + route() + policy(kRate);
  CHECK(has(said(silent), "3 x 1024 = 3072 requests at once"));
  CHECK(has(fixed(silent), "maxParallelRequests: 128"));
  // Nobody knows what other policies there are.
  CHECK(codes(kGateway + kServer + route()).empty());
  const std::string of_gateway =
      kGateway + kServer + route() + policy(parallel(128), "all", "public", "Gateway", "edge");
  CHECK(codes(of_gateway).empty());
  CHECK(codes(replaced(of_gateway, "Requests: 128", "Requests: 384")) == "GP2001");
}

TEST_CASE("verify of gateways: a target that is not there") {
  const std::string wrong = kGateway + kServer + route() + policy(parallel(128), "chat", "chatt");
  CHECK(codes(wrong) == "GP2011");
  CHECK(has(fixed(wrong), "    name: chat\n  circuit"));
  // The route that is nearly called so has a policy: somebody else's target, and a warning at most.
  const std::string other = route() + policy(parallel(96)) + policy(parallel(96), "more", "chats");
  CHECK(codes(other).empty());
  CHECK(codes(other + route("summaries")) == "GP2011");
  CHECK(run_gpol({"verify", "-"}, other + route("summaries")).code == 3);
  // A part of the cluster, and what Envoy AI Gateway makes.
  CHECK(codes(policy(parallel(128))).empty());
  CHECK(codes(replaced(route("chatt"), "namespace: chat}", "namespace: other}") + policy(parallel(128))).empty());
  const std::string ai =
      "apiVersion: aigateway.envoyproxy.io/v1beta1\nkind: AIGatewayRoute\nmetadata: {name: chatt, namespace: chat}\n"
      "spec: {}\n---\n";
  CHECK(codes(route() + ai + policy(parallel(128), "chat", "chatt")).empty());
  // A policy reaches its own namespace alone.
  CHECK(codes(kGateway + policy(parallel(128), "all", "public", "Gateway")) == "GP2011");
  CHECK(codes(kGateway + policy(parallel(128), "all", "public", "Gateway", "edge")).empty());
}

TEST_CASE("verify of gateways: a rule or listener that is not there") {
  const std::string named = replaced(route(), "  - backendRefs", "  - name: completions\n    backendRefs");
  const std::string of_rule = policy("    sectionName: completion\n" + parallel(96));
  CHECK(codes(named + of_rule) == "GP2011");
  CHECK(has(fixed(named + of_rule), "sectionName: completions"));
  CHECK(codes(named + replaced(of_rule, "completion", "completions")).empty());
  CHECK(codes(kGateway + policy("    sectionName: http\n" + parallel(96), "all", "public", "Gateway", "edge")) ==
        "GP2011");
}

TEST_CASE("verify of gateways: nothing is missing where something was not read") {
  const Scratch dir;
  write_text(dir / "all.yaml", route() + policy(parallel(128), "chat", "chatt"));
  CHECK(has(run_gpol({"verify", "--full", dir.path().string()}).out, "[GP2011]"));
  write_text(dir / "route.yaml",
             "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: {{ .Values.name }}}\n");
  CHECK(!has(run_gpol({"verify", "--full", dir.path().string()}).out, "[GP2011]"));
  const std::string release =
      "---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: app, namespace: chat}\nspec: "
      "{}\n";
  CHECK(codes(route() + policy(parallel(128), "chat", "chatt") + release).empty());
  CHECK(codes(kGateway + route() + route("admin") + policy(parallel(96)) + release).empty());
  const Scratch remote;
  write_text(remote / "all.yaml", route() + policy(parallel(128), "chat", "chatt"));
  write_text(remote / "kustomization.yaml",
             "resources: [all.yaml, 'https://github.com/example/routes//base?ref=v1']\n");
  CHECK(!has(run_gpol({"verify", "--full", remote.path().string()}).out, "[GP2011]"));
}

TEST_CASE("verify of gateways: a kustomization without queues is told of beside one with queues") {
  const Scratch dir;
  write_text(dir / "queues/all.yaml",
             "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q, labels: {gpol.dev/role: "
             "serving}}\nspec: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: chat}}, resourceGroups: "
             "[{coveredResources: [nvidia.com/gpu], flavors: [{name: f, resources: [{name: nvidia.com/gpu, "
             "nominalQuota: 8}]}]}]}\n");
  write_text(dir / "queues/kustomization.yaml", "resources: [all.yaml]\n");
  write_text(dir / "edge/all.yaml", kGateway + kServer + route() + policy(parallel(384)));
  write_text(dir / "edge/kustomization.yaml", "resources: [all.yaml]\n");
  const auto wrong = run_gpol({"verify", dir.path().string()});
  CHECK(wrong.code == 1);
  CHECK(has(wrong.out, "maxParallelRequests: 128 in BackendTrafficPolicy `chat/chat`  [tried]"));
  write_text(dir / "edge/all.yaml", kGateway + kServer + route() + policy(parallel(128)));
  CHECK(run_gpol({"verify", dir.path().string()}).code == 0);
}

TEST_CASE("verify of gateways: what does not say its namespace is of one only within a directory") {
  const auto without = [](std::string text) {
    for (auto at = text.find("namespace: chat"); at != std::string::npos; at = text.find("namespace: chat"))
      text.replace(at, 15, "labels: {a: b}");
    return text;
  };
  const Scratch dir;
  const auto finds = [&] { return has(run_gpol({"verify", "--full", dir.path().string()}).out, "[GP2012]"); };
  write_text(dir / "one/all.yaml", without(route() + policy(parallel(96), "b")));
  write_text(dir / "one/more.yaml", without(policy(kRate, "a")));
  CHECK(finds());
  std::filesystem::create_directory(dir / "two");
  std::filesystem::rename(dir / "one/more.yaml", dir / "two/more.yaml");
  CHECK(!finds());
}

TEST_CASE("verify of gateways: of two policies for one target the older counts") {
  const std::string both = route() + policy(parallel(96), "b") + policy(kRate, "a");
  CHECK(codes(both) == "GP2012");
  CHECK(has(said(both), "of one age `chat/a`"));
  const std::string aged =
      replaced(replaced(both, "name: b\n", "name: b\n  creationTimestamp: \"2026-01-01T00:00:00Z\"\n"), "name: a\n",
               "name: a\n  creationTimestamp: \"2026-02-01T00:00:00Z\"\n");
  CHECK(has(said(aged), "the older, `chat/b`, counts"));
  CHECK(codes(route() + route("other") + policy(parallel(96), "b") + policy(kRate, "a", "other")).empty());
  CHECK(codes(route() + policy(parallel(96), "b") + "---\n" + policy(parallel(96), "b")).empty());  // the same twice
  // What says two things is not judged at all.
  CHECK(codes(both + policy(parallel(97), "b")).empty());
}

TEST_CASE("verify of gateways: a route's policy replaces its gateway's as a whole") {
  const std::string gateways = policy(kRate + parallel(500), "all", "public", "Gateway", "edge");
  const std::string wrong = kGateway + route() + policy(parallel(96)) + gateways;
  CHECK(codes(wrong) == "GP2012");
  CHECK(has(said(wrong), "`rateLimit` of that one no longer holds"));
  CHECK(has(fixed(wrong), "mergeType: StrategicMerge"));
  CHECK(codes(kGateway + route() + policy(kRate + parallel(96)) + gateways).empty());
  CHECK(codes(kGateway + route() + policy("  mergeType: JSONMerge\n" + parallel(96)) + gateways).empty());
}

TEST_CASE("verify of gateways: a route past the limit of another") {
  const std::string wrong = kGateway + route() + route("admin") + policy(parallel(96));
  CHECK(codes(wrong) == "GP2013");
  CHECK(has(fixed(wrong), "name: admin}\n  circuit"));
  CHECK(has(fixed(replaced(wrong,
                           "  targetRefs:\n  - group: gateway.networking.k8s.io\n    kind: HTTPRoute\n    name: chat\n",
                           "  targetRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: chat}]\n")),
            "name: chat}, {group: gateway.networking.k8s.io, kind: HTTPRoute, name: admin}]"));
  CHECK(codes(kGateway + route() + route("admin") + policy(parallel(96)) + policy(parallel(9), "admin", "admin"))
            .empty());
  CHECK(
      codes(kGateway + route() + replaced(route("admin"), "name: vllm", "name: other") + policy(parallel(96))).empty());
  CHECK(codes(route() + route("admin") + policy(parallel(96))).empty());  // its gateway may have one
  CHECK(codes(replaced(kGateway, "gateway.envoyproxy.io/gatewayclass-controller", "istio.io/gateway-controller") +
              route() + route("admin") + policy(parallel(96)))
            .empty());
}

TEST_CASE("verify of gateways: a field that is none") {
  const auto of = [](const std::string& spec) { return route() + policy(spec); };
  CHECK(codes(of("  circuitBreaker: {maxParalelRequests: 96}\n")) == "GP2014");
  CHECK(has(fixed(of("  circuitBreaker: {maxParalelRequests: 96}\n")), "maxParallelRequests: 96"));
  // Beside its block, below its block's key, deep below where it stands.
  CHECK(has(fixed(of("  timeout: {http: {requestTimeout: 60s}}\n  maxParallelRequests: 96\n")),
            "  circuitBreaker: {maxParallelRequests: 96}\n"));
  CHECK(has(fixed(of("  circuitBreaker:\n  maxParallelRequests: 96\n  maxConnections: 9\n")),
            "  circuitBreaker:\n    maxParallelRequests: 96\n    maxConnections: 9\n"));
  CHECK(has(fixed(of("  maxParallelRequests: 96\n  maxPendingRequests: 9\n")),
            "  circuitBreaker: {maxParallelRequests: 96, maxPendingRequests: 9}\n"));
  CHECK(has(fixed(of("  requestTimeout: 60s\n" + parallel(96))), "timeout: {http: {requestTimeout: 60s}}"));
  // Nobody knows what is meant.
  const std::string invented = of(parallel(96) + "    queueDepth: 12\n");
  CHECK(codes(invented) == "GP2014");
  CHECK(!has(run_gpol({"verify", "-"}, invented).out, "[tried"));
  // What may be called anything.
  CHECK(codes(of("  telemetry: {tracing: {customTags: {team: {type: Literal, literal: {value: a}}}}}\n")).empty());
  // It ends no verdict about queues of the same folder.
  const std::string queue =
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q, labels: {gpol.dev/role: serving}}\n"
      "spec: {resourceGroups: [{coveredResources: [nvidia.com/gpu], flavors: [{name: f, resources: [{name: "
      "nvidia.com/gpu, nominalQuota: 8}]}]}]}\n---\n";
  CHECK(has(run_gpol({"verify", "-"}, queue + invented).out, "8 GPUs"));
}

TEST_CASE("verify of gateways: no request may wait") {
  const std::string wrong = route() + policy(parallel(96) + "    maxPendingRequests: 0\n");
  CHECK(codes(wrong) == "GP2018");
  CHECK(has(fixed(wrong), "maxPendingRequests: 96"));
  CHECK(codes(route() + policy(parallel(96) + "    maxPendingRequests: 1\n")).empty());
  CHECK(codes(route() + policy(parallel(0))) == "GP2018");
  CHECK(codes(route() + policy(replaced(kRate, "requests: 10", "requests: 0"))) == "GP2018");
  CHECK(codes(route() + policy(replaced(kRate, "requests: 10", "requests: 1"))).empty());
  const std::string none = "  rateLimit: {global: {rules: [{limit: {requests: 0, unit: Hour}}]}}\n";
  CHECK(codes(route() + policy(none)) == "GP2018");
  CHECK(codes(route() + policy(replaced(none, "{limit", "{clientSelectors: [{path: {value: /a}}], limit"))).empty());
}

TEST_CASE("verify of gateways: retries and deadlines are advice") {
  const auto of = [](const std::string& spec, const std::string& rule = "") {
    return kGateway + kServer + route("chat", rule) + policy(parallel(96) + spec);
  };
  const std::string eager = "  retry: {numRetries: 3, retryOn: {triggers: [5xx]}}\n";
  CHECK(codes(of(eager)) == "GP2015");
  CHECK(run_gpol({"verify", "-"}, of(eager)).code == 3);
  CHECK(codes(of("  retry: {retryOn: {triggers: [reset]}}\n")) == "GP2015");  // two, where it does not say how many
  CHECK(codes(of("  retry: {numRetries: 0, retryOn: {triggers: [5xx]}}\n")).empty());
  CHECK(codes(of("  retry: {numRetries: 3}\n")) == "GP2015");  // 503 is among Envoy Gateway's own triggers
  CHECK(codes(of("  retry: {numRetries: 3, retryOn: {triggers: [connect-failure, refused-stream]}}\n")).empty());
  CHECK(codes(of("    maxParallelRetries: 0\n" + eager)).empty());
  CHECK(codes(of(eager, "    retry: {attempts: 0}\n")).empty());  // the route's own wins
  CHECK(codes(of("  retry: {numRetries: 1, perRetry: {timeout: 15s}}\n")) == "GP2015 GP2016");
  CHECK(codes(of("  retry: {numRetries: 1, perRetry: {timeout: 14s}}\n")) == "GP2015");
  CHECK(codes(of("  retry: {numRetries: 1, perRetry: {timeout: 15s}}\n", "    timeouts: {request: 20s}\n")) ==
        "GP2015");
  CHECK(codes(of("", "    timeouts: {request: 31s}\n")) == "GP2016");
  CHECK(codes(of("", "    timeouts: {request: 30s}\n")).empty());
  CHECK(codes(of("  timeout: {http: {requestTimeout: 0s, streamIdleTimeout: 0s}}\n")) == "GP2017");
  CHECK(codes(of("  timeout: {http: {requestTimeout: 0s, streamIdleTimeout: 0s, maxStreamDuration: 60s}}\n")).empty());
  CHECK(codes(of("  timeout: {http: {requestTimeout: 0s}}\n")).empty());  // the proxy's own end to silence
}

TEST_CASE("verify of gateways: limits of others are named, and not analysed") {
  const std::string ingress =
      "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: a, namespace: chat, annotations: "
      "{nginx.ingress.kubernetes.io/limit-rps: \"5\"}}\n---\n";
  CHECK(has(said(ingress), "not analysed: 1 Ingress with limits of NGINX (networking.k8s.io/v1)"));
  CHECK(has(said(replaced(ingress, "limit-rps", "app-root")), "not analysed: 1 Ingress (networking.k8s.io/v1)"));
  CHECK(!has(said(route() + policy(parallel(96))), "not analysed"));
}
