#include "tests/mutation/field_table.h"

namespace gpol::mutation {

namespace {

using enum Field::Holds;
constexpr bool kYes = true, kNo = false;
constexpr std::string_view kQueueCrd = "kueue.x-k8s.io_clusterqueues.yaml", kCohortCrd = "kueue.x-k8s.io_cohorts.yaml",
                           kLocalCrd = "kueue.x-k8s.io_localqueues.yaml",
                           kFlavorCrd = "kueue.x-k8s.io_resourceflavors.yaml",
                           kPriorityCrd = "kueue.x-k8s.io_workloadpriorityclasses.yaml",
                           kConfig = "apis/config/v1beta2/defaults.go",
                           kAdmission = "admissionregistration/v1/defaults.go", kRbac = "rbac/v1 types.go",
                           kScheduling = "pkg/apis/scheduling/v1/defaults.go", kCore = "core/v1 types.go",
                           kMeta = "apimachinery meta/v1 types.go", kKustomize = "kustomize api/types",
                           kRfc = "RFC 6902", kGateway = "Gateway API v1", kTraffic = "backendtrafficpolicy_types.go",
                           kBreaker = "circuitbreaker_types.go", kRates = "ratelimit_types.go",
                           kShared = "shared_types.go", kNetworking = "networking/v1 types.go";

constexpr Field kFields[] = {
    {"*", "apiVersion", Word, "refused", "", kYes, kMeta},
    {"*", "kind", Word, "refused", "", kYes, kMeta},
    {"*", "metadata.name", Text, "refused", "", kYes, kMeta},
    {"*", "metadata.annotations.argocd.argoproj.io/sync-options", Text, "none", "", kNo, "Argo CD sync options"},
    {"*", "metadata.annotations.kustomize.toolkit.fluxcd.io/prune", Text, "none", "", kNo, "Flux Kustomization"},
    {"*", "metadata.labels.app.kubernetes.io/managed-by", Text, "none", "", kNo, kMeta},
    {"*", "metadata.labels.gpol.dev/class", Word, "none", "A B C", kNo, kMeta},
    {"*", "metadata.labels.gpol.dev/tenant", Text, "none", "", kNo, kMeta},

    {"ClusterQueue", "metadata.labels.gpol.dev/role", Word, "none", "serving batch", kNo, kMeta},
    {"ClusterQueue", "spec.cohortName", Text, "none", "", kYes, kQueueCrd},
    {"ClusterQueue", "spec.queueingStrategy", Word, "BestEffortFIFO", "BestEffortFIFO StrictFIFO", kYes, kQueueCrd},
    {"ClusterQueue", "spec.stopPolicy", Word, "None", "None Hold HoldAndDrain", kYes, kQueueCrd},
    {"ClusterQueue", "spec.namespaceSelector.matchExpressions[].key", Text, "refused", "", kYes, kQueueCrd},
    {"ClusterQueue", "spec.namespaceSelector.matchExpressions[].operator", Word, "refused",
     "In NotIn Exists DoesNotExist", kYes, kQueueCrd},
    {"ClusterQueue", "spec.namespaceSelector.matchExpressions[].values[]", Text, "none", "", kYes, kQueueCrd},
    {"ClusterQueue", "spec.flavorFungibility.whenCanBorrow", Word, "MayStopSearch", "MayStopSearch TryNextFlavor", kNo,
     kQueueCrd},
    {"ClusterQueue", "spec.flavorFungibility.whenCanPreempt", Word, "TryNextFlavor", "MayStopSearch TryNextFlavor", kNo,
     kQueueCrd},
    {"ClusterQueue", "spec.preemption.withinClusterQueue", Word, "Never",
     "Never LowerPriority LowerOrNewerEqualPriority", kNo, kQueueCrd},
    {"ClusterQueue", "spec.preemption.reclaimWithinCohort", Word, "Never", "Never LowerPriority Any", kYes, kQueueCrd},
    {"ClusterQueue", "spec.preemption.borrowWithinCohort.policy", Word, "Never", "Never LowerPriority", kNo, kQueueCrd},
    {"ClusterQueue", "spec.resourceGroups[].coveredResources[]", Text, "none", "", kYes, kQueueCrd},
    {"ClusterQueue", "spec.resourceGroups[].flavors[].name", Text, "refused", "", kYes, kQueueCrd},
    {"ClusterQueue", "spec.resourceGroups[].flavors[].resources[].name", Text, "refused", "", kYes, kQueueCrd},
    {"ClusterQueue", "spec.resourceGroups[].flavors[].resources[].nominalQuota", Number, "refused", "", kYes,
     kQueueCrd},
    {"ClusterQueue", "spec.resourceGroups[].flavors[].resources[].borrowingLimit", Number, "none", "", kYes, kQueueCrd},
    {"ClusterQueue", "spec.resourceGroups[].flavors[].resources[].lendingLimit", Number, "none", "", kYes, kQueueCrd},

    {"Cohort", "spec", Text, "none", "", kNo, kCohortCrd},  // {}: a root says no more
    {"Cohort", "spec.parentName", Text, "none", "", kNo, kCohortCrd},

    {"LocalQueue", "metadata.namespace", Text, "refused", "", kYes, kMeta},
    {"LocalQueue", "spec.clusterQueue", Text, "refused", "", kYes, kLocalCrd},
    {"LocalQueue", "spec.stopPolicy", Word, "None", "None Hold HoldAndDrain", kYes, kLocalCrd},

    {"ResourceFlavor", "spec.nodeLabels.gpol.dev/gpu-pool", Text, "none", "", kYes, kFlavorCrd},
    {"ResourceFlavor", "spec.tolerations[].key", Text, "none", "", kYes, kFlavorCrd},
    {"ResourceFlavor", "spec.tolerations[].operator", Word, "Equal", "Equal Exists", kYes, kCore},
    {"ResourceFlavor", "spec.tolerations[].value", Text, "none", "", kYes, kFlavorCrd},
    {"ResourceFlavor", "spec.tolerations[].effect", Word, "none", "NoSchedule PreferNoSchedule NoExecute", kYes,
     kFlavorCrd},

    {"WorkloadPriorityClass", "metadata.labels.gpol.dev/role", Word, "none", "serving batch", kYes, kMeta},
    {"WorkloadPriorityClass", "value", Number, "refused", "", kYes, kPriorityCrd},

    {"PriorityClass", "value", Number, "refused", "", kYes, kScheduling},
    {"PriorityClass", "globalDefault", Word, "false", "true false", kNo, kScheduling},
    {"PriorityClass", "preemptionPolicy", Word, "PreemptLowerPriority", "PreemptLowerPriority Never", kNo, kScheduling},

    {"ResourceQuota", "metadata.namespace", Text, "refused", "", kYes, kMeta},
    {"ResourceQuota", "spec.hard.count/jobs.batch", Number, "refused", "", kYes, kCore},

    {"Namespace", "metadata.labels.gpol.dev/role", Word, "none", "serving batch", kNo, kMeta},

    {"Node", "metadata.labels.gpol.dev/gpu-pool", Text, "none", "", kYes, kCore},
    {"Node", "spec.taints[].key", Text, "refused", "", kYes, kCore},
    {"Node", "spec.taints[].value", Text, "none", "", kYes, kCore},
    {"Node", "spec.taints[].effect", Word, "refused", "NoSchedule PreferNoSchedule NoExecute", kYes, kCore},

    {"Configuration", "featureGates.ElasticJobsViaWorkloadSlices", Word, "true", "true false", kYes, kConfig},
    {"Configuration", "featureGates.ReclaimablePods", Word, "true", "true false", kYes, kConfig},

    {"ValidatingAdmissionPolicy", "spec.failurePolicy", Word, "Fail", "Fail Ignore", kYes, kAdmission},
    {"ValidatingAdmissionPolicy", "spec.matchConstraints.matchPolicy", Word, "Equivalent", "Equivalent Exact", kNo,
     kAdmission},
    {"ValidatingAdmissionPolicy", "spec.matchConstraints.namespaceSelector.matchExpressions[].key", Text, "refused", "",
     kYes, kAdmission},
    {"ValidatingAdmissionPolicy", "spec.matchConstraints.namespaceSelector.matchExpressions[].operator", Word,
     "refused", "In NotIn Exists DoesNotExist", kYes, kAdmission},
    {"ValidatingAdmissionPolicy", "spec.matchConstraints.namespaceSelector.matchExpressions[].values[]", Text, "none",
     "", kYes, kAdmission},
    {"ValidatingAdmissionPolicy", "spec.matchConstraints.resourceRules[].apiGroups[]", Text, "none", "", kYes,
     kAdmission},
    {"ValidatingAdmissionPolicy", "spec.matchConstraints.resourceRules[].apiVersions[]", Text, "none", "", kYes,
     kAdmission},
    {"ValidatingAdmissionPolicy", "spec.matchConstraints.resourceRules[].operations[]", Word, "none",
     "CREATE UPDATE DELETE CONNECT", kYes, kAdmission},
    {"ValidatingAdmissionPolicy", "spec.matchConstraints.resourceRules[].resources[]", Text, "none", "", kYes,
     kAdmission},
    {"ValidatingAdmissionPolicy", "spec.matchConstraints.resourceRules[].scope", Word, "*", "* Cluster Namespaced",
     kYes, kAdmission},
    {"ValidatingAdmissionPolicy", "spec.validations[].expression", Numbers, "refused", "", kYes, kAdmission},
    {"ValidatingAdmissionPolicy", "spec.validations[].message", Text, "none", "", kNo, kAdmission},
    {"ValidatingAdmissionPolicy", "spec.variables[].name", Text, "refused", "", kYes, kAdmission},
    {"ValidatingAdmissionPolicy", "spec.variables[].expression", Numbers, "refused", "", kYes, kAdmission},
    {"ValidatingAdmissionPolicyBinding", "spec.policyName", Text, "refused", "", kYes, kAdmission},
    {"ValidatingAdmissionPolicyBinding", "spec.validationActions[]", Word, "refused", "Deny Warn Audit", kYes,
     kAdmission},

    {"ClusterRole", "rules[].apiGroups[]", Text, "refused", "", kNo, kRbac},
    {"ClusterRole", "rules[].resources[]", Text, "refused", "", kNo, kRbac},
    {"ClusterRole", "rules[].verbs[]", Text, "refused", "", kNo, kRbac},
    {"ClusterRoleBinding", "roleRef.apiGroup", Text, "refused", "", kNo, kRbac},
    {"ClusterRoleBinding", "roleRef.kind", Word, "refused", "ClusterRole Role", kNo, kRbac},
    {"ClusterRoleBinding", "roleRef.name", Text, "refused", "", kNo, kRbac},
    {"ClusterRoleBinding", "subjects[].kind", Word, "refused", "User Group ServiceAccount", kNo, kRbac},
    {"ClusterRoleBinding", "subjects[].name", Text, "refused", "", kNo, kRbac},
    {"ClusterRoleBinding", "subjects[].namespace", Text, "refused", "", kNo, kRbac},

    {"Kustomization", "resources[]", Text, "none", "", kYes, kKustomize},
    {"Kustomization", "sortOptions.order", Word, "legacy", "fifo legacy", kNo, kKustomize},
    {"Kustomization", "metadata.annotations.gpol.dev/revision", Text, "none", "", kNo, kKustomize},
    {"Kustomization", "patches[].target.group", Text, "none", "", kYes, kKustomize},
    {"Kustomization", "patches[].target.version", Text, "none", "", kYes, kKustomize},
    {"Kustomization", "patches[].target.kind", Text, "none", "", kYes, kKustomize},
    {"Kustomization", "patches[].target.name", Text, "none", "", kYes, kKustomize},
    {"Kustomization", "patches[].patch[].op", Word, "refused", "add replace remove", kYes, kRfc},
    {"Kustomization", "patches[].patch[].path", Numbers, "refused", "", kYes, kRfc},
    {"Kustomization", "patches[].patch[].value", Number, "refused", "", kYes, kRfc},
};

constexpr Field kGatewayFields[] = {
    {"BackendTrafficPolicy", "apiVersion", Word, "refused",
     "gateway.envoyproxy.io/v1 gateway.networking.k8s.io/v1alpha1", kYes, kTraffic},
    {"BackendTrafficPolicy", "kind", Word, "refused", "ClientTrafficPolicy BackendTLSPolicy", kYes, kTraffic},
    {"BackendTrafficPolicy", "metadata.name", Text, "refused", "other", kYes, kMeta},
    {"BackendTrafficPolicy", "metadata.namespace", Text, "refused", "other", kYes, kMeta},
    {"BackendTrafficPolicy", "spec.targetRefs[].group", Word, "refused", "gateway.envoyproxy.io", kYes, kGateway},
    {"BackendTrafficPolicy", "spec.targetRefs[].kind", Word, "refused", "HTTPRoute GRPCRoute Gateway", kYes, kGateway},
    {"BackendTrafficPolicy", "spec.targetRefs[].name", Text, "refused", "other", kYes, kGateway},
    {"BackendTrafficPolicy", "spec.rateLimit.local.rules[].limit.requests", Number, "refused", "", kYes, kRates},
    {"BackendTrafficPolicy", "spec.rateLimit.local.rules[].limit.unit", Word, "refused", "Second Minute Hour Day", kYes,
     kRates},
    {"BackendTrafficPolicy", "spec.rateLimit.global.rules[].limit.requests", Number, "refused", "", kYes, kRates},
    {"BackendTrafficPolicy", "spec.rateLimit.global.rules[].limit.unit", Word, "refused", "Second Minute Hour Day",
     kYes, kRates},
    {"BackendTrafficPolicy", "spec.circuitBreaker.maxParallelRequests", Number, "1024", "", kYes, kBreaker},
    {"BackendTrafficPolicy", "spec.circuitBreaker.maxPendingRequests", Number, "1024", "", kYes, kBreaker},
    {"BackendTrafficPolicy", "spec.circuitBreaker.maxConnections", Number, "1024", "", kYes, kBreaker},
    {"BackendTrafficPolicy", "spec.timeout.http.requestTimeout", Number, "15s", "", kYes, "timeout_types.go"},
    {"BackendTrafficPolicy", "spec.requestBuffer.limit", Number, "refused", "", kYes, kShared},
    {"BackendTrafficPolicy", "spec.retry.numRetries", Number, "2", "", kYes, "retry_types.go"},
    {"BackendTrafficPolicy", "spec.responseOverride[].match.statusCodes[].type", Word, "Value", "Value Range", kYes,
     kShared},
    {"BackendTrafficPolicy", "spec.responseOverride[].match.statusCodes[].value", Number, "refused", "503", kYes,
     kShared},
    {"BackendTrafficPolicy", "spec.responseOverride[].source", Word, "All", "Local Backend All", kYes, kShared},
    {"BackendTrafficPolicy", "spec.responseOverride[].response.contentType", Text, "none", "text/plain", kYes, kShared},
    {"BackendTrafficPolicy", "spec.responseOverride[].response.statusCode", Number, "429", "503", kYes, kShared},
    {"BackendTrafficPolicy", "spec.responseOverride[].response.header.set[].name", Text, "refused", "X-Retry", kYes,
     kShared},
    {"BackendTrafficPolicy", "spec.responseOverride[].response.header.set[].value", Number, "refused", "soon", kYes,
     kShared},
    {"BackendTrafficPolicy", "spec.responseOverride[].response.body.type", Word, "Inline", "Inline ValueRef", kYes,
     kShared},
    {"BackendTrafficPolicy", "spec.responseOverride[].response.body.inline", Numbers, "none", "{}", kYes, kShared},

    {"HTTPRoute", "apiVersion", Word, "refused", "gateway.networking.k8s.io/v1alpha2 gateway.envoyproxy.io/v1", kYes,
     kGateway},
    {"HTTPRoute", "kind", Word, "refused", "GRPCRoute", kYes, kGateway},
    {"HTTPRoute", "metadata.name", Text, "refused", "other", kYes, kMeta},
    {"HTTPRoute", "metadata.namespace", Text, "refused", "other", kYes, kMeta},
    {"HTTPRoute", "spec.parentRefs[].group", Word, "gateway.networking.k8s.io", "gateway.envoyproxy.io", kYes,
     kGateway},
    {"HTTPRoute", "spec.parentRefs[].kind", Word, "Gateway", "Gateway ListenerSet Service", kYes, kGateway},
    {"HTTPRoute", "spec.parentRefs[].namespace", Text, "none", "other", kYes, kGateway},
    {"HTTPRoute", "spec.parentRefs[].name", Text, "refused", "other", kYes, kGateway},
    {"HTTPRoute", "spec.parentRefs[].sectionName", Text, "none", "other", kYes, kGateway},
    {"HTTPRoute", "spec.hostnames[]", Text, "none", "other.example.com", kYes, kGateway},
    {"HTTPRoute", "spec.rules[].matches[].path.type", Word, "PathPrefix", "PathPrefix Exact RegularExpression", kYes,
     kGateway},
    {"HTTPRoute", "spec.rules[].matches[].path.value", Text, "/", "/other", kYes, kGateway},
    {"HTTPRoute", "spec.rules[].filters[].type", Word, "refused", "RequestHeaderModifier URLRewrite", kYes, kGateway},
    {"HTTPRoute", "spec.rules[].filters[].requestHeaderModifier.set[].name", Text, "refused", "x-other", kYes,
     kGateway},
    {"HTTPRoute", "spec.rules[].filters[].requestHeaderModifier.set[].value", Text, "refused", "other", kYes, kGateway},
    {"HTTPRoute", "spec.rules[].backendRefs[].group", Word, "none", "inference.networking.k8s.io", kYes, kGateway},
    {"HTTPRoute", "spec.rules[].backendRefs[].kind", Word, "Service", "Service InferencePool", kYes, kGateway},
    {"HTTPRoute", "spec.rules[].backendRefs[].name", Text, "refused", "other", kYes, kGateway},
    {"HTTPRoute", "spec.rules[].backendRefs[].port", Number, "none", "", kYes, kGateway},

    {"NetworkPolicy", "apiVersion", Word, "refused", "networking.k8s.io/v1beta1 cilium.io/v2", kYes, kNetworking},
    {"NetworkPolicy", "kind", Word, "refused", "Ingress", kYes, kNetworking},
    {"NetworkPolicy", "metadata.name", Text, "refused", "other", kYes, kMeta},
    {"NetworkPolicy", "metadata.namespace", Text, "refused", "other", kYes, kMeta},
    {"NetworkPolicy", "spec.podSelector.matchLabels.app", Text, "none", "other", kYes, kNetworking},
    {"NetworkPolicy", "spec.policyTypes[]", Word, "none", "Ingress Egress", kYes, kNetworking},
    {"NetworkPolicy", "spec.ingress[].from[].podSelector.matchLabels.app", Text, "none", "other", kYes, kNetworking},
    {"NetworkPolicy", "spec.ingress[].from[].podSelector.matchLabels.gateway.envoyproxy.io/owning-gateway-name", Text,
     "none", "other", kYes, kNetworking},
    {"NetworkPolicy", "spec.ingress[].from[].namespaceSelector.matchLabels.kubernetes.io/metadata.name", Text, "none",
     "other", kYes, kNetworking},
};

constexpr std::string_view kVolcano = "scheduling.volcano.sh_queues.yaml";
constexpr Field kVolcanoFields[] = {
    {"Queue", "metadata.labels.gpol.dev/role", Word, "none", "serving batch", kNo, kMeta},
    {"Queue", "spec.parent", Word, "root", "root eu-west eu-west-batch sweep other", kYes, kVolcano},
    {"Queue", "spec.reclaimable", Word, "true", "true false", kNo, kVolcano},
    {"Queue", "spec.priority", Number, "0", "", kNo, kVolcano},
    {"Queue", "spec.capability.cpu", Number, "none", "", kYes, kVolcano},
    {"Queue", "spec.capability.memory", Number, "none", "", kYes, kVolcano},
    {"Queue", "spec.capability.nvidia.com/gpu", Number, "none", "", kYes, kVolcano},
    {"Queue", "spec.deserved.cpu", Number, "none", "", kNo, kVolcano},
    {"Queue", "spec.deserved.memory", Number, "none", "", kNo, kVolcano},
    {"Queue", "spec.deserved.nvidia.com/gpu", Number, "none", "", kNo, kVolcano},
    {"Queue", "spec.guarantee.resource.cpu", Number, "none", "", kYes, kVolcano},
    {"Queue", "spec.guarantee.resource.memory", Number, "none", "", kYes, kVolcano},
    {"Queue", "spec.guarantee.resource.nvidia.com/gpu", Number, "none", "", kYes, kVolcano},
    {"ConfigMap", "metadata.namespace", Text, "refused", "default", kYes, kMeta},
    {"ConfigMap", "data.volcano-scheduler.conf", Text, "none", "", kYes, "pkg/scheduler/conf/scheduler_conf.go"},
};

const Field* find(std::span<const Field> table, std::string_view kind, std::string_view path) {
  for (const Field& field : table)
    if ((field.kind == kind || field.kind == "*") && field.path == path) return &field;
  return nullptr;
}

}  // namespace

std::span<const Field> fields() { return kFields; }
std::span<const Field> gateway_fields() { return kGatewayFields; }
std::span<const Field> volcano_fields() { return kVolcanoFields; }

const Field* field_of(std::string_view kind, std::string_view path) {
  const Field* field = find(kGatewayFields, kind, path);
  if (field == nullptr) field = find(kVolcanoFields, kind, path);
  return field != nullptr ? field : find(kFields, kind, path);
}

}  // namespace gpol::mutation
