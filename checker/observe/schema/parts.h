// Tables that several kinds or versions share.
#pragma once

#include <array>

#include "checker/observe/schema/type.h"

namespace gpol::manifest::schema {

inline constexpr Type kText = text();
inline constexpr Type kName = name();
inline constexpr Type kQuantity = quantity();
inline constexpr Type kTextMap = map_of(kText);

// metav1.ObjectMeta
inline constexpr Field kOwnerReference[] = {
    {"apiVersion", text()}, {"kind", text()},          {"name", text()},
    {"uid", text()},        {"controller", boolean()}, {"blockOwnerDeletion", boolean()},
};
inline constexpr Field kObjectMeta[] = {
    {"name", text()},
    {"generateName", text()},
    {"namespace", text()},
    {"selfLink", text()},
    {"uid", text()},
    {"resourceVersion", text()},
    {"generation", int64()},
    {"creationTimestamp", text().like(Syntax::DateTime)},
    {"deletionTimestamp", text().like(Syntax::DateTime)},
    {"deletionGracePeriodSeconds", int64()},
    {"labels", kTextMap},
    {"annotations", kTextMap},
    {"ownerReferences", list_of(kOwnerReference)},
    {"finalizers", list_of(kText)},
    {"managedFields", any()},  // the server writes its own
};

// The fields of an object; the server writes its own status.
constexpr std::array<Field, 4> without_status(std::span<const Field> spec) {
  return {{{"apiVersion", text()}, {"kind", text()}, {"metadata", object(kObjectMeta)}, {"spec", object(spec)}}};
}
constexpr std::array<Field, 5> with_spec(std::span<const Field> spec) {
  const auto [api, kind, metadata, given] = without_status(spec);
  return {api, kind, metadata, given, Field{"status", any()}};
}
// WorkloadPriorityClass has no spec.
constexpr std::array<Field, 5> with_value(Type description) {
  return {{{"apiVersion", text()},
           {"kind", text()},
           {"metadata", object(kObjectMeta)},
           {"value", int32().required()},
           {"description", description}}};
}

// ClusterQueue, Cohort, LocalQueue
inline constexpr std::string_view kStopPolicies = "None Hold HoldAndDrain";
inline constexpr Field kFairSharing[] = {
    {"weight", quantity().or_else("1")},
};
inline constexpr Field kResourceQuota[] = {
    {"name", text().required()},
    {"nominalQuota", quantity().required()},
    {"borrowingLimit", quantity()},
    {"lendingLimit", quantity()},
};
inline constexpr Field kFlavorQuotas[] = {
    {"name", name().required()},
    {"resources", list_of(kResourceQuota).by("name").sized(1, 64).required()},
};
inline constexpr Field kResourceGroup[] = {
    {"coveredResources", list_of(kText).sized(1, 64).required()},
    {"flavors", list_of(kFlavorQuotas).by("name").sized(1, 64).required()},
};
inline constexpr Type kResourceGroups = list_of(kResourceGroup).upto(16);

// ClusterQueue
inline constexpr Field kMatchExpression[] = {
    {"key", text().required()},
    {"operator", text().required()},
    {"values", list_of(kText)},
};
inline constexpr Field kLabelSelector[] = {
    {"matchLabels", kTextMap},
    {"matchExpressions", list_of(kMatchExpression)},
};
inline constexpr Field kBorrowWithinCohort[] = {
    {"policy", words("Never LowerPriority").or_else("Never")},
    {"maxPriorityThreshold", int32()},
};
inline constexpr Field kPreemption[] = {
    {"withinClusterQueue", words("Never LowerPriority LowerOrNewerEqualPriority").or_else("Never")},
    {"reclaimWithinCohort", words("Never LowerPriority Any").or_else("Never")},
    {"borrowWithinCohort", object(kBorrowWithinCohort).or_else("{}")},
};

// Workload. Of a pod template only what Kueue's webhooks look at.
inline constexpr Type kQuantities = map_of(kQuantity);
inline constexpr Field kResourceClaim[] = {
    {"name", text().required()},
    {"request", text()},
};
inline constexpr Field kResources[] = {
    {"requests", kQuantities},
    {"limits", kQuantities},
    {"claims", list_of(kResourceClaim).by("name")},
};
inline constexpr Field kContainer[] = {
    {"name", text().required()},
    {"resources", object(kResources)},
};
inline constexpr Type kContainers = list_of(kContainer).opened().by("name");
inline constexpr Field kPodSpec[] = {
    {"containers", kContainers.required()},
    {"initContainers", kContainers},
    {"resources", object(kResources)},
};
inline constexpr Field kPodMetadata[] = {
    {"name", text()},          {"namespace", text()},          {"labels", kTextMap},
    {"annotations", kTextMap}, {"finalizers", list_of(kText)},
};
inline constexpr Field kPodTemplate[] = {
    {"metadata", object(kPodMetadata)},
    {"spec", object(kPodSpec).opened()},
};
inline constexpr Type kPodSetName = text(63).like(Syntax::Label).or_else("main");

}  // namespace gpol::manifest::schema
