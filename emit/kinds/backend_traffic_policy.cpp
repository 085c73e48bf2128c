#include "emit/kinds/kinds.h"

namespace gpol::kinds {

namespace {

yaml::Value rules(const TrafficPolicy::Bucket& bucket) {
  yaml::Map limit{{"requests", bucket.requests}, {"unit", bucket.unit}};
  return yaml::Map{{"rules", yaml::List{yaml::Map{{"limit", std::move(limit)}}}}};
}

// Of the proxy's own 429 alone: the backend's is the backend's to explain.
yaml::Value answers(const TrafficPolicy::Answer& answer) {
  yaml::Map match{{"statusCodes", yaml::List{yaml::Map{{"type", "Value"}, {"value", std::int64_t{429}}}}}};
  yaml::Map retry{{"name", "Retry-After"}, {"value", std::to_string(answer.retry_after)}};
  yaml::Map response{{"contentType", "application/json"},
                     {"statusCode", answer.status},
                     {"header", yaml::Map{{"set", yaml::List{std::move(retry)}}}},
                     {"body", yaml::Map{{"type", "Inline"}, {"inline", answer.body}}}};
  return yaml::List{yaml::Map{{"match", std::move(match)}, {"source", "Local"}, {"response", std::move(response)}}};
}

}  // namespace

yaml::Value backend_traffic_policy(const TrafficPolicy& policy) {
  yaml::Map target{{"group", "gateway.networking.k8s.io"}, {"kind", "HTTPRoute"}, {"name", policy.route}};
  yaml::Map spec{{"targetRefs", yaml::List{std::move(target)}}};
  yaml::Map rates;
  if (policy.shared) rates.emplace_back("global", rules(*policy.shared));
  if (policy.bucket) rates.emplace_back("local", rules(*policy.bucket));
  if (!rates.empty()) spec.emplace_back("rateLimit", std::move(rates));
  if (policy.parallel) {
    yaml::Map breaker{{"maxParallelRequests", *policy.parallel}};
    if (policy.pending) breaker.emplace_back("maxPendingRequests", *policy.pending);
    if (policy.connections) breaker.emplace_back("maxConnections", *policy.connections);
    spec.emplace_back("circuitBreaker", std::move(breaker));
  }
  if (policy.timeout_ms)
    spec.emplace_back("timeout",
                      yaml::Map{{"http", yaml::Map{{"requestTimeout", gateway_duration(*policy.timeout_ms)}}}});
  if (policy.buffer) spec.emplace_back("requestBuffer", yaml::Map{{"limit", std::to_string(*policy.buffer)}});
  if (policy.retries) spec.emplace_back("retry", yaml::Map{{"numRetries", *policy.retries}});
  if (policy.answer) spec.emplace_back("responseOverride", answers(*policy.answer));
  return with(object({.api_version = "gateway.envoyproxy.io/v1alpha1",
                      .kind = "BackendTrafficPolicy",
                      .name = policy.name,
                      .ns = policy.ns}),
              "spec", std::move(spec));
}

}  // namespace gpol::kinds
