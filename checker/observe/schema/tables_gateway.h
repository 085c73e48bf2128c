// Which fields `spec` of a BackendTrafficPolicy of Envoy Gateway v1.9.1 has: the CRD's own tree, without types and
// rules; in braces what stands below an object, in brackets below each item of a list. Below any other field stands
// what likes. tests/gateway/fields.py compares it with the CRD.
#pragma once

#include <string_view>

namespace gpol::manifest::schema {

inline constexpr std::string_view kTrafficPolicyFields =
    "admissionControl{maxRejectionPercent minRequestRate minSuccessRate rejectionAggression samplingWindow "
    "successCriteria{grpc{statusCodes} http{statusCodes}}} bandwidthLimit{request{limit{unit value}} "
    "response{limit{unit value} responseTrailers{prefix}}} circuitBreaker{maxConnections maxParallelRequests "
    "maxParallelRetries maxPendingRequests maxRequestsPerConnection perEndpoint{maxConnections} "
    "retryBudget{minRetryConcurrency percent{denominator numerator}}} compression[brotli gzip minContentLength type "
    "zstd] compressor[brotli gzip minContentLength type zstd] connection{bufferLimit preconnect{perEndpointPercent "
    "predictivePercent} socketBufferLimit} dns{dnsRefreshRate lookupFamily respectDnsTtl} "
    "faultInjection{abort{grpcStatus httpStatus percentage} delay{fixedDelay percentage}} "
    "healthCheck{active{grpc{service} healthCheckLog{matches sinks[file{path} type]} healthyThreshold "
    "http{expectedResponse{binary text type} expectedStatuses hostname method path requestBody{binary text type} "
    "retriableStatuses} initialJitter interval overrides{port} tcp{receive{binary text type} send{binary text type}} "
    "timeout type unhealthyThreshold} panicThreshold passive{alwaysEjectOneEndpoint baseEjectionTime "
    "consecutive5XxErrors consecutiveGatewayErrors consecutiveLocalOriginFailures failurePercentageThreshold interval "
    "maxEjectionPercent splitExternalLocalOriginErrors}} http2{connectionKeepalive{idleInterval interval "
    "intervalJitter timeout} initialConnectionWindowSize initialStreamWindowSize maxConcurrentStreams "
    "onInvalidMessage} httpUpgrade[connect{terminate} type] loadBalancer{backendUtilization{blackoutPeriod "
    "errorUtilizationPenaltyPercent keepResponseHeaders metricNamesForComputingUtilization outOfBand{authority port "
    "reportingPeriod} weightExpirationPeriod weightUpdatePeriod} consistentHash{cookie{attributes name ttl} "
    "header{name} headers[name] queryParams[name] tableSize type} dynamicModule{config lbPolicyName name} "
    "endpointOverride{extractFrom[header]} slowStart{window} type "
    "zoneAware{preferLocal{force{minEndpointsInZoneThreshold} minEndpointsThreshold percentageEnabled} "
    "weightedZones[weight zone]}} mergeType proxyProtocol{version} "
    "rateLimit{global{rules[clientSelectors[headers[invert name type value] methods[invert value] path{invert type "
    "value} queryParams[invert name type value] sourceCIDR{invert type value}] cost{request{from metadata{key "
    "namespace} number} response{from metadata{key namespace} number}} limit{fromMetadata{key namespace} requests "
    "unit} shadowMode shared xRateLimitHeaders]} local{rules[clientSelectors[headers[invert name type value] "
    "methods[invert value] path{invert type value} queryParams[invert name type value] sourceCIDR{invert type value}] "
    "cost{request{from metadata{key namespace} number} response{from metadata{key namespace} number}} "
    "limit{fromMetadata{key namespace} requests unit} shadowMode shared xRateLimitHeaders]} type} "
    "requestBuffer{limit} responseOverride[match{responseHeaders[name value{type value}] statusCodes[range{end start} "
    "type value]} redirect{hostname path{replaceFullPath replacePrefixMatch type} port scheme statusCode} "
    "response{body{inline type valueRef{group kind name}} contentType header{add[name value] remove set[name value]} "
    "statusCode} source] retry{numAttemptsPerPriority numRetries perRetry{backOff{baseInterval maxInterval} timeout} "
    "retryOn{httpStatusCodes triggers}} routingType targetRef{group kind name sectionName} targetRefs[group kind name "
    "sectionName] targetSelectors[group kind matchExpressions[key operator values] matchLabels namespaces{from "
    "selector{matchExpressions[key operator values] matchLabels}}] tcpKeepalive{idleTime interval probes} "
    "telemetry{metrics{routeStatName} tracing{clientSamplingFraction{denominator numerator} customTags "
    "overallSamplingFraction{denominator numerator} samplingFraction{denominator numerator} spanName{client server} "
    "tags}} timeout{http{connectionIdleTimeout maxConnectionDuration maxStreamDuration requestTimeout "
    "streamIdleTimeout} tcp{connectTimeout}} useClientProtocol";

}  // namespace gpol::manifest::schema
