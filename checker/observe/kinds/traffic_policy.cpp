#include "checker/observe/kinds/kinds.h"
#include "checker/observe/quantity.h"

namespace gpol::manifest {

namespace {

std::string read_target(const View& spec) {
  std::string route;
  only(spec, "targetRefs", [&](const View& target) {
    must_be(target, "group", "gateway.networking.k8s.io");
    must_be(target, "kind", "HTTPRoute");
    route = target.required_text("name");
  });
  return route;
}

// A rule without selectors: all requests of the route count. `kind`: `local` or `global`.
std::optional<TrafficPolicy::Bucket> read_rule(const View& limits, std::string_view kind) {
  const auto rates = limits.map(kind);
  if (!rates) return std::nullopt;
  TrafficPolicy::Bucket bucket;
  only(*rates, "rules", [&](const View& rule) {
    const auto limit = rule.required_map("limit");
    if (!limit) return;
    bucket.requests = limit->integer("requests").value_or(0);
    static constexpr std::pair<std::string_view, std::string_view> units[] = {
        {"Second", "Second"}, {"Minute", "Minute"}, {"Hour", "Hour"}};
    if (bucket.requests <= 0) limit->problem("requests", "is no number of requests above 0");
    bucket.unit = limit->choice<std::string_view>("unit", units, "");
    if (bucket.unit.empty() && !limit->has("unit")) limit->problem("unit", "is missing");
    limit->finish();
  });
  rates->finish();
  return bucket;
}

void read_rates(const View& spec, TrafficPolicy& policy) {
  const auto limits = spec.map("rateLimit");
  if (!limits) return;
  policy.bucket = read_rule(*limits, "local");
  policy.shared = read_rule(*limits, "global");
  if (!policy.bucket && !policy.shared) spec.problem("rateLimit", "limits nothing");
  limits->finish();
}

std::optional<std::int64_t> read_timeout(const View& spec) {
  const auto timeout = spec.map("timeout");
  if (!timeout) return std::nullopt;
  std::optional<std::int64_t> ms;
  if (const auto http = timeout->required_map("http")) {
    ms = ms_of_gateway_duration(http->required_text("requestTimeout"));
    if (!ms) http->problem("requestTimeout", "is no duration of Gateway API");
    http->finish();
  }
  timeout->finish();
  return ms;
}

std::optional<TrafficPolicy::Answer> read_answer(const View& spec) {
  if (!spec.has("responseOverride")) return std::nullopt;
  TrafficPolicy::Answer answer;
  only(spec, "responseOverride", [&](const View& item) {
    must_be(item, "source", "Local");
    if (const auto match = item.required_map("match")) {
      only(*match, "statusCodes", [](const View& code) {
        must_be(code, "type", "Value");
        if (code.integer("value") != 429) code.problem("value", "is not 429");
      });
      match->finish();
    }
    const auto response = item.required_map("response");
    if (!response) return;
    must_be(*response, "contentType", "application/json");
    answer.status = response->integer("statusCode").value_or(429);
    if (const auto header = response->required_map("header")) {
      only(*header, "set", [&](const View& set) {
        must_be(set, "name", "Retry-After");
        const std::string value = set.required_text("value");
        if (value.size() > 9 || !only_digits(value)) return set.problem("value", "is no number of seconds");
        answer.retry_after = value.empty() ? 0 : std::stoll(value);
      });
      header->finish();
    }
    if (const auto body = response->required_map("body")) {
      must_be(*body, "type", "Inline");
      answer.body = body->required_text("inline");
      body->finish();
    }
    response->finish();
  });
  return answer;
}

}  // namespace

// Fields: api/v1alpha1 of envoyproxy/gateway v1.9.1. Only what `build` writes is understood.
void read_traffic_policy(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "BackendTrafficPolicy", Scope::Namespaced);
  TrafficPolicy policy;
  if (const auto spec = object.required_map("spec")) {
    policy.route = read_target(*spec);
    read_rates(*spec, policy);
    policy.timeout_ms = read_timeout(*spec);
    if (const auto breaker = spec->map("circuitBreaker")) {
      policy.parallel = breaker->integer("maxParallelRequests");
      policy.pending = breaker->integer("maxPendingRequests");
      policy.connections = breaker->integer("maxConnections");
      breaker->finish();
    }
    if (const auto buffer = spec->map("requestBuffer")) {
      const Amount size = amount_of(buffer->required_text("limit"), "memory");
      if (size.status != Amount::Status::Ok) buffer->problem("limit", "is no size");
      policy.buffer = size.value;
      buffer->finish();
    }
    if (const auto retry = spec->map("retry")) {
      policy.retries = retry->integer("numRetries");
      retry->finish();
    }
    policy.answer = read_answer(*spec);
    spec->finish();
  }
  keep(object, metadata, policy, draft.cluster.traffic_policies);
}

}  // namespace gpol::manifest
