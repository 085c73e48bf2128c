#include "compiler/cluster/gateway.h"

#include "compiler/cluster/fact_lines.h"

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
  if (policy.bucket)
    block.fact("bucket", std::to_string(policy.bucket->requests) + " in each " + word(policy.bucket->unit));
  if (policy.answer)
    block.fact("answer", std::to_string(policy.answer->status) + " after " +
                             std::to_string(policy.answer->retry_after) + " s " + word(policy.answer->body));
  return block;
}

}  // namespace gpol
