#include "checker/observe/kustomize/merge_types.h"

#include "compiler/source/lookup.h"

namespace gpol::manifest::kustomize {
namespace {

using F = MergeField;

constexpr F merged(std::string_view name, std::string_view key, const MergeType* of = nullptr) {
  return {name, of, true, {key, {}}};
}

constexpr MergeType kMetadata{merged("finalizers", ""), merged("ownerReferences", "uid")};
constexpr MergeType kOnlyMetadata{{"metadata", &kMetadata}};
constexpr MergeType kConditions{merged("conditions", "type")};
constexpr MergeType kWithConditions{{"metadata", &kMetadata}, {"status", &kConditions}};

constexpr MergeType kClaimTemplate{{"volumeClaimTemplate", &kOnlyMetadata}};
constexpr MergeType kVolume{{"ephemeral", &kClaimTemplate}};
constexpr MergeType kContainer{merged("env", "name"),
                               {"ports", nullptr, true, {"containerPort", "protocol"}},
                               merged("volumeDevices", "devicePath"),
                               merged("volumeMounts", "mountPath")};
constexpr MergeType kEphemeralContainer{merged("env", "name"), merged("volumeDevices", "devicePath"),
                                        merged("volumeMounts", "mountPath")};
constexpr MergeType kPodSpec{merged("containers", "name", &kContainer),
                             merged("ephemeralContainers", "name", &kEphemeralContainer),
                             merged("hostAliases", "ip"),
                             merged("imagePullSecrets", "name"),
                             merged("initContainers", "name", &kContainer),
                             {"topologySpreadConstraints", nullptr, true, {"topologyKey", "whenUnsatisfiable"}},
                             merged("volumes", "name", &kVolume)};
constexpr MergeType kTemplate{{"metadata", &kMetadata}, {"spec", &kPodSpec}};
constexpr MergeType kHasTemplate{{"template", &kTemplate}};
constexpr MergeType kWorkload{{"metadata", &kMetadata}, {"spec", &kHasTemplate}, {"status", &kConditions}};
constexpr MergeType kJobTemplate{{"metadata", &kMetadata}, {"spec", &kHasTemplate}};
constexpr MergeType kHasJobTemplate{{"jobTemplate", &kJobTemplate}};
constexpr MergeType kCronJob{{"metadata", &kMetadata}, {"spec", &kHasJobTemplate}};

constexpr MergeType kPodStatus{merged("conditions", "type"), merged("podIPs", "ip")};
constexpr MergeType kPod{{"metadata", &kMetadata}, {"spec", &kPodSpec}, {"status", &kPodStatus}};
constexpr MergeType kPodTemplate{{"metadata", &kMetadata}, {"template", &kTemplate}};
constexpr MergeType kServiceSpec{{"ports", nullptr, true, {"port", "protocol"}}};
constexpr MergeType kService{{"metadata", &kMetadata}, {"spec", &kServiceSpec}, {"status", &kConditions}};
constexpr MergeType kServiceAccount{{"metadata", &kMetadata}, merged("secrets", "name")};
constexpr MergeType kNodeSpec{merged("podCIDRs", "")};
constexpr MergeType kNodeStatus{merged("addresses", "type"), merged("conditions", "type")};
constexpr MergeType kNode{{"metadata", &kMetadata}, {"spec", &kNodeSpec}, {"status", &kNodeStatus}};
constexpr MergeType kComponentStatus{{"metadata", &kMetadata}, merged("conditions", "type")};
constexpr MergeType kWebhooks{{"metadata", &kMetadata}, merged("webhooks", "name")};
constexpr MergeType kDrivers{merged("drivers", "name")};
constexpr MergeType kCsiNode{{"metadata", &kMetadata}, {"spec", &kDrivers}};

struct Row {
  std::string_view group, versions, kinds;  // words behind blanks
  const MergeType* type;
};
constexpr Row kRows[] = {
    {"apps", " v1", " DaemonSet Deployment ReplicaSet StatefulSet", &kWorkload},
    {"batch", " v1", " Job", &kWorkload},
    {"batch", " v1 v1beta1", " CronJob", &kCronJob},
    {"", " v1", " ReplicationController", &kWorkload},
    {"", " v1", " Pod", &kPod},
    {"", " v1", " PodTemplate", &kPodTemplate},
    {"", " v1", " Service", &kService},
    {"", " v1", " ServiceAccount", &kServiceAccount},
    {"", " v1", " Node", &kNode},
    {"", " v1", " PersistentVolumeClaim", &kWithConditions},
    {"", " v1", " Namespace", &kWithConditions},
    {"", " v1", " ComponentStatus", &kComponentStatus},
    {"", " v1", " Binding ConfigMap Endpoints Event LimitRange PersistentVolume ResourceQuota Secret", &kOnlyMetadata},
    {"admissionregistration.k8s.io", " v1 v1beta1", " MutatingWebhookConfiguration ValidatingWebhookConfiguration",
     &kWebhooks},
    {"policy", " v1 v1beta1", " PodDisruptionBudget", &kWithConditions},
    {"apiregistration.k8s.io", " v1 v1beta1", " APIService", &kWithConditions},
    {"storage.k8s.io", " v1 v1beta1", " CSINode", &kCsiNode},
    {"apiextensions.k8s.io", " v1 v1beta1", " CustomResourceDefinition", &kOnlyMetadata},
    {"apps", " v1", " ControllerRevision", &kOnlyMetadata},
    {"autoscaling", " v1 v2beta1 v2beta2", " HorizontalPodAutoscaler", &kOnlyMetadata},
    {"autoscaling", " v1", " Scale", &kOnlyMetadata},
    {"certificates.k8s.io", " v1 v1beta1", " CertificateSigningRequest", &kOnlyMetadata},
    {"coordination.k8s.io", " v1 v1beta1", " Lease", &kOnlyMetadata},
    {"discovery.k8s.io", " v1 v1beta1", " EndpointSlice", &kOnlyMetadata},
    {"events.k8s.io", " v1 v1beta1", " Event", &kOnlyMetadata},
    {"extensions", " v1beta1", " Ingress", &kOnlyMetadata},
    {"flowcontrol.apiserver.k8s.io", " v1beta1", " FlowSchema PriorityLevelConfiguration", &kOnlyMetadata},
    {"networking.k8s.io", " v1", " NetworkPolicy", &kOnlyMetadata},
    {"networking.k8s.io", " v1 v1beta1", " Ingress IngressClass", &kOnlyMetadata},
    {"node.k8s.io", " v1 v1beta1", " RuntimeClass", &kOnlyMetadata},
    {"policy", " v1beta1", " PodSecurityPolicy", &kOnlyMetadata},
    {"rbac.authorization.k8s.io", " v1 v1beta1", " ClusterRole ClusterRoleBinding Role RoleBinding", &kOnlyMetadata},
    {"scheduling.k8s.io", " v1 v1beta1", " PriorityClass", &kOnlyMetadata},
    {"storage.k8s.io", " v1 v1beta1", " CSIDriver StorageClass VolumeAttachment", &kOnlyMetadata},
    {"storage.k8s.io", " v1beta1", " CSIStorageCapacity", &kOnlyMetadata},
};

}  // namespace

const MergeField* MergeType::field(std::string_view name) const {
  return name.empty() ? nullptr : find_by(fields, name, &F::name);
}

const MergeType* merge_type_of(const Kind& kind) {
  for (const Row& row : kRows)
    if (row.group == kind.group && has_word(row.versions, kind.version) && has_word(row.kinds, kind.kind))
      return row.type;
  return nullptr;
}

}  // namespace gpol::manifest::kustomize
