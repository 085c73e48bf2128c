#include "compiler/cluster/feature_gates.h"

#include <algorithm>
#include <iterator>

namespace gpol {
namespace {

using If = FeatureGate::If;

constexpr FeatureGate kFeatureGates[] = {
    {"AdmissionFairSharing", true},
    {"AdmissionGatedBy", true},
    {"AssignQueueLabelsForPods", true},
    {"CleanupProvisioningRequestsOnEviction", true},
    {"ConcurrentAdmission", false, If::Modelled},
    {"CustomMetricLabels", false},
    {"DeferRayServiceFinalizationForRedisCleanup", true},
    {"DisableWaitForPodsReady", false, If::Matters},
    {"ElasticJobsViaWorkloadSlices", true},
    {"ElasticJobsViaWorkloadSlicesWithTAS", false},
    {"FailureRecoveryPolicy", false, If::Matters},
    {"FairSharingPreemptWithinNominal", true, If::Modelled},
    {"FairSharingPrioritizeNonBorrowing", true, If::Modelled},
    {"FastQuotaReleaseInPodIntegration", false, If::Matters},
    {"FinishOrphanedWorkloads", true},
    {"FlavorFungibility", true, If::Modelled},
    {"FlavorFungibilityPreserveScanProgress", true, If::Modelled},
    {"HierarchicalCohorts", true, If::Locked},
    {"KueueDRAIntegration", true, If::Matters},
    {"KueueDRAIntegrationConsumableCapacity", false, If::Matters},
    {"KueueDRAIntegrationExtendedResource", true, If::Matters},
    {"KueueDRAIntegrationPartitionableDevices", true, If::Matters},
    {"KueueDRARejectWorkloadsWhenDRADisabled", true, If::Matters},
    {"LWSImmutableGroupSize", true, If::Matters},
    {"LocalQueueMetrics", true},
    {"ManagedJobsNamespaceSelectorAlwaysRespected", true, If::Locked},
    {"MetricForWorkloadCreationLatency", true},
    {"MetricsForCohorts", true},
    {"MultiKueue", true, If::Matters},
    {"MultiKueueAdaptersForCustomJobs", true},
    {"MultiKueueAllowInsecureKubeconfigs", false, If::Locked},
    {"MultiKueueClusterProfile", false},
    {"MultiKueueIncrementalDispatcherConfig", true},
    {"MultiKueueIncrementalDispatcherRespectConfigOrder", true},
    {"MultiKueueKubeConfigPathValidation", false},
    {"MultiKueueManagerQuotaAutomation", false, If::Matters},
    {"MultiKueueOrchestratedPreemption", false, If::Modelled},
    {"MultiKueueRedoAdmissionOnEvictionInWorker", true, If::Locked},
    {"MultiKueueRemoteSpecSync", true},
    {"MultiKueueWaitForWorkloadAdmitted", true, If::Locked},
    {"ObjectRetentionPolicies", true, If::Locked},
    {"PartialAdmission", true},
    {"PodIntegrationValidateGroupOwner", true, If::Matters},
    {"PrioritizePreemptorWorkloads", false, If::Modelled},
    {"PriorityBoost", false, If::Modelled},
    {"PrioritySortingWithinCohort", true, If::Modelled},
    {"PropagateBatchJobLabelsToWorkload", true, If::Locked},
    {"QuotaCheckStrategy", true, If::Modelled},
    {"ReclaimablePods", true},
    {"RecomputeAssignmentUponPreemptionTargetsOverlap", false, If::Modelled},
    {"RejectUpdatesToCQWithInvalidOnFlavors", false},
    {"RemoveFinalizersWithStrictPatch", true},
    {"SchedulerLibraryIntegration", false, If::Matters},
    {"SchedulerLongRequeueInterval", false},
    {"SchedulerTimestampPreemptionBuffer", false, If::Modelled},
    {"SchedulingEquivalenceHashing", true, If::Modelled},
    {"ShortWorkloadNames", false},
    {"SkipAncestorCheckForDeletedWorkloads", true},
    {"SkipFinalizersForPodsSuspendedByParent", true, If::Locked},
    {"SkipReassignmentForPodOwnedWorkloads", true},
    {"SparkApplicationIntegration", false},
    {"TASAssignmentsEncodingByHostnamePrefix", true},
    {"TASBalancedPlacement", false},
    {"TASCacheNodeMatchResults", true},
    {"TASCacheTopologyTree", false},
    {"TASCachingRemainingResources", true},
    {"TASFailedNodeReplacement", true},
    {"TASFailedNodeReplacementFailFast", true},
    {"TASHandleOverlappingFlavors", true},
    {"TASMultiLayerTopology", true},
    {"TASProfileMixed", true},
    {"TASRecomputeAssignmentWithinSchedulingCycle", true},
    {"TASReplaceNodeDueToNotReadyOverFixedTime", false},
    {"TASReplaceNodeOnNodeTaints", true},
    {"TASReplaceNodeOnPodTermination", true},
    {"TASRespectNodeAffinityPreferred", false},
    {"TASValidateWorkloadSliceSize", true},
    {"TLSOptions", true},
    {"TopologyAwareScheduling", true},
    {"UnadmittedWorkloadsExplicitStatus", false},
    {"UnadmittedWorkloadsObservability", false},
    {"ValidateRayAndSparkJobUpdates", true, If::Matters},
    {"VectorizedResourceRequests", true, If::Matters},
    {"VisibilityOnDemand", true},
    {"WorkloadIdentifierAnnotations", true},
    {"WorkloadPriorityClassDefaulting", false, If::Matters},
    {"WorkloadRequestUseMergePatch", false},
    {"WorkloadValidateResourcesAreNonNegative", true, If::Matters},
    {"WorkloadValidationForPodSetMetadata", true, If::Matters},
};

constexpr std::string_view kTopologies = "TopologyAwareScheduling", kReplacement = "TASFailedNodeReplacement",
                           kDevices = "KueueDRAIntegration", kSlices = "ElasticJobsViaWorkloadSlices";
constexpr GateNeed kNeeds[] = {
    {"TASProfileMixed", kTopologies},
    {"TASHandleOverlappingFlavors", kTopologies},
    {kReplacement, kTopologies},
    {"TASFailedNodeReplacementFailFast", kTopologies},
    {"TASFailedNodeReplacementFailFast", kReplacement},
    {"TASReplaceNodeOnPodTermination", kTopologies},
    {"TASReplaceNodeOnPodTermination", kReplacement},
    {"TASReplaceNodeDueToNotReadyOverFixedTime", kTopologies},
    {"TASReplaceNodeDueToNotReadyOverFixedTime", kReplacement},
    {"TASBalancedPlacement", kTopologies},
    {"TASReplaceNodeOnNodeTaints", kTopologies},
    {"TASMultiLayerTopology", kTopologies},
    {"TASRespectNodeAffinityPreferred", kTopologies},
    {"TASRecomputeAssignmentWithinSchedulingCycle", kTopologies},
    {"UnadmittedWorkloadsExplicitStatus", "UnadmittedWorkloadsObservability"},
    {"ElasticJobsViaWorkloadSlicesWithTAS", kSlices},
    {"ElasticJobsViaWorkloadSlicesWithTAS", kTopologies},
    {"KueueDRAIntegrationExtendedResource", kDevices},
    {"KueueDRAIntegrationPartitionableDevices", kDevices},
    {"KueueDRAIntegrationConsumableCapacity", kDevices},
};

}  // namespace

std::vector<GateNeed> gates_without_need(const std::function<bool(std::string_view)>& is_on) {
  std::vector<GateNeed> broken;
  std::ranges::copy_if(kNeeds, std::back_inserter(broken),
                       [&](const GateNeed& need) { return is_on(need.gate) && !is_on(need.needed); });
  return broken;
}

std::span<const FeatureGate> feature_gates() { return kFeatureGates; }

bool is_on_by_default(std::string_view name) {
  return std::ranges::any_of(kFeatureGates, [&](const FeatureGate& one) { return one.name == name && one.by_default; });
}

std::string gate_not_understood(std::string_view name, bool on) {
  if (name == "AllAlpha" || name == "AllBeta") return "switches many feature gates at once: name those that are meant";
  const auto* const gate = std::ranges::find(kFeatureGates, name, &FeatureGate::name);
  if (gate == std::end(kFeatureGates)) return "is no feature gate of Kueue v0.19.2, which does not start with it";
  if (gate->by_default == on || gate->changed == If::Harmless || gate->changed == If::Modelled) return {};
  return gate->changed == If::Locked ? "cannot be changed in Kueue v0.19.2, which does not start with it"
                                     : "changes what is not modelled";
}

}  // namespace gpol
