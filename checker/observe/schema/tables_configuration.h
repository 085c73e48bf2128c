// What Kueue's Configuration may hold: its Go types (apis/config/v1beta2, v1beta1) with those rules of
// pkg/config/validation.go that look at one field alone; the rest are in configuration.cpp. Of parts that decide
// nothing that is proven (configuration.h) the fields' names alone are asked: one that is misspelt is told. An empty
// word stands where Kueue takes empty text for absent.
#pragma once

#include <array>

#include "checker/observe/schema/parts.h"

namespace gpol::manifest::schema::configuration {

inline constexpr Type kTime = text().like(Syntax::Duration);  // a pointer in Go: null is absent
inline constexpr Type kBool = boolean();
inline constexpr Type kBools = map_of(kBool);

inline constexpr Type kWebhook = fields("port host certDir");
inline constexpr Type kLeaderElection =
    fields("leaderElect leaseDuration renewDeadline retryPeriod resourceLock resourceName resourceNamespace");
// As Go takes it, which asks nothing of what is inside.
inline constexpr Field kRequirement[] = {{"key", text()}, {"operator", text()}, {"values", list_of(kText)}};
inline constexpr Field kSelector[] = {{"matchLabels", kTextMap}, {"matchExpressions", list_of(kRequirement)}};
inline constexpr Field kLocalQueueMetrics[] = {{"enable", any()}, {"localQueueSelector", object(kSelector)}};
inline constexpr Type kCustomLabel = fields("name sourceLabelKey sourceAnnotationKey sourceKind trackedValues");
inline constexpr Field kMetrics[] = {{"customLabels", list_of(kCustomLabel)},
                                     {"localQueueMetrics", object(kLocalQueueMetrics)}};
inline constexpr std::string_view kOtherMetrics = "bindAddress enableClusterQueueResources";
inline constexpr Type kHealth = fields("healthProbeBindAddress readinessEndpointName livenessEndpointName");
inline constexpr Type kController = fields("groupKindConcurrency cacheSyncTimeout");
inline constexpr Type kTls = fields("minVersion cipherSuites curvePreferences");
inline constexpr Type kCertManagement = fields("enable webhookServiceName webhookSecretName");
inline constexpr Field kRequeuing[] = {
    {"timestamp", text()},
    {"backoffLimitCount", int32()},
    {"backoffBaseSeconds", int32()},
    {"backoffMaxSeconds", int32()},
};
inline constexpr Field kWaitForPodsReady[] = {
    {"timeout", kTime.not_null()},
    {"blockAdmission", kBool},
    {"requeuingStrategy", object(kRequeuing)},
    {"recoveryTimeout", kTime},
};
inline constexpr Type kClientConnection = fields("qps burst");
inline constexpr Field kIntegrations[] = {
    {"frameworks", list_of(kText)}, {"externalFrameworks", list_of(kText)}, {"labelKeysToCopy", list_of(kText)}};

// ClusterProfile: k8s.io/client-go/tools/clientcmd/api ExecConfig
inline constexpr Type kEnv = fields("name value");
inline constexpr Field kExec[] = {{"env", list_of(kEnv)}};
inline constexpr Field kProvider[] = {
    {"name", any()},
    {"execConfig", object(kExec).beside("command args apiVersion installHint provideClusterInfo interactiveMode")},
};
inline constexpr Field kClusterProfile[] = {{"accessProviders", list_of(kProvider)},
                                            {"credentialsProviders", list_of(kProvider)}};
inline constexpr Type kExternalFramework = fields("name");
inline constexpr Field kOldMultiKueue[] = {{"externalFrameworks", list_of(kExternalFramework)}};
inline constexpr Field kMultiKueue[] = {
    {"externalFrameworks", list_of(kExternalFramework)},
    {"clusterProfile", object(kClusterProfile)},
    {"incrementalDispatcherConfig", fields("stepSize")},
};
inline constexpr std::string_view kOtherMultiKueue = "gcInterval origin workerLostTimeout dispatcherName";

inline constexpr Field kFairSharing[] = {{"preemptionStrategies", list_of(kText)}};
inline constexpr Type kAdmissionFairSharing = fields("usageHalfLifeTime usageSamplingInterval resourceWeights");

inline constexpr Type kAmount = quantity().like(Syntax::GoQuantity);
inline constexpr Field kTransformation[] = {
    {"input", text()},
    {"strategy", words(" Retain Replace")},
    {"multiplyBy", text()},
    {"outputs", map_of(kAmount)},
};
// Its presence leaves everything undecided.
inline constexpr Field kDeviceSelector[] = {{"cel", fields("expression")}};
inline constexpr Field kSource[] = {{"name", any()}, {"driver", any()}, {"deviceSelector", object(kDeviceSelector)}};
inline constexpr Field kSources[] = {{"counter", object(kSource)}, {"capacity", object(kSource)}};
inline constexpr Field kDeviceClassMapping[] = {
    {"name", any()}, {"deviceClassNames", any()}, {"sources", list_of(kSources)}};
inline constexpr Field kResources[] = {
    {"quotaCheckStrategy", text()},
    {"excludeResourcePrefixes", list_of(kText)},
    {"transformations", list_of(kTransformation)},
    {"deviceClassMappings", list_of(kDeviceClassMapping)},
};
inline constexpr Field kRetention[] = {{"workloads", fields("afterFinished afterDeactivatedByKueue")}};

// Of either version; what differs between them.
constexpr std::array<Field, 23> configuration(Type metrics, Type wait_for_pods_ready, Type integrations,
                                              Type multi_kueue, Type fair_sharing, Type resources, Field visibility) {
  return {{
      {"apiVersion", text()},
      {"kind", text()},
      {"namespace", text()},
      {"webhook", kWebhook},
      {"leaderElection", kLeaderElection},
      {"metrics", metrics.beside(kOtherMetrics)},
      {"health", kHealth},
      {"pprofBindAddress", text()},
      {"controller", kController},
      {"tls", kTls},
      {"manageJobsWithoutQueueName", kBool},
      {"managedJobsNamespaceSelector", object(kSelector)},
      {"internalCertManagement", kCertManagement},
      {"waitForPodsReady", wait_for_pods_ready},
      {"clientConnection", kClientConnection},
      {"integrations", integrations},
      {"multiKueue", multi_kueue.beside(kOtherMultiKueue)},
      {"fairSharing", fair_sharing},
      {"admissionFairSharing", kAdmissionFairSharing},
      {"resources", resources},
      {"featureGates", kBools},
      {"objectRetentionPolicies", object(kRetention)},
      visibility,
  }};
}
inline constexpr auto kV1beta2Configuration =
    configuration(object(kMetrics), object(kWaitForPodsReady), object(kIntegrations), object(kMultiKueue),
                  object(kFairSharing), object(kResources), {"visibilityServer", fields("bindAddress bindPort")});

// v1beta1: where it is of another structure.
inline constexpr Type kOldCustomLabel = fields("name sourceLabelKey sourceAnnotationKey");
inline constexpr Field kOldMetrics[] = {{"customLabels", list_of(kOldCustomLabel)},
                                        {"localQueueMetrics", object(kLocalQueueMetrics)}};
inline constexpr Field kOldWaitForPodsReady[] = {
    {"enable", kBool},          {"timeout", kTime},
    {"blockAdmission", kBool},  {"requeuingStrategy", object(kRequeuing)},
    {"recoveryTimeout", kTime},
};
inline constexpr Field kPodOptions[] = {{"namespaceSelector", object(kSelector)}, {"podSelector", object(kSelector)}};
inline constexpr Field kOldIntegrations[] = {
    {"frameworks", list_of(kText)},
    {"externalFrameworks", list_of(kText)},
    {"podOptions", object(kPodOptions)},
    {"labelKeysToCopy", list_of(kText)},
};
inline constexpr Field kQueueVisibility[] = {{"clusterQueues", fields("maxCount")}, {"updateIntervalSeconds", any()}};
inline constexpr Type kOldDeviceClassMapping = fields("name deviceClassNames");
inline constexpr Field kOldResources[] = {
    {"excludeResourcePrefixes", list_of(kText)},
    {"transformations", list_of(kTransformation)},
    {"deviceClassMappings", list_of(kOldDeviceClassMapping)},
};
inline constexpr Field kOldFairSharing[] = {{"enable", kBool}, {"preemptionStrategies", list_of(kText)}};

inline constexpr auto kV1beta1Configuration =
    configuration(object(kOldMetrics), object(kOldWaitForPodsReady), object(kOldIntegrations), object(kOldMultiKueue),
                  object(kOldFairSharing), object(kOldResources), {"queueVisibility", object(kQueueVisibility)});

}  // namespace gpol::manifest::schema::configuration
