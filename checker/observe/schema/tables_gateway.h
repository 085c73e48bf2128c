// Which fields a BackendTrafficPolicy of Envoy Gateway v1.9.1 has, and where: the CRD's own list
// (charts/gateway-helm/charts/crds/crds/generated), without types and rules. In: nothing. Out: rows; what stands below
// a path that is none of them may be called anything (labels, a plugin's own configuration).
// tests/gateway/fields.py compares it with the CRD, and prints it anew with --print.
#pragma once

#include <string_view>

namespace gpol::manifest::schema {

struct FieldsBelow {
  std::string_view path, fields;  // both with a space between
};

// clang-format off
inline constexpr FieldsBelow kTrafficPolicyFields[] = {
    {"spec",
     "admissionControl bandwidthLimit circuitBreaker compression compressor connection dns faultInjection healthCheck "
     "http2 httpUpgrade loadBalancer mergeType proxyProtocol rateLimit requestBuffer responseOverride retry "
     "routingType targetRef targetRefs targetSelectors tcpKeepalive telemetry timeout useClientProtocol"},
    {"spec.admissionControl",
     "maxRejectionPercent minRequestRate minSuccessRate rejectionAggression samplingWindow successCriteria"},
    {"spec.admissionControl.successCriteria", "grpc http"},
    {"spec.admissionControl.successCriteria.grpc spec.admissionControl.successCriteria.http", "statusCodes"},
    {"spec.bandwidthLimit spec.rateLimit.global.rules[].cost spec.rateLimit.local.rules[].cost", "request response"},
    {"spec.bandwidthLimit.request spec.requestBuffer", "limit"},
    {"spec.bandwidthLimit.request.limit spec.bandwidthLimit.response.limit", "unit value"},
    {"spec.bandwidthLimit.response", "limit responseTrailers"},
    {"spec.bandwidthLimit.response.responseTrailers", "prefix"},
    {"spec.circuitBreaker",
     "maxConnections maxParallelRequests maxParallelRetries maxPendingRequests maxRequestsPerConnection perEndpoint "
     "retryBudget"},
    {"spec.circuitBreaker.perEndpoint", "maxConnections"},
    {"spec.circuitBreaker.retryBudget", "minRetryConcurrency percent"},
    {"spec.circuitBreaker.retryBudget.percent spec.telemetry.tracing.clientSamplingFraction "
     "spec.telemetry.tracing.overallSamplingFraction spec.telemetry.tracing.samplingFraction",
     "denominator numerator"},
    {"spec.compression[] spec.compressor[]", "brotli gzip minContentLength type zstd"},
    {"spec.connection", "bufferLimit preconnect socketBufferLimit"},
    {"spec.connection.preconnect", "perEndpointPercent predictivePercent"},
    {"spec.dns", "dnsRefreshRate lookupFamily respectDnsTtl"},
    {"spec.faultInjection", "abort delay"},
    {"spec.faultInjection.abort", "grpcStatus httpStatus percentage"},
    {"spec.faultInjection.delay", "fixedDelay percentage"},
    {"spec.healthCheck", "active panicThreshold passive"},
    {"spec.healthCheck.active",
     "grpc healthCheckLog healthyThreshold http initialJitter interval overrides tcp timeout type unhealthyThreshold"},
    {"spec.healthCheck.active.grpc", "service"},
    {"spec.healthCheck.active.healthCheckLog", "matches sinks"},
    {"spec.healthCheck.active.healthCheckLog.sinks[]", "file type"},
    {"spec.healthCheck.active.healthCheckLog.sinks[].file", "path"},
    {"spec.healthCheck.active.http",
     "expectedResponse expectedStatuses hostname method path requestBody retriableStatuses"},
    {"spec.healthCheck.active.http.expectedResponse spec.healthCheck.active.http.requestBody "
     "spec.healthCheck.active.tcp.receive spec.healthCheck.active.tcp.send",
     "binary text type"},
    {"spec.healthCheck.active.overrides", "port"},
    {"spec.healthCheck.active.tcp", "receive send"},
    {"spec.healthCheck.passive",
     "alwaysEjectOneEndpoint baseEjectionTime consecutive5XxErrors consecutiveGatewayErrors "
     "consecutiveLocalOriginFailures failurePercentageThreshold interval maxEjectionPercent "
     "splitExternalLocalOriginErrors"},
    {"spec.http2",
     "connectionKeepalive initialConnectionWindowSize initialStreamWindowSize maxConcurrentStreams onInvalidMessage"},
    {"spec.http2.connectionKeepalive", "idleInterval interval intervalJitter timeout"},
    {"spec.httpUpgrade[]", "connect type"},
    {"spec.httpUpgrade[].connect", "terminate"},
    {"spec.loadBalancer", "backendUtilization consistentHash dynamicModule endpointOverride slowStart type zoneAware"},
    {"spec.loadBalancer.backendUtilization",
     "blackoutPeriod errorUtilizationPenaltyPercent keepResponseHeaders metricNamesForComputingUtilization outOfBand "
     "weightExpirationPeriod weightUpdatePeriod"},
    {"spec.loadBalancer.backendUtilization.outOfBand", "authority port reportingPeriod"},
    {"spec.loadBalancer.consistentHash", "cookie header headers queryParams tableSize type"},
    {"spec.loadBalancer.consistentHash.cookie", "attributes name ttl"},
    {"spec.loadBalancer.consistentHash.header spec.loadBalancer.consistentHash.headers[] "
     "spec.loadBalancer.consistentHash.queryParams[]",
     "name"},
    {"spec.loadBalancer.dynamicModule", "config lbPolicyName name"},
    {"spec.loadBalancer.endpointOverride", "extractFrom"},
    {"spec.loadBalancer.endpointOverride.extractFrom[]", "header"},
    {"spec.loadBalancer.slowStart", "window"},
    {"spec.loadBalancer.zoneAware", "preferLocal weightedZones"},
    {"spec.loadBalancer.zoneAware.preferLocal", "force minEndpointsThreshold percentageEnabled"},
    {"spec.loadBalancer.zoneAware.preferLocal.force", "minEndpointsInZoneThreshold"},
    {"spec.loadBalancer.zoneAware.weightedZones[]", "weight zone"},
    {"spec.proxyProtocol", "version"},
    {"spec.rateLimit", "global local type"},
    {"spec.rateLimit.global spec.rateLimit.local", "rules"},
    {"spec.rateLimit.global.rules[] spec.rateLimit.local.rules[]",
     "clientSelectors cost limit shadowMode shared xRateLimitHeaders"},
    {"spec.rateLimit.global.rules[].clientSelectors[] spec.rateLimit.local.rules[].clientSelectors[]",
     "headers methods path queryParams sourceCIDR"},
    {"spec.rateLimit.global.rules[].clientSelectors[].headers[] "
     "spec.rateLimit.global.rules[].clientSelectors[].queryParams[] "
     "spec.rateLimit.local.rules[].clientSelectors[].headers[] "
     "spec.rateLimit.local.rules[].clientSelectors[].queryParams[]",
     "invert name type value"},
    {"spec.rateLimit.global.rules[].clientSelectors[].methods[] "
     "spec.rateLimit.local.rules[].clientSelectors[].methods[]",
     "invert value"},
    {"spec.rateLimit.global.rules[].clientSelectors[].path spec.rateLimit.global.rules[].clientSelectors[].sourceCIDR "
     "spec.rateLimit.local.rules[].clientSelectors[].path spec.rateLimit.local.rules[].clientSelectors[].sourceCIDR",
     "invert type value"},
    {"spec.rateLimit.global.rules[].cost.request spec.rateLimit.global.rules[].cost.response "
     "spec.rateLimit.local.rules[].cost.request spec.rateLimit.local.rules[].cost.response",
     "from metadata number"},
    {"spec.rateLimit.global.rules[].cost.request.metadata spec.rateLimit.global.rules[].cost.response.metadata "
     "spec.rateLimit.global.rules[].limit.fromMetadata spec.rateLimit.local.rules[].cost.request.metadata "
     "spec.rateLimit.local.rules[].cost.response.metadata spec.rateLimit.local.rules[].limit.fromMetadata",
     "key namespace"},
    {"spec.rateLimit.global.rules[].limit spec.rateLimit.local.rules[].limit", "fromMetadata requests unit"},
    {"spec.responseOverride[]", "match redirect response source"},
    {"spec.responseOverride[].match", "responseHeaders statusCodes"},
    {"spec.responseOverride[].match.responseHeaders[] spec.responseOverride[].response.header.add[] "
     "spec.responseOverride[].response.header.set[]",
     "name value"},
    {"spec.responseOverride[].match.responseHeaders[].value", "type value"},
    {"spec.responseOverride[].match.statusCodes[]", "range type value"},
    {"spec.responseOverride[].match.statusCodes[].range", "end start"},
    {"spec.responseOverride[].redirect", "hostname path port scheme statusCode"},
    {"spec.responseOverride[].redirect.path", "replaceFullPath replacePrefixMatch type"},
    {"spec.responseOverride[].response", "body contentType header statusCode"},
    {"spec.responseOverride[].response.body", "inline type valueRef"},
    {"spec.responseOverride[].response.body.valueRef", "group kind name"},
    {"spec.responseOverride[].response.header", "add remove set"},
    {"spec.retry", "numAttemptsPerPriority numRetries perRetry retryOn"},
    {"spec.retry.perRetry", "backOff timeout"},
    {"spec.retry.perRetry.backOff", "baseInterval maxInterval"},
    {"spec.retry.retryOn", "httpStatusCodes triggers"},
    {"spec.targetRef spec.targetRefs[]", "group kind name sectionName"},
    {"spec.targetSelectors[]", "group kind matchExpressions matchLabels namespaces"},
    {"spec.targetSelectors[].matchExpressions[] spec.targetSelectors[].namespaces.selector.matchExpressions[]",
     "key operator values"},
    {"spec.targetSelectors[].namespaces", "from selector"},
    {"spec.targetSelectors[].namespaces.selector", "matchExpressions matchLabels"},
    {"spec.tcpKeepalive", "idleTime interval probes"},
    {"spec.telemetry", "metrics tracing"},
    {"spec.telemetry.metrics", "routeStatName"},
    {"spec.telemetry.tracing",
     "clientSamplingFraction customTags overallSamplingFraction samplingFraction spanName tags"},
    {"spec.telemetry.tracing.spanName", "client server"},
    {"spec.timeout", "http tcp"},
    {"spec.timeout.http",
     "connectionIdleTimeout maxConnectionDuration maxStreamDuration requestTimeout streamIdleTimeout"},
    {"spec.timeout.tcp", "connectTimeout"},
};
// clang-format on

}  // namespace gpol::manifest::schema
