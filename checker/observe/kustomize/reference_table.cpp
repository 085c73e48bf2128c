#include <sstream>

#include "checker/observe/kustomize/references.h"

namespace gpol::manifest::kustomize {
namespace {

// A kind is "Kind" or "group/version/Kind", empty parts of which are any; kinds and paths have a space between.
struct Row {
  const char *target, *referrers, *paths;
  bool of_pods = false;  // the paths are of the specification of pods, wherever the referrer keeps that
};
constexpr const char *kTemplates = "/v1/Pod PodTemplate Deployment ReplicaSet DaemonSet StatefulSet Job CronJob",
                     // Replica sets are not among them, and pods of any version are.
    *kOwners = "Pod StatefulSet Deployment ReplicationController CronJob Job DaemonSet";
constexpr Row kRows[] = {
    {"Deployment", "HorizontalPodAutoscaler", "spec/scaleTargetRef/name"},
    {"ReplicationController", "HorizontalPodAutoscaler", "spec/scaleTargetRef/name"},
    {"ReplicaSet", "HorizontalPodAutoscaler", "spec/scaleTargetRef/name"},
    {"StatefulSet", "HorizontalPodAutoscaler", "spec/scaleTargetRef/name"},
    {"/v1/ConfigMap", kTemplates,
     "volumes/configMap/name containers/env/valueFrom/configMapKeyRef/name containers/envFrom/configMapRef/name "
     "initContainers/env/valueFrom/configMapKeyRef/name initContainers/envFrom/configMapRef/name "
     "volumes/projected/sources/configMap/name",
     true},
    {"/v1/ConfigMap", "Node", "spec/configSource/configMap"},
    {"/v1/ConfigMap", "Role ClusterRole", "rules/resourceNames"},
    {"/v1/ConfigMap", "Ingress", "metadata/annotations/nginx.ingress.kubernetes.io\\/fastcgi-params-configmap"},
    {"/v1/Secret", kTemplates,
     "volumes/secret/secretName imagePullSecrets/name containers/env/valueFrom/secretKeyRef/name "
     "containers/envFrom/secretRef/name initContainers/env/valueFrom/secretKeyRef/name "
     "initContainers/envFrom/secretRef/name volumes/projected/sources/secret/name",
     true},
    {"/v1/Secret", "Ingress",
     "spec/tls/secretName metadata/annotations/ingress.kubernetes.io\\/auth-secret "
     "metadata/annotations/nginx.ingress.kubernetes.io\\/auth-secret "
     "metadata/annotations/nginx.ingress.kubernetes.io\\/auth-tls-secret"},
    {"/v1/Secret", "ServiceAccount", "imagePullSecrets/name"},
    {"/v1/Secret", "StorageClass",
     "parameters/secretName parameters/adminSecretName parameters/userSecretName parameters/secretRef"},
    {"/v1/Secret", "Role ClusterRole", "rules/resourceNames"},
    {"/v1/Secret", "serving.knative.dev/v1/Service", "spec/template/spec/containers/env/valueFrom/secretKeyRef/name"},
    {"/v1/Secret", "PersistentVolume", "spec/azureFile/secretName"},
    {"/v1/Service", "apps//StatefulSet", "spec/serviceName"},
    {"/v1/Service", "Ingress",
     "spec/rules/http/paths/backend/serviceName spec/backend/serviceName "
     "spec/rules/http/paths/backend/service/name spec/defaultBackend/service/name"},
    {"/v1/Service", "apiregistration.k8s.io//APIService", "spec/service/name"},
    {"/v1/Service",
     "admissionregistration.k8s.io//ValidatingWebhookConfiguration "
     "admissionregistration.k8s.io//MutatingWebhookConfiguration",
     "webhooks/clientConfig/service"},
    {"rbac.authorization.k8s.io//Role", "rbac.authorization.k8s.io//RoleBinding", "roleRef/name"},
    {"rbac.authorization.k8s.io//ClusterRole", "rbac.authorization.k8s.io//RoleBinding", "roleRef/name"},
    {"/v1/ServiceAccount", "rbac.authorization.k8s.io//RoleBinding", "subjects"},
    {"rbac.authorization.k8s.io//ClusterRole", "rbac.authorization.k8s.io//ClusterRoleBinding", "roleRef/name"},
    {"/v1/ServiceAccount", "rbac.authorization.k8s.io//ClusterRoleBinding", "subjects"},
    {"/v1/ServiceAccount", kOwners, "serviceAccountName", true},
    {"/v1/PersistentVolumeClaim", kOwners, "volumes/persistentVolumeClaim/claimName", true},
    {"/v1/PersistentVolume", "PersistentVolumeClaim", "spec/volumeName"},
    {"/v1/PersistentVolume", "ClusterRole", "rules/resourceNames"},
    {"storage.k8s.io/v1/StorageClass", "PersistentVolume PersistentVolumeClaim", "spec/storageClassName"},
    {"storage.k8s.io/v1/StorageClass", "StatefulSet", "spec/volumeClaimTemplates/spec/storageClassName"},
    {"scheduling.k8s.io/v1/PriorityClass", kOwners, "priorityClassName", true},
    // kustomize's table asks for a group "networking.k8s.io/v1" here, which no object is of: it mends none.
    {"admissionregistration.k8s.io//ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "spec/policyName"},
};

Kind kind_of(const std::string& text) {
  const auto first = text.find('/'), last = text.rfind('/');
  if (first == std::string::npos) return {"", "", text};
  return {text.substr(0, first), text.substr(first + 1, last - first - 1), text.substr(last + 1)};
}

std::string pods_of(const std::string& kind) {
  return kind == "Pod"           ? "spec/"
         : kind == "PodTemplate" ? "template/spec/"
         : kind == "CronJob"     ? "spec/jobTemplate/spec/template/spec/"
                                 : "spec/template/spec/";
}

std::vector<Reference> expanded() {
  std::vector<Reference> list;
  for (const Row& row : kRows) {
    std::istringstream paths(row.paths);
    for (std::string path; paths >> path;) {
      std::istringstream referrers(row.referrers);
      for (std::string word; referrers >> word;) {
        const Kind kind = kind_of(word);
        list.push_back({kind_of(row.target), kind, row.of_pods ? pods_of(kind.kind) + path : path});
      }
    }
  }
  return list;
}

}  // namespace

const std::vector<Reference>& references() {
  static const std::vector<Reference> list = expanded();
  return list;
}

}  // namespace gpol::manifest::kustomize
