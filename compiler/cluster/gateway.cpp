#include "compiler/cluster/gateway.h"

#include "compiler/cluster/fact_lines.h"
#include "compiler/source/duration.h"

namespace gpol {

std::string name_in_lines(const TrafficPolicy& policy) { return policy.ns + "/" + policy.name; }

Block block_of(const TrafficPolicy& policy) {
  Block block("trafficPolicy", name_in_lines(policy));
  const auto number = [](const std::optional<std::int64_t>& value) {
    return value ? std::to_string(*value) : "not stated";
  };
  block.fact("route", word(policy.route));
  block.fact("parallelRequests", number(policy.parallel));
  block.fact("pendingRequests", number(policy.pending));
  block.fact("connections", number(policy.connections));
  block.fact("retries", number(policy.retries));
  for (const auto& [field, rate] : {std::pair("bucket", &policy.bucket), std::pair("shared", &policy.shared)})
    if (*rate) block.fact(field, std::to_string((*rate)->requests) + " in each " + word((*rate)->unit));
  block.fact("timeout", number(policy.timeout_ms));
  block.fact("buffer", number(policy.buffer));
  if (policy.answer)
    block.fact("answer", std::to_string(policy.answer->status) + " after " +
                             std::to_string(policy.answer->retry_after) + " s " + word(policy.answer->body));
  return block;
}

std::string name_in_lines(const HttpRoute& route) { return route.ns + "/" + route.name; }

Block block_of(const HttpRoute& route) {
  Block block("httpRoute", name_in_lines(route));
  block.fact("gateway", word(route.gateway_ns) + " " + word(route.gateway) + " " + word(route.listener));
  block.fact("host", word(route.host));
  block.fact("path", word(route.path));
  block.fact("class", word(route.request_class));
  block.fact("service", word(route.service) + " " + std::to_string(route.port));
  return block;
}

std::string name_in_lines(const IngressPolicy& policy) { return policy.ns + "/" + policy.name; }

Block block_of(const IngressPolicy& policy) {
  Block block("networkPolicy", name_in_lines(policy));
  block.facts("pods", policy.pods);
  for (std::size_t i = 0; i < policy.from.size(); ++i) {
    const std::string field = "from." + std::to_string(i);
    block.fact(field, policy.from[i].ns.empty() ? "the same namespace" : word(policy.from[i].ns));
    block.facts(field + ".pods", policy.from[i].pods);
  }
  return block;
}

std::string gateway_duration(std::int64_t ms) {
  if (ms % 1000 == 0) return std::to_string(ms / 1000) + "s";
  return ms <= 99'999 ? std::to_string(ms) + "ms" : std::to_string(ms / 1000) + "s" + std::to_string(ms % 1000) + "ms";
}

std::optional<std::int64_t> ms_of_gateway_duration(std::string_view text) {
  static constexpr DurationUnit kUnits[] = {{"h", 3'600'000}, {"m", 60'000}, {"s", 1000}, {"ms", 1}};
  return read_duration(text, {.units = kUnits});
}

}  // namespace gpol
