#include "tests/unit/observe/manifests.h"

namespace gpol {
namespace {

using namespace manifests;

const std::string kPolicy = R"(apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: {name: gpol-chat, namespace: chat}
spec:
  targetRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: chat}]
  rateLimit: {local: {rules: [{limit: {requests: 50, unit: Second}}]}}
  circuitBreaker: {maxParallelRequests: 200, maxPendingRequests: 201, maxConnections: 202}
  requestBuffer: {limit: "1Mi"}
  retry: {numRetries: 1}
  responseOverride:
  - match: {statusCodes: [{type: Value, value: 429}]}
    source: Local
    response:
      contentType: application/json
      statusCode: 503
      header: {set: [{name: Retry-After, value: "7"}]}
      body: {type: Inline, inline: "{}"}
)";

std::string after(const std::string& from, const std::string& to) { return problems_of(edited(kPolicy, from, to)); }

}  // namespace

TEST_CASE("every field of a BackendTrafficPolicy is read") {
  const auto observed = observe_text(kPolicy);
  INFO(listed(observed));
  REQUIRE(observed.problems.empty());
  REQUIRE(observed.cluster.traffic_policies.size() == 1);
  const TrafficPolicy& policy = observed.cluster.traffic_policies[0];
  CHECK(policy.ns == "chat");
  CHECK(policy.name == "gpol-chat");
  CHECK(policy.route == "chat");
  CHECK(policy.bucket == TrafficPolicy::Bucket{50, "Second"});
  CHECK(policy.parallel == 200);
  CHECK(policy.pending == 201);
  CHECK(policy.connections == 202);
  CHECK(policy.retries == 1);
  CHECK(policy.buffer == 1'048'576);
  CHECK(policy.answer == TrafficPolicy::Answer{503, 7, "{}"});
}

TEST_CASE("what a BackendTrafficPolicy says beside that is a problem") {
  for (const auto& [from, to] : std::initializer_list<std::pair<const char*, const char*>>{
           {"kind: HTTPRoute", "kind: Gateway"},
           {"name: chat}]\n", "name: chat, sectionName: a}]\n"},
           {"requests: 50", "requests: 0"},
           {"unit: Second", "unit: Week"},
           {"unit: Second}}", "unit: Second}, clientSelectors: []}"},
           {"{local:", "{global: {}, local:"},
           {"maxConnections: 202", "maxParallelRetries: 3"},
           {"numRetries: 1", "numRetries: 1, retryOn: {}"},
           {"limit: \"1Mi\"", "limit: some"},
           {"limit: \"1Mi\"", "limit: 1Mi, other: 1"},
           {"source: Local", "source: All"},
           {"value: 429", "value: 500"},
           {"value: \"7\"", "value: soon"},
           {"  retry:", "  timeout: {tcp: {connectTimeout: 1s}}\n  retry:"},
           {"type: Inline", "type: ValueRef"}}) {
    INFO(from << " -> " << to);
    CHECK_FALSE(after(from, to).empty());
  }
}

}  // namespace gpol
