#include "checker/observe/kustomize/merge_types.h"

#include "compiler/source/lookup.h"

namespace gpol::manifest::kustomize {
namespace {

using F = MergeField;

constexpr F merged(std::string_view name, std::string_view key, const MergeType* of = nullptr) {
  return {name, of, true, {key, {}}};
}

constexpr F kMetadataFields[] = {merged("finalizers", ""), merged("ownerReferences", "uid")};
constexpr MergeType kMetadata{kMetadataFields};
constexpr F kOnlyMetadataFields[] = {{"metadata", &kMetadata}};
constexpr MergeType kOnlyMetadata{kOnlyMetadataFields};
constexpr F kConditionsFields[] = {merged("conditions", "type")};
constexpr MergeType kConditions{kConditionsFields};
constexpr F kWithConditionsFields[] = {{"metadata", &kMetadata}, {"status", &kConditions}};
constexpr MergeType kWithConditions{kWithConditionsFields};  // Namespace, PodDisruptionBudget, APIService

constexpr F kClaimTemplateFields[] = {{"volumeClaimTemplate", &kOnlyMetadata}};
constexpr MergeType kClaimTemplate{kClaimTemplateFields};
constexpr F kVolumeFields[] = {{"ephemeral", &kClaimTemplate}};
constexpr MergeType kVolume{kVolumeFields};
constexpr F kContainerFields[] = {
    merged("env", "name"),
    {"ports", nullptr, true, {"containerPort", "protocol"}},
    merged("volumeDevices", "devicePath"),
    merged("volumeMounts", "mountPath"),
};
constexpr MergeType kContainer{kContainerFields};
constexpr F kEphemeralContainerFields[] = {merged("env", "name"), merged("volumeDevices", "devicePath"),
                                           merged("volumeMounts", "mountPath")};
constexpr MergeType kEphemeralContainer{kEphemeralContainerFields};
constexpr F kPodSpecFields[] = {
    merged("containers", "name", &kContainer),
    merged("ephemeralContainers", "name", &kEphemeralContainer),
    merged("hostAliases", "ip"),
    merged("imagePullSecrets", "name"),
    merged("initContainers", "name", &kContainer),
    {"topologySpreadConstraints", nullptr, true, {"topologyKey", "whenUnsatisfiable"}},
    merged("volumes", "name", &kVolume),
};
constexpr MergeType kPodSpec{kPodSpecFields};
constexpr F kTemplateFields[] = {{"metadata", &kMetadata}, {"spec", &kPodSpec}};
constexpr MergeType kTemplate{kTemplateFields};
constexpr F kHasTemplateFields[] = {{"template", &kTemplate}};
constexpr MergeType kHasTemplate{kHasTemplateFields};
constexpr F kWorkloadFields[] = {{"metadata", &kMetadata}, {"spec", &kHasTemplate}, {"status", &kConditions}};
constexpr MergeType kWorkload{kWorkloadFields};
constexpr F kClaimFields[] = {{"metadata", &kMetadata}, {"status", &kConditions}};
constexpr MergeType kClaim{kClaimFields};
constexpr F kJobTemplateFields[] = {{"metadata", &kMetadata}, {"spec", &kHasTemplate}};
constexpr MergeType kJobTemplate{kJobTemplateFields};
constexpr F kHasJobTemplateFields[] = {{"jobTemplate", &kJobTemplate}};
constexpr MergeType kHasJobTemplate{kHasJobTemplateFields};
constexpr F kCronJobFields[] = {{"metadata", &kMetadata}, {"spec", &kHasJobTemplate}};
constexpr MergeType kCronJob{kCronJobFields};

constexpr F kPodStatusFields[] = {merged("conditions", "type"), merged("podIPs", "ip")};
constexpr MergeType kPodStatus{kPodStatusFields};
constexpr F kPodFields[] = {{"metadata", &kMetadata}, {"spec", &kPodSpec}, {"status", &kPodStatus}};
constexpr MergeType kPod{kPodFields};
constexpr F kPodTemplateFields[] = {{"metadata", &kMetadata}, {"template", &kTemplate}};
constexpr MergeType kPodTemplate{kPodTemplateFields};
constexpr F kServiceSpecFields[] = {{"ports", nullptr, true, {"port", "protocol"}}};
constexpr MergeType kServiceSpec{kServiceSpecFields};
constexpr F kServiceFields[] = {{"metadata", &kMetadata}, {"spec", &kServiceSpec}, {"status", &kConditions}};
constexpr MergeType kService{kServiceFields};
constexpr F kServiceAccountFields[] = {{"metadata", &kMetadata}, merged("secrets", "name")};
constexpr MergeType kServiceAccount{kServiceAccountFields};
constexpr F kNodeSpecFields[] = {merged("podCIDRs", "")};
constexpr MergeType kNodeSpec{kNodeSpecFields};
constexpr F kNodeStatusFields[] = {merged("addresses", "type"), merged("conditions", "type")};
constexpr MergeType kNodeStatus{kNodeStatusFields};
constexpr F kNodeFields[] = {{"metadata", &kMetadata}, {"spec", &kNodeSpec}, {"status", &kNodeStatus}};
constexpr MergeType kNode{kNodeFields};
constexpr F kComponentStatusFields[] = {{"metadata", &kMetadata}, merged("conditions", "type")};
constexpr MergeType kComponentStatus{kComponentStatusFields};
constexpr F kWebhooksFields[] = {{"metadata", &kMetadata}, merged("webhooks", "name")};
constexpr MergeType kWebhooks{kWebhooksFields};
constexpr F kDriversFields[] = {merged("drivers", "name")};
constexpr MergeType kDrivers{kDriversFields};
constexpr F kCsiNodeFields[] = {{"metadata", &kMetadata}, {"spec", &kDrivers}};
constexpr MergeType kCsiNode{kCsiNodeFields};

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
    {"", " v1", " PersistentVolumeClaim", &kClaim},
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

const MergeField* MergeType::field(std::string_view name) const { return find_by(fields, name, &F::name); }

const MergeType* merge_type_of(const Kind& kind) {
  for (const Row& row : kRows)
    if (row.group == kind.group && has_word(row.versions, kind.version) && has_word(row.kinds, kind.kind))
      return row.type;
  return nullptr;
}

}  // namespace gpol::manifest::kustomize
