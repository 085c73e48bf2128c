#include "checker/observe/served.h"

#include "checker/observe/fields.h"
#include "checker/observe/problems.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest {
namespace {

constexpr std::string_view kKinds[] = {
    "ClusterQueue",          "LocalQueue",        "ResourceFlavor",           "Cohort",
    "WorkloadPriorityClass", "Topology",          "AdmissionCheck",           "Workload",
    "MultiKueueConfig",      "MultiKueueCluster", "ProvisioningRequestConfig"};

bool is_kueues(std::string_view kind) { return contains(kKinds, kind); }

}  // namespace

std::optional<NotServed> not_served(const std::string& api, const std::string& kind) {
  const std::string group = group_of(api);
  const bool own = group == "kueue.x-k8s.io";
  if (group == "config.kueue.x-k8s.io" || (own && !is_kueues(kind)))
    return NotServed{"kind", "api:kind", shown(kind) + " is no kind of " + shown(api), {}};
  const std::string newest = "write `kueue.x-k8s.io/v1beta2`";
  if (own && !api.ends_with("/v1beta1") && !api.ends_with("/v1beta2"))
    return NotServed{"apiVersion", "api:version", shown(api) + " is not served by Kueue v0.19.2", newest};
  // A group of another name is another's, unless it is meant to be this one.
  const bool meant = group.empty() || (group.find("kueue") != std::string::npos &&
                                       (group.find("k8s") != std::string::npos || group.size() < 8) &&
                                       !group.ends_with(".kueue.x-k8s.io"));
  if (!own && meant && is_kueues(kind))
    return NotServed{"apiVersion", "api:group", shown(api) + " is no group of Kueue's", newest};
  return std::nullopt;
}

std::string taken_at_first(std::string_view kind, const Violation& violation) {
  const auto is = [&](std::string_view rule) { return violation.rule == rule; };
  const auto of = [&](std::string_view field) { return violation.field.ends_with(field); };
  const bool limit = of("borrowingLimit") || of("lendingLimit");
  const bool number = is("schema:type") && violation.at->kind == Node::Kind::Float && (of("nominalQuota") || limit);
  const bool absent = is("schema:required") && of("nominalQuota");
  if (kind != "ClusterQueue" || (!number && !absent)) return "";
  return "Kueue's webhook mends it in a ClusterQueue that is created, and every update with it is refused";
}

}  // namespace gpol::manifest
