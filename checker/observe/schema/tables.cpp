#include "checker/observe/schema/tables.h"

#include "checker/observe/schema/parts.h"
#include "checker/observe/schema/tables_v1beta1.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest::schema {
namespace {

constexpr Field kAdmissionCheckRule[] = {
    {"name", text().sized(1, 316).required()},
    {"onFlavors", list_of(kName).upto(64).set()},
};
constexpr Field kAdmissionChecksStrategy[] = {
    {"admissionChecks", list_of(kAdmissionCheckRule).by("name").sized(1, 64).required()},
};
constexpr Field kAdmissionScope[] = {
    {"admissionMode", words("UsageBasedAdmissionFairSharing NoAdmissionFairSharing").required()},
};
constexpr Field kMigrationConstraints[] = {
    {"lastAcceptableFlavorName", name()},
};
constexpr Field kMigration[] = {
    {"mode", words("TryPreferredFlavors RetainFirstAdmission").upto(253).required()},
    {"constraints", object(kMigrationConstraints)},
};
constexpr Field kConcurrentAdmission[] = {
    {"migration", object(kMigration).required()},
};
constexpr Field kFlavorFungibility[] = {
    {"whenCanBorrow", words("MayStopSearch TryNextFlavor").or_else("MayStopSearch")},
    {"whenCanPreempt", words("MayStopSearch TryNextFlavor").or_else("TryNextFlavor")},
    {"preference", words("BorrowingOverPreemption PreemptionOverBorrowing")},
};
constexpr Field kClusterQueueSpec[] = {
    {"cohortName", name()},
    {"resourceGroups", kResourceGroups},
    {"queueingStrategy", words("StrictFIFO BestEffortFIFO").or_else("BestEffortFIFO")},
    {"namespaceSelector", object(kLabelSelector)},
    {"flavorFungibility", object(kFlavorFungibility).or_else("{}")},
    {"preemption", object(kPreemption).or_else("{}")},
    {"admissionChecksStrategy", object(kAdmissionChecksStrategy)},
    {"stopPolicy", words(kStopPolicies).or_else("None")},
    {"fairSharing", object(kFairSharing)},
    {"admissionScope", object(kAdmissionScope)},
    {"concurrentAdmissionPolicy", object(kConcurrentAdmission)},
};

constexpr Field kCohortSpec[] = {
    {"parentName", name()},
    {"resourceGroups", kResourceGroups},
    {"fairSharing", object(kFairSharing)},
};

constexpr Field kLocalQueueSpec[] = {
    {"clusterQueue", name()},
    {"stopPolicy", words(kStopPolicies).or_else("None")},
    {"fairSharing", object(kFairSharing)},
};

constexpr Field kTaint[] = {
    {"key", text().required()},
    {"value", text()},
    {"effect", text().required()},
    {"timeAdded", text().like(Syntax::DateTime)},
};
constexpr Field kToleration[] = {
    {"key", text()}, {"operator", text()}, {"value", text()}, {"effect", text()}, {"tolerationSeconds", int64()},
};
constexpr Field kResourceFlavorSpec[] = {
    {"nodeLabels", map_of(kText).upto(8)},
    {"nodeTaints", list_of(kTaint).upto(8)},
    {"tolerations", list_of(kToleration).upto(8)},
    {"topologyName", name()},
};

constexpr Field kTopologyLevel[] = {
    {"nodeLabel", text().sized(1, 316).like(Syntax::LabelKey).required()},
};
constexpr Field kTopologySpec[] = {
    {"levels", list_of(kTopologyLevel).sized(1, 16).required()},
};

constexpr Field kCheckParameters[] = {
    {"apiGroup", name().from(1).required()},
    {"kind", text().sized(1, 63).like(Syntax::KindWord).required()},
    {"name", text().sized(1, 63).like(Syntax::Label).required()},
};
constexpr Field kAdmissionCheckSpec[] = {
    {"controllerName", text().sized(1, 253).required()},
    {"parameters", object(kCheckParameters)},
};

constexpr Field kSliceConstraint[] = {
    {"topology", text().sized(1, 63).required()},
    {"size", int32().from(1).required()},
};
constexpr Field kTopologyRequest[] = {
    {"required", text(63)},
    {"preferred", text(63)},
    {"unconstrained", boolean()},
    {"podIndexLabel", text(317)},
    {"subGroupIndexLabel", text(317)},
    {"subGroupCount", int32()},
    {"podSetGroupName", text(256)},
    {"podSetSliceRequiredTopology", text(63)},
    {"podSetSliceSize", int32()},
    {"podsetSliceRequiredTopologyConstraints", list_of(kSliceConstraint).upto(3)},
};
constexpr Field kPodSet[] = {
    {"name", kPodSetName},
    {"template", object(kPodTemplate).required()},
    {"count", int32().from(0).or_else("1")},
    {"minCount", int32().from(1)},
    {"topologyRequest", object(kTopologyRequest)},
};
constexpr Field kPriorityClassRef[] = {
    {"group", words("kueue.x-k8s.io scheduling.k8s.io").required()},
    {"kind", words("WorkloadPriorityClass PriorityClass").required()},
    {"name", name().from(1).required()},
};
constexpr Field kPreemptionGate[] = {
    {"name", text().sized(1, 63).required()},
};
constexpr Field kWorkloadSpec[] = {
    {"podSets", list_of(kPodSet).by("name").sized(1, 18)},
    {"queueName", name()},
    {"priorityClassRef", object(kPriorityClassRef)},
    {"priority", int32()},
    {"active", boolean().or_else("true")},
    {"maximumExecutionTimeSeconds", int32().from(1)},
    {"preemptionGates", list_of(kPreemptionGate).by("name").upto(8)},
};

constexpr auto kClusterQueue = with_spec(kClusterQueueSpec), kCohort = with_spec(kCohortSpec);
constexpr auto kLocalQueue = with_spec(kLocalQueueSpec), kAdmissionCheck = with_spec(kAdmissionCheckSpec);
constexpr auto kWorkload = with_spec(kWorkloadSpec);
constexpr auto kResourceFlavor = without_status(kResourceFlavorSpec), kTopology = without_status(kTopologySpec);
constexpr auto kWorkloadPriorityClass = with_value(text(2048));

constexpr Kind kKinds[] = {
    {kV1beta2, "ClusterQueue", false, object(kClusterQueue)},
    {kV1beta2, "Cohort", false, object(kCohort)},
    {kV1beta2, "LocalQueue", true, object(kLocalQueue)},
    {kV1beta2, "ResourceFlavor", false, object(kResourceFlavor)},
    {kV1beta2, "Topology", false, object(kTopology)},
    {kV1beta2, "WorkloadPriorityClass", false, object(kWorkloadPriorityClass)},
    {kV1beta2, "AdmissionCheck", false, object(kAdmissionCheck)},
    {kV1beta2, "Workload", true, object(kWorkload)},
    // These have no field of their own in v1beta1.
    {kV1beta1, "Cohort", false, object(kCohort)},
    {kV1beta1, "LocalQueue", true, object(kLocalQueue)},
    {kV1beta1, "ResourceFlavor", false, object(kResourceFlavor)},
    {kV1beta1, "Topology", false, object(kTopology)},
    {kV1beta1, "ClusterQueue", false, object(v1beta1::kClusterQueue)},
    {kV1beta1, "WorkloadPriorityClass", false, object(v1beta1::kWorkloadPriorityClass)},
    {kV1beta1, "AdmissionCheck", false, object(v1beta1::kAdmissionCheck)},
    {kV1beta1, "Workload", true, object(v1beta1::kWorkload)},
};

}  // namespace

std::span<const Kind> kinds() { return kKinds; }

const Kind* kind_of(std::string_view api, std::string_view name) {
  return find_where(kKinds, [&](const Kind& k) { return k.api == api && k.name == name; });
}

}  // namespace gpol::manifest::schema
