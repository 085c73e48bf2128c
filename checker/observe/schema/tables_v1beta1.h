// Where v1beta1 is of another structure than v1beta2: these four kinds. It is converted into v1beta2 before anything is
// made of it, and Kueue's webhooks see it converted; the structure and the CEL rules are those of its own CRD.
#pragma once

#include "checker/observe/schema/parts.h"

namespace gpol::manifest::schema::v1beta1 {

inline constexpr Type kCheckName = text(316);
inline constexpr Field kAdmissionCheckRule[] = {
    {"name", text(316).required()},
    {"onFlavors", list_of(kName)},
};
inline constexpr Field kAdmissionChecksStrategy[] = {
    {"admissionChecks", list_of(kAdmissionCheckRule)},
};
inline constexpr Field kAdmissionScope[] = {
    {"admissionMode", text().required()},
};
inline constexpr Field kFlavorFungibility[] = {
    {"whenCanBorrow", words("MayStopSearch TryNextFlavor Borrow").or_else("MayStopSearch")},
    {"whenCanPreempt", words("MayStopSearch TryNextFlavor Preempt").or_else("TryNextFlavor")},
    {"preference", words("BorrowingOverPreemption PreemptionOverBorrowing")},
};
inline constexpr Field kClusterQueueSpec[] = {
    {"cohort", name()},
    {"resourceGroups", kResourceGroups},
    {"queueingStrategy", words("StrictFIFO BestEffortFIFO").or_else("BestEffortFIFO")},
    {"namespaceSelector", object(kLabelSelector)},
    {"flavorFungibility", object(kFlavorFungibility).or_else("{}")},
    {"preemption", object(kPreemption).or_else("{}")},
    {"admissionChecks", list_of(kCheckName)},
    {"admissionChecksStrategy", object(kAdmissionChecksStrategy)},
    {"stopPolicy", words(kStopPolicies).or_else("None")},
    {"fairSharing", object(kFairSharing)},
    {"admissionScope", object(kAdmissionScope)},
};

inline constexpr Field kCheckParameters[] = {
    {"apiGroup", name().required()},
    {"kind", text(63).like(Syntax::KindWord).required()},
    {"name", text(63).like(Syntax::Label).required()},
};
inline constexpr Field kAdmissionCheckSpec[] = {
    {"controllerName", text().required()},
    {"retryDelayMinutes", int64().or_else("15")},
    {"parameters", object(kCheckParameters)},
};

inline constexpr Field kTopologyRequest[] = {
    {"required", text()},           {"preferred", text()},
    {"unconstrained", boolean()},   {"podIndexLabel", text()},
    {"subGroupIndexLabel", text()}, {"subGroupCount", int32()},
    {"podSetGroupName", text()},    {"podSetSliceRequiredTopology", text()},
    {"podSetSliceSize", int32()},
};
inline constexpr Field kPodSet[] = {
    {"name", kPodSetName},
    {"template", object(kPodTemplate).required()},
    {"count", int32().from(0).or_else("1").required()},
    {"minCount", int32().from(1)},
    {"topologyRequest", object(kTopologyRequest)},
};
inline constexpr Field kWorkloadSpec[] = {
    {"podSets", list_of(kPodSet).by("name").sized(1, 18).required()},
    {"queueName", name()},
    {"priorityClassName", name()},
    // Empty is a third choice, and the default.
    {"priorityClassSource", words("kueue.x-k8s.io/workloadpriorityclass scheduling.k8s.io/priorityclass ")},
    {"priority", int32()},
    {"active", boolean().or_else("true")},
    {"maximumExecutionTimeSeconds", int32().from(1)},
};

inline constexpr auto kClusterQueue = with_spec(kClusterQueueSpec), kAdmissionCheck = with_spec(kAdmissionCheckSpec);
inline constexpr auto kWorkload = with_spec(kWorkloadSpec);
inline constexpr auto kWorkloadPriorityClass = with_value(text());

}  // namespace gpol::manifest::schema::v1beta1
