// One function per Kubernetes kind: an object of the cluster as the YAML tree of its manifest. In: the object, and the
// cluster where names must be looked up. Every default that matters to a proof is written out, so that
// neither a changed default nor an older Kueue changes the meaning. Kinds and fields: kueue.x-k8s.io/v1beta2,
// config.kueue.x-k8s.io/v1beta2 (Kueue v0.19.2, apis/kueue/v1beta2, apis/config/v1beta2).
#pragma once

#include "compiler/cluster/cluster.h"
#include "emit/kinds/object.h"
#include "emit/yaml.h"

namespace gpol::kinds {

yaml::Value namespace_object(const Namespace& ns);
yaml::Value resource_flavor(const Flavor& flavor);
yaml::Value workload_priority_class(const WorkloadPriorityClass& priority_class);
yaml::Value priority_class(const PriorityClass& priority_class);
yaml::Value resource_quota(const ResourceQuota& quota);
yaml::Value cohort(const Cluster& cluster, const CohortNode& cohort);
yaml::Value cluster_queue(const Cluster& cluster, const Queue& queue);
// spec.resourceGroups of either. In every flavor the resources stand in the order of coveredResources: Kueue's webhook
// refuses anything else (pkg/webhooks/clusterqueue_webhook.go). `in_tree`: has a cohort (for a cohort: a parent).
// Without one the webhook refuses borrowing and lending limits, which would have nobody to bind, so none is written.
yaml::List resource_groups(const Cluster& cluster, const std::vector<ResourceGroup>& groups, bool in_tree);
yaml::Value local_queue(const LocalQueue& queue);

yaml::Value cluster_role(const ClusterRole& role);
yaml::Value cluster_role_binding(const ClusterRoleBinding& binding);
yaml::Value admission_policy(const AdmissionPolicy& policy);
yaml::Value admission_binding(const AdmissionBinding& binding);

// A configuration of mig-parted in the ConfigMap that MIG Manager reads.
yaml::Value mig_config_map(const MigConfigMap& map);
// Configurations of the device plugin in the ConfigMap that it reads, one per key.
yaml::Value plugin_config_map(const PluginConfigMap& map);
// Limits of Envoy Gateway on one HTTPRoute.
yaml::Value backend_traffic_policy(const TrafficPolicy& policy);
// One that a policy gives a host.
yaml::Value http_route(const HttpRoute& route);
yaml::Value network_policy(const IngressPolicy& policy);
// What is to be changed of the GPU Operator's ClusterPolicy, for `kubectl patch --type merge`.
yaml::Value operator_policy(const OperatorPolicy& policy);

// A strategic merge patch for `kubectl patch node NAME --patch-file`: labels and taints of every node of the pool. No
// object of its own: nodes have names that no policy knows.
yaml::Value node_patch(const NodePool& pool);

// A file of the controller, not an object of the API: no metadata, and the controller reads it strictly.
yaml::Value kueue_configuration(const KueueConfig& config);

}  // namespace gpol::kinds
