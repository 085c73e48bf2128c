#include <initializer_list>

#include "checker/observe/kustomize/references.h"

namespace gpol::manifest::kustomize {
namespace {

// Where each kind keeps the specification of its pods.
struct PodsOf {
  const char* kind;
  const char* at;
};
constexpr PodsOf kPod{"Pod", "spec/"}, kPodTemplate{"PodTemplate", "template/spec/"},
    kDeployment{"Deployment", "spec/template/spec/"}, kReplicaSet{"ReplicaSet", "spec/template/spec/"},
    kDaemonSet{"DaemonSet", "spec/template/spec/"}, kStatefulSet{"StatefulSet", "spec/template/spec/"},
    kJob{"Job", "spec/template/spec/"}, kController{"ReplicationController", "spec/template/spec/"},
    kCronJob{"CronJob", "spec/jobTemplate/spec/template/spec/"};

class Table {
 public:
  Table() {
    scaled();
    config_maps();
    secrets();
    services();
    roles();
    of_pods({"", "v1", "ServiceAccount"}, "serviceAccountName");
    of_pods({"", "v1", "PersistentVolumeClaim"}, "volumes/persistentVolumeClaim/claimName");
    volumes();
    of_pods({"scheduling.k8s.io", "v1", "PriorityClass"}, "priorityClassName");
    // kustomize's table asks for a group "networking.k8s.io/v1" here, which no object is of: it mends none.
    const Kind policy{"admissionregistration.k8s.io", "", "ValidatingAdmissionPolicy"};
    add(policy, {"", "", "ValidatingAdmissionPolicyBinding"}, "spec/policyName");
  }
  std::vector<Reference> take() { return std::move(list_); }

 private:
  void add(const Kind& target, Kind referrer, std::string path) {
    list_.push_back({target, std::move(referrer), std::move(path)});
  }
  void add_pods(const Kind& target, std::initializer_list<PodsOf> kinds, const std::string& path) {
    for (const PodsOf& pods : kinds)
      add(target, {"", std::string_view(pods.kind) == "Pod" ? "v1" : "", pods.kind}, pods.at + path);
  }

  void scaled() {
    for (const char* kind : {"Deployment", "ReplicationController", "ReplicaSet", "StatefulSet"})
      add({"", "", kind}, {"", "", "HorizontalPodAutoscaler"}, "spec/scaleTargetRef/name");
  }

  // `word`: as it stands in configMapKeyRef and configMapRef.
  void of_containers(const Kind& target, const std::string& word) {
    const auto all = {kPod, kPodTemplate, kDeployment, kReplicaSet, kDaemonSet, kStatefulSet, kJob, kCronJob};
    for (const std::string containers : {"containers/", "initContainers/"}) {
      add_pods(target, all, containers + "env/valueFrom/" + word + "KeyRef/name");
      add_pods(target, all, containers + "envFrom/" + word + "Ref/name");
    }
    add_pods(target, all, "volumes/projected/sources/" + word + "/name");
  }

  void config_maps() {
    const Kind target{"", "v1", "ConfigMap"};
    add_pods(target, {kPod, kPodTemplate, kDeployment, kReplicaSet, kDaemonSet, kStatefulSet, kJob, kCronJob},
             "volumes/configMap/name");
    of_containers(target, "configMap");
    add(target, {"", "", "Node"}, "spec/configSource/configMap");
    add(target, {"", "", "Role"}, "rules/resourceNames");
    add(target, {"", "", "ClusterRole"}, "rules/resourceNames");
    add(target, {"", "", "Ingress"}, "metadata/annotations/nginx.ingress.kubernetes.io\\/fastcgi-params-configmap");
  }

  void secrets() {
    const Kind target{"", "v1", "Secret"};
    for (const char* path : {"volumes/secret/secretName", "imagePullSecrets/name"})
      add_pods(target, {kPod, kPodTemplate, kDeployment, kReplicaSet, kDaemonSet, kStatefulSet, kJob, kCronJob}, path);
    of_containers(target, "secret");
    add(target, {"", "", "Ingress"}, "spec/tls/secretName");
    for (const std::string name : {"ingress.kubernetes.io\\/auth-secret", "nginx.ingress.kubernetes.io\\/auth-secret",
                                   "nginx.ingress.kubernetes.io\\/auth-tls-secret"})
      add(target, {"", "", "Ingress"}, "metadata/annotations/" + name);
    add(target, {"", "", "ServiceAccount"}, "imagePullSecrets/name");
    for (const std::string name : {"secretName", "adminSecretName", "userSecretName", "secretRef"})
      add(target, {"", "", "StorageClass"}, "parameters/" + name);
    add(target, {"", "", "Role"}, "rules/resourceNames");
    add(target, {"", "", "ClusterRole"}, "rules/resourceNames");
    add(target, {"serving.knative.dev", "v1", "Service"},
        "spec/template/spec/containers/env/valueFrom/secretKeyRef/name");
    add(target, {"", "", "PersistentVolume"}, "spec/azureFile/secretName");
  }

  void services() {
    const Kind target{"", "v1", "Service"};
    add(target, {"apps", "", "StatefulSet"}, "spec/serviceName");
    for (const char* path : {"spec/rules/http/paths/backend/serviceName", "spec/backend/serviceName",
                             "spec/rules/http/paths/backend/service/name", "spec/defaultBackend/service/name"})
      add(target, {"", "", "Ingress"}, path);
    add(target, {"apiregistration.k8s.io", "", "APIService"}, "spec/service/name");
    for (const char* kind : {"ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"})
      add(target, {"admissionregistration.k8s.io", "", kind}, "webhooks/clientConfig/service");
  }

  void roles() {
    const std::string rbac = "rbac.authorization.k8s.io";
    add({rbac, "", "Role"}, {rbac, "", "RoleBinding"}, "roleRef/name");
    for (const char* binding : {"RoleBinding", "ClusterRoleBinding"}) {
      add({rbac, "", "ClusterRole"}, {rbac, "", binding}, "roleRef/name");
      add({"", "v1", "ServiceAccount"}, {rbac, "", binding}, "subjects");
    }
  }

  void of_pods(const Kind& target, const std::string& path) {
    // Replica sets are not among them, and pods of any version are.
    for (const PodsOf& pods : {kPod, kStatefulSet, kDeployment, kController, kCronJob, kJob, kDaemonSet})
      add(target, {"", "", pods.kind}, pods.at + path);
  }

  void volumes() {
    add({"", "v1", "PersistentVolume"}, {"", "", "PersistentVolumeClaim"}, "spec/volumeName");
    add({"", "v1", "PersistentVolume"}, {"", "", "ClusterRole"}, "rules/resourceNames");
    const Kind storage{"storage.k8s.io", "v1", "StorageClass"};
    add(storage, {"", "", "PersistentVolume"}, "spec/storageClassName");
    add(storage, {"", "", "PersistentVolumeClaim"}, "spec/storageClassName");
    add(storage, {"", "", "StatefulSet"}, "spec/volumeClaimTemplates/spec/storageClassName");
  }

  std::vector<Reference> list_;
};

}  // namespace

const std::vector<Reference>& references() {
  static const std::vector<Reference> list = Table().take();
  return list;
}

}  // namespace gpol::manifest::kustomize
