#include "compiler/policy/constructs.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpol {

namespace {

constexpr Construct of(std::string_view rule, std::string_view whole) { return {rule, {}, {}, {}, {}, {}, whole}; }

// In the order of the grammar: rule, words, proven or checked by, emitted as, planned for, told in.
constexpr Construct kConstructs[] = {
    of("declaration", "every declaration"),
    {"languageDecl", "language", "GP0208 unless it is one that is known", "", "", "", ""},
    {"importDecl", "import", "GP0312 unless it leads somewhere; what it brings is read like the rest", "", "", "", ""},
    {"defineDecl", "define", "GP0311 unless it can be used", "", "", "", ""},
    {"referenceDecl", "$NAME", "what its words say", "", "", "", ""},
    of("words", "defineDecl"),
    of("argument", "referenceDecl"),
    of("argumentWord", "referenceDecl"),
    of("argumentWords", "referenceDecl"),
    {"clusterDecl", "cluster", "", "names of Cohort and flavors", "", "", ""},
    of("clusterItem", "clusterDecl"),
    {"writersDecl", "writers", "premise objects-unchanged", "ValidatingAdmissionPolicy", "", "", ""},
    of("writer", "writersDecl"),
    {"guardDecl", "guard", "the premises that it keeps", "ValidatingAdmissionPolicyBinding", "", "", ""},
    {"exemptDecl", "exempt namespaces", "premise others-keep-off", "ValidatingAdmissionPolicy", "", "", ""},
    {"schedulerDecl", "scheduler", "claim, reclaim", "Configuration", "", "", ""},
    of("schedulerItem", "schedulerDecl"),
    {"roundTime", "round within", "reclaim", "", "", "", ""},
    {"releaseTime", "release within", "reclaim", "", "", "", ""},
    {"nodesDecl", "nodes", "capacity, fragmentation", "", "", "", ""},
    of("nodesItem", "nodesDecl"),
    {"nodesCount", "count", "capacity, fragmentation", "", "", "", ""},
    {"nodesEach", "each (of nodes)", "capacity, fragmentation", "`nominalQuota` of cpu, memory, pods", "", "", ""},
    {"nodesGpu", "gpu", "GP0201 unless the model is known", "", "", "the policy dump", ""},
    {"nodesDaemons", "daemons take", "capacity, fragmentation", "`nominalQuota` of cpu, memory, pods", "", "", ""},
    {"nodesTolerate", "tolerate", "capacity, fragmentation", "", "", "", ""},
    {"nodesSpot", "spot notice", "capacity, placement", "", "", "", ""},
    {"nodesCeiling", "ceiling", "", "", "slo", "", ""},
    {"nodesLead", "lead time", "", "", "slo", "", ""},
    {"poolDecl", "pool", "capacity, placement", "ResourceFlavor, node labels and taints", "", "", ""},
    {"poolLabel", "label (of a pool)", "placement; GP0321 unless it tells the pool's nodes from others",
     "`nodeLabels` of ResourceFlavor, ValidatingAdmissionPolicy", "", "", ""},
    {"poolTaint", "taint (of a pool)", "placement; premise admission-only; GP0321 unless it keeps pods off",
     "`tolerations` of ResourceFlavor, ValidatingAdmissionPolicy", "", "", ""},
    of("keyValue", "poolLabel and poolTaint"),
    {"cohortDecl", "cohort", "claim", "Cohort", "", "", ""},
    of("cohortItem", "cohortDecl"),
    {"windowDecl", "window", "claim, reclaim, for every switch at any time", "one kustomize overlay per set of windows",
     "", "", ""},
    {"classDecl", "class", "claim, reclaim", "WorkloadPriorityClass, labels", "", "", ""},
    of("classItem", "classDecl"),
    {"classReady", "ready within", "reclaim", "", "", "", ""},
    {"classGrace", "grace", "reclaim; premise batch-leaves; GP0304", "ValidatingAdmissionPolicy", "", "", ""},
    {"classKillMargin", "kill margin", "reclaim", "", "", "", ""},
    {"classCheckpoint", "checkpoint every", "", "", "", "the policy dump", ""},
    {"classRuns", "runs", "reclaim; premise batch-leaves", "ValidatingAdmissionPolicy", "reclaim", "", ""},
    {"classSlo", "slo", "", "", "slo", "", ""},
    {"classBurst", "burst", "", "", "slo", "", ""},
    {"classHeadroom", "headroom", "", "", "slo", "", ""},
    {"classFloor", "floor", "", "", "slo", "", ""},
    {"classPreemptible", "preemptible", "", "", "", "the policy dump: class C always is", ""},
    {"tenantDecl", "tenant", "claim, reclaim", "ClusterQueue, LocalQueue, Namespace, RBAC", "", "", ""},
    of("tenantItem", "tenantDecl"),
    {"tenantNamespace", "namespace", "premise own-namespaces", "Namespace, `namespaceSelector`", "", "", ""},
    {"tenantOwner", "owner", "", "", "", "the policy dump", ""},
    {"tenantClass", "class (of a tenant)", "claim, reclaim", "labels, priorities", "", "", ""},
    {"tenantReserve", "reserve", "claim, reclaim, capacity", "`nominalQuota`", "", "", ""},
    {"tenantQuota", "quota (of a tenant)", "capacity", "`nominalQuota`", "", "", ""},
    {"tenantReplica", "replica", "reclaim, fragmentation; premises shapes-kept, requests-as-declared",
     "ValidatingAdmissionPolicy where a pool is shared", "", "", ""},
    {"tenantReplicas", "replicas, surge", "GP0309 unless they fit the reserve", "", "", "", ""},
    {"tenantShape", "shape", "fragmentation, vacuity; premise shapes-kept", "ValidatingAdmissionPolicy", "", "", ""},
    {"tenantStart", "start", "reclaim", "", "", "", ""},
    {"tenantAsks", "asks at", "", "", "", "stories", ""},
    {"tenantBudget", "budget", "", "", "", "the policy dump", ""},
    {"tenantJobs", "at most ... jobs", "premise jobs-bounded", "ResourceQuota, ValidatingAdmissionPolicy", "", "", ""},
    {"tenantQueue", "queue", "claim, reclaim", "ClusterQueue.spec", "", "", ""},
    {"tenantOutside", "outside the queue, preempts batch",
     "claim, reclaim, capacity, fragmentation; premises outside-preempts, pods-do-not-preempt, scheduler-as-upstream, "
     "batch-stays",
     "PriorityClass, ValidatingAdmissionPolicy", "", "", ""},
    of("namespaceName", "tenantNamespace"),
    of("queueBlock", "tenantQueue"),
    of("startTerm", "tenantStart"),
    {"source", "(measured ...)", "", "", "", "the policy dump", ""},
    {"quotaClause", "quota", "claim, capacity", "`nominalQuota`", "", "", ""},
    {"limitClause", "lend, borrow", "claim", "`lendingLimit`, `borrowingLimit`", "", "", ""},
    of("limitAtMost", "limitClause"),
    of("limitNone", "limitClause"),
    of("queueItem", "tenantQueue"),
    {"queueCohort", "cohort (of a queue)", "claim", "`cohortName`", "", "", ""},
    {"queueLimit", "lend, borrow (of a queue)", "claim", "`lendingLimit`, `borrowingLimit`", "", "", ""},
    {"queueSetting", "queueingStrategy and the like", "claim, reclaim", "ClusterQueue.spec", "", "", ""},
    {"allowDecl", "allow", "claim (what is permitted), reclaim (`back within`), vacuity",
     "`lendingLimit`, `borrowingLimit` of overlays", "", "", ""},
    of("proveDecl", "the two kinds of it"),
    {"proveHolds", "prove ... never holds", "claim, vacuity", "", "", "", ""},
    {"proveReady", "prove ... ready within", "reclaim, vacuity", "", "", "", ""},
    {"trustDecl", "trust", "the premise that it accepts", "", "", "", ""},
    {"untilClause", "until", "the premise: with `--as-of` after that day it is open", "", "", "the headline", ""},
    {"partitionMig", "as mig", "partition, capacity", "mig-parted configuration, label commands, ClusterPolicy", "", "",
     ""},
    of("migLayout", "partitionMig"),
    of("migSlices", "partitionMig"),
    {"migCounts", "as mig for", "partition, capacity", "mig-parted configuration, label commands, ClusterPolicy", "",
     "", ""},
    {"partitionTimeSlices", "as time-slices", "partition, capacity",
     "configuration of the device plugin, label commands, ClusterPolicy", "", "", ""},
    {"partitionMps", "as mps", "partition, capacity",
     "configuration of the device plugin, label commands, ClusterPolicy", "", "", ""},
    {"partitionFractions", "as fractions", "", "", "partition", "", ""},
    {"partitionDra", "as dra", "", "", "partition", "", ""},
    {"partitionWhole", "as whole", "", "", "", "the policy dump: it is the default", ""},
    of("partition", "poolDecl"),
    {"hardwareDecl", "hardware", "GP0201, partition for the nodes that name it", "", "", "the policy dump", ""},
    of("hardwareItem", "hardwareDecl"),
    {"hardwareMemory", "memory (of a GPU)", "", "", "", "the policy dump", ""},
    {"hardwareSlices", "slices", "partition", "", "", "", ""},
    {"hardwareEngines", "engines", "partition", "", "", "", ""},
    {"hardwarePlacements", "placements", "", "", "", "the policy dump, the hint of GP1801", ""},
    {"hardwareMig", "mig", "GP0201, partition", "", "", "", ""},
    of("migBlock", "hardwareMig"),
    of("migItem", "hardwareMig"),
    {"migCompute", "compute", "partition", "", "", "", ""},
    {"migMemory", "memory (of a slice)", "partition", "", "", "", ""},
    {"migStarts", "starts at", "partition", "", "", "", ""},
    {"migMost", "at most (of a slice)", "partition", "", "", "", ""},
    {"migEngines", "engines (of a slice)", "partition", "", "", "", ""},
    of("engineCounts", "hardwareEngines and migEngines"),
    of("engineCount", "hardwareEngines and migEngines"),
    {"serviceDecl", "service", "", "", "", "the policy dump", ""},
    of("serviceItem", "serviceDecl"),
    {"serviceReplicas", "replicas (of a service)", "gateway; GP0309", "", "", "", ""},
    {"serviceEach", "each (of a service)", "gateway", "", "", "", ""},
    {"serviceThroughput", "throughput", "gateway (streams, req/s)", "", "slo", "", ""},
    {"serviceVariation", "variation", "", "", "slo", "", ""},
    {"serviceRequests", "requests", "", "", "gateway", "", ""},
    {"serviceEngine", "engine", "", "", "serving", "", ""},
    of("requestsBlock", "serviceRequests"),
    of("requestItem", "serviceRequests"),
    of("engineBlock", "serviceEngine"),
    of("engineItem", "serviceEngine"),
    of("engineValue", "serviceEngine"),
    {"gatewayDecl", "limit ... at gateway", "gateway", "BackendTrafficPolicy", "", "", ""},
    of("gatewayItem", "gatewayDecl"),
    {"gatewayAtMost", "at most (of a limit)", "gateway (streams, req/s)", "BackendTrafficPolicy", "gateway", "", ""},
    of("gatewayAmount", "gatewayAtMost"),
    of("gatewayScope", "gatewayAtMost"),
    {"gatewayProxies", "on ... proxies", "gateway", "", "", "", ""},
    {"gatewayRoute", "route", "premise routes-as-declared", "`targetRefs` of BackendTrafficPolicy", "", "", ""},
    {"gatewayQueue", "queue ... for", "", "", "gateway", "", ""},
    {"gatewayElse", "else ... retry", "", "`responseOverride` of BackendTrafficPolicy", "", "", ""},
    {"calendarDecl", "calendar", "", "", "", "the policy dump: windows are proven for every switch at any time", ""},
    {"exceptClause", "except", "", "", "", "the policy dump: likewise", ""},
    of("duringClause", "classSlo and leverNoAllow"),
    {"priceDecl", "price", "", "", "", "the policy dump", ""},
    {"incidentDecl", "incident", "", "", "", "the policy dump", ""},
    {"leverDecl", "lever", "", "", "", "the policy dump", ""},
    of("leverItem", "leverDecl"),
    {"leverNoAllow", "no allow", "", "", "transition", "", ""},
    {"leverHold", "hold", "", "", "transition", "", ""},
    {"leverBy", "by (of a lever)", "", "", "", "the policy dump", ""},
    {"approveDecl", "approve changes", "", "", "", "`gpol diff`, which says whose approval a change needs", ""},
    {"unitSlices", "x PROFILE", "claim, reclaim, capacity", "quotas of `nvidia.com/mig-PROFILE`", "", "", ""},
    of("rate", "the clauses that state one"),
    of("amounts", "the clauses that state them"),
    of("quantity", "the clauses that state one"),
    of("unit", "the clauses that state a quantity"),
    of("unitWord", "the clauses that state a quantity"),
    of("unitGpu", "the clauses that state a quantity"),
    of("name", "whatever it names"),
};

}  // namespace

std::span<const Construct> constructs() { return kConstructs; }

const Construct* construct(std::string_view rule) {
  const auto found = std::ranges::find(kConstructs, rule, &Construct::rule);
  return found == std::end(kConstructs) ? nullptr : found;
}

bool is_unwritten(std::string_view rule) {
  return rule == "classRuns" || rule == "gatewayQueue" || rule == "gatewayAtMost" || rule == "partitionFractions" ||
         rule == "partitionDra";
}

std::string construct_table() {
  std::string out =
      "| construct | proven or checked by | emitted as | planned for | told in |\n|---|---|---|---|---|\n";
  for (const Construct& c : kConstructs)
    if (c.part.empty())
      out += fmt::format("| `{}` | {} | {} | {} | {} |\n", c.words, c.proven, c.emitted, c.planned, c.told);
  return out;
}

}  // namespace gpol
