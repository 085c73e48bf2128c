// What Kueue's Configuration may hold: its Go types (apis/config/v1beta2, v1beta1) with those rules of
// pkg/config/validation.go that look at one field alone; the rest are in configuration_rules.cpp. An empty word stands
// where Kueue takes empty text for absent.
#pragma once

#include "checker/observe/schema/parts.h"

namespace gpol::manifest::schema::configuration {

inline constexpr Type kTime = text().like(Syntax::Duration);  // a pointer in Go: null is absent
inline constexpr Type kWait = text().like(Syntax::Wait);      // one that is not negative
inline constexpr Type kInt = int64(), kBool = boolean();
inline constexpr Type kInts = map_of(kInt), kBools = map_of(kBool);
inline constexpr Type kPort = int32().sized(1, 65535);

inline constexpr Field kWebhook[] = {{"port", kInt}, {"host", text()}, {"certDir", text()}};
inline constexpr Field kLeaderElection[] = {
    {"leaderElect", kBool},
    {"leaseDuration", kTime.not_null()},
    {"renewDeadline", kTime.not_null()},
    {"retryPeriod", kTime.not_null()},
    {"resourceLock", text()},
    {"resourceName", text()},
    {"resourceNamespace", text()},
};
// As Go takes it, which asks nothing of what is inside.
inline constexpr Field kRequirement[] = {{"key", text()}, {"operator", text()}, {"values", list_of(kText)}};
inline constexpr Field kSelector[] = {{"matchLabels", kTextMap}, {"matchExpressions", list_of(kRequirement)}};
inline constexpr Field kLocalQueueMetrics[] = {{"enable", kBool}, {"localQueueSelector", object(kSelector)}};
inline constexpr Field kCustomLabel[] = {
    {"name", text()},
    {"sourceLabelKey", text()},
    {"sourceAnnotationKey", text()},
    {"sourceKind", words("Cohort LocalQueue ClusterQueue Workload")},
    {"trackedValues", list_of(kText).set()},
};
inline constexpr Field kMetrics[] = {
    {"bindAddress", text()},
    {"enableClusterQueueResources", kBool},
    {"customLabels", list_of(kCustomLabel).upto(20)},
    {"localQueueMetrics", object(kLocalQueueMetrics)},
};
inline constexpr Field kHealth[] = {
    {"healthProbeBindAddress", text()}, {"readinessEndpointName", text()}, {"livenessEndpointName", text()}};
inline constexpr Field kController[] = {{"groupKindConcurrency", kInts}, {"cacheSyncTimeout", kInt}};  // nanoseconds

// What Go's crypto/tls knows (k8s.io/component-base/cli/flag).
inline constexpr Type kCipher = words(
    "TLS_AES_128_GCM_SHA256 TLS_AES_256_GCM_SHA384 TLS_CHACHA20_POLY1305_SHA256 "
    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256 "
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA "
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384 TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305 "
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256 TLS_ECDHE_ECDSA_WITH_RC4_128_SHA "
    "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256 "
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384 "
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305 TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256 TLS_ECDHE_RSA_WITH_RC4_128_SHA "
    "TLS_RSA_WITH_3DES_EDE_CBC_SHA TLS_RSA_WITH_AES_128_CBC_SHA TLS_RSA_WITH_AES_128_CBC_SHA256 "
    "TLS_RSA_WITH_AES_128_GCM_SHA256 TLS_RSA_WITH_AES_256_CBC_SHA TLS_RSA_WITH_AES_256_GCM_SHA384 "
    "TLS_RSA_WITH_RC4_128_SHA");
inline constexpr Type kInt32 = int32();
inline constexpr Field kTls[] = {
    {"minVersion", words(" VersionTLS12 VersionTLS13")},
    {"cipherSuites", list_of(kCipher)},
    {"curvePreferences", list_of(kInt32)},
};
inline constexpr Field kCertManagement[] = {
    {"enable", kBool}, {"webhookServiceName", text()}, {"webhookSecretName", text()}};
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
inline constexpr Field kClientConnection[] = {{"qps", number()}, {"burst", int32()}};
inline constexpr Field kIntegrations[] = {
    {"frameworks", list_of(kText)}, {"externalFrameworks", list_of(kText)}, {"labelKeysToCopy", list_of(kText)}};

// ClusterProfile: k8s.io/client-go/tools/clientcmd/api ExecConfig
inline constexpr Type kNotEmpty = text().from(1).required();
inline constexpr Field kEnv[] = {{"name", kNotEmpty}, {"value", text()}};
inline constexpr Field kExec[] = {
    {"command", kNotEmpty},
    {"args", list_of(kText)},
    {"env", list_of(kEnv)},
    {"apiVersion", kNotEmpty},
    {"installHint", text()},
    {"provideClusterInfo", kBool},
    {"interactiveMode", words("Never IfAvailable Always").required()},
};
inline constexpr Field kProvider[] = {{"name", kNotEmpty}, {"execConfig", object(kExec).required()}};
inline constexpr Field kClusterProfile[] = {{"accessProviders", list_of(kProvider)},
                                            {"credentialsProviders", list_of(kProvider)}};
inline constexpr Field kDispatcher[] = {{"stepSize", int32().from(1)}};
inline constexpr Field kExternalFramework[] = {{"name", text()}};
inline constexpr Field kMultiKueue[] = {
    {"gcInterval", kWait},
    {"origin", text()},
    {"workerLostTimeout", kWait},
    {"dispatcherName", text()},
    {"externalFrameworks", list_of(kExternalFramework)},
    {"clusterProfile", object(kClusterProfile)},
    {"incrementalDispatcherConfig", object(kDispatcher)},
};

inline constexpr Field kFairSharing[] = {{"preemptionStrategies", list_of(kText)}};
inline constexpr Type kWeight = number().from(0);
inline constexpr Field kAdmissionFairSharing[] = {
    {"usageHalfLifeTime", kWait.not_null()},
    {"usageSamplingInterval", kWait.not_null()},
    {"resourceWeights", map_of(kWeight)},
};

inline constexpr Type kAmount = quantity().like(Syntax::GoQuantity);
inline constexpr Field kTransformation[] = {
    {"input", text()},
    {"strategy", words(" Retain Replace")},
    {"multiplyBy", text()},
    {"outputs", map_of(kAmount)},
};
inline constexpr Field kCelSelector[] = {{"expression", text()}};
inline constexpr Field kDeviceSelector[] = {{"cel", object(kCelSelector)}};
inline constexpr Field kSource[] = {{"name", text()}, {"driver", text()}, {"deviceSelector", object(kDeviceSelector)}};
inline constexpr Field kSources[] = {{"counter", object(kSource)}, {"capacity", object(kSource)}};
inline constexpr Field kDeviceClassMapping[] = {
    {"name", text()},
    {"deviceClassNames", list_of(kText).set().sized(1, 8).required()},
    {"sources", list_of(kSources)},
};
inline constexpr Field kResources[] = {
    {"quotaCheckStrategy", text()},
    {"excludeResourcePrefixes", list_of(kText)},
    {"transformations", list_of(kTransformation)},
    {"deviceClassMappings", list_of(kDeviceClassMapping).upto(16)},
};
inline constexpr Field kWorkloadRetention[] = {{"afterFinished", kWait}, {"afterDeactivatedByKueue", kWait}};
inline constexpr Field kRetention[] = {{"workloads", object(kWorkloadRetention)}};
inline constexpr Field kVisibilityServer[] = {{"bindAddress", text()}, {"bindPort", kPort}};

inline constexpr Field kV1beta2Configuration[] = {
    {"apiVersion", text()},
    {"kind", text()},
    {"namespace", text()},
    {"webhook", object(kWebhook)},
    {"leaderElection", object(kLeaderElection)},
    {"metrics", object(kMetrics)},
    {"health", object(kHealth)},
    {"pprofBindAddress", text()},
    {"controller", object(kController)},
    {"tls", object(kTls)},
    {"manageJobsWithoutQueueName", kBool},
    {"managedJobsNamespaceSelector", object(kSelector)},
    {"internalCertManagement", object(kCertManagement)},
    {"waitForPodsReady", object(kWaitForPodsReady)},
    {"clientConnection", object(kClientConnection)},
    {"integrations", object(kIntegrations)},
    {"multiKueue", object(kMultiKueue)},
    {"fairSharing", object(kFairSharing)},
    {"admissionFairSharing", object(kAdmissionFairSharing)},
    {"resources", object(kResources)},
    {"featureGates", kBools},
    {"objectRetentionPolicies", object(kRetention)},
    {"visibilityServer", object(kVisibilityServer)},
};

// v1beta1: where it is of another structure.
inline constexpr Field kOldCustomLabel[] = {
    {"name", text()}, {"sourceLabelKey", text()}, {"sourceAnnotationKey", text()}};
inline constexpr Field kOldMetrics[] = {
    {"bindAddress", text()},
    {"enableClusterQueueResources", kBool},
    {"customLabels", list_of(kOldCustomLabel).upto(20)},
    {"localQueueMetrics", object(kLocalQueueMetrics)},
};
inline constexpr Field kOldWaitForPodsReady[] = {
    {"enable", kBool},          {"timeout", kTime},
    {"blockAdmission", kBool},  {"requeuingStrategy", object(kRequeuing)},
    {"recoveryTimeout", kTime},
};
inline constexpr Field kOldMultiKueue[] = {
    {"gcInterval", kWait},
    {"origin", text()},
    {"workerLostTimeout", kWait},
    {"dispatcherName", text()},
    {"externalFrameworks", list_of(kExternalFramework)},
};
inline constexpr Field kPodOptions[] = {{"namespaceSelector", object(kSelector)}, {"podSelector", object(kSelector)}};
inline constexpr Field kOldIntegrations[] = {
    {"frameworks", list_of(kText)},
    {"externalFrameworks", list_of(kText)},
    {"podOptions", object(kPodOptions)},
    {"labelKeysToCopy", list_of(kText)},
};
inline constexpr Field kClusterQueueVisibility[] = {{"maxCount", int32()}};
inline constexpr Field kQueueVisibility[] = {{"clusterQueues", object(kClusterQueueVisibility)},
                                             {"updateIntervalSeconds", int32()}};
inline constexpr Field kOldDeviceClassMapping[] = {{"name", text()},
                                                   {"deviceClassNames", list_of(kText).set().sized(1, 8).required()}};
inline constexpr Field kOldResources[] = {
    {"excludeResourcePrefixes", list_of(kText)},
    {"transformations", list_of(kTransformation)},
    {"deviceClassMappings", list_of(kOldDeviceClassMapping).upto(16)},
};
inline constexpr Field kOldFairSharing[] = {{"enable", kBool}, {"preemptionStrategies", list_of(kText)}};

inline constexpr Field kV1beta1Configuration[] = {
    {"apiVersion", text()},
    {"kind", text()},
    {"namespace", text()},
    {"webhook", object(kWebhook)},
    {"leaderElection", object(kLeaderElection)},
    {"metrics", object(kOldMetrics)},
    {"health", object(kHealth)},
    {"pprofBindAddress", text()},
    {"controller", object(kController)},
    {"tls", object(kTls)},
    {"manageJobsWithoutQueueName", kBool},
    {"managedJobsNamespaceSelector", object(kSelector)},
    {"internalCertManagement", object(kCertManagement)},
    {"waitForPodsReady", object(kOldWaitForPodsReady)},
    {"clientConnection", object(kClientConnection)},
    {"integrations", object(kOldIntegrations)},
    {"queueVisibility", object(kQueueVisibility)},
    {"multiKueue", object(kOldMultiKueue)},
    {"fairSharing", object(kOldFairSharing)},
    {"admissionFairSharing", object(kAdmissionFairSharing)},
    {"resources", object(kOldResources)},
    {"featureGates", kBools},
    {"objectRetentionPolicies", object(kRetention)},
};

}  // namespace gpol::manifest::schema::configuration
