#include <algorithm>
#include <set>

#include "checker/observe/schema/configuration.h"
#include "checker/observe/schema/configuration_rules.h"
#include "checker/observe/schema/shared_rules.h"
#include "checker/observe/schema/syntax.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest {
namespace schema {
namespace {

constexpr KueueFramework kFrameworks[] = {
    {"batch/job", "Job.v1.batch"},
    {"deployment", "Deployment.v1.apps", false},
    {"jobset.x-k8s.io/jobset", "JobSet.v1alpha2.jobset.x-k8s.io"},
    {"kubeflow.org/jaxjob", "JAXJob.v1.kubeflow.org"},
    {"kubeflow.org/mpijob", "MPIJob.v2beta1.kubeflow.org"},
    {"kubeflow.org/paddlejob", "PaddleJob.v1.kubeflow.org"},
    {"kubeflow.org/pytorchjob", "PyTorchJob.v1.kubeflow.org"},
    {"kubeflow.org/tfjob", "TFJob.v1.kubeflow.org"},
    {"kubeflow.org/xgboostjob", "XGBoostJob.v1.kubeflow.org"},
    {"leaderworkerset.x-k8s.io/leaderworkerset", "LeaderWorkerSet.v1.leaderworkerset.x-k8s.io"},
    {"pod", "Pod.v1."},
    {"ray.io/raycluster", "RayCluster.v1.ray.io"},
    {"ray.io/rayjob", "RayJob.v1.ray.io"},
    {"ray.io/rayservice", "RayService.v1.ray.io"},
    {"sparkoperator.k8s.io/sparkapplication", "SparkApplication.v1beta2.sparkoperator.k8s.io", false},
    {"statefulset", "StatefulSet.v1.apps"},
    {"trainer.kubeflow.org/trainjob", "TrainJob.v1alpha1.trainer.kubeflow.org"},
    {"workload.codeflare.dev/appwrapper", "AppWrapper.v1beta2.workload.codeflare.dev"},
};

const KueueFramework* framework(std::string_view name) { return find_by(kFrameworks, name, &KueueFramework::name); }

// schema.ParseKindArg
bool is_kind(std::string_view text) { return std::ranges::count(text, '.') >= 2; }

// Of absent or empty `frameworks` the default.
std::vector<const KueueFramework*> turned_on(const Look& integrations) {
  const Look list = integrations.get("frameworks");
  if (list.size() == 0) return {framework("batch/job")};
  std::vector<const KueueFramework*> on;
  for (const Look name : list.items())
    if (const auto* known = framework(name.text())) on.push_back(known);
  return on;
}

void frameworks(const Look& list, const Report& report) {
  std::set<std::string_view> seen;
  for (const Look name : list.items()) {
    if (framework(name.text()) == nullptr) report(name, shown(name.text()) + " is no framework of Kueue v0.19.2");
    if (!seen.insert(name.text()).second) report(list, "names " + shown(name.text()) + " a second time");
  }
}

void external_frameworks(const Look& root, const Report& report) {
  const Look integrations = root.get("integrations"), list = integrations.get("externalFrameworks");
  std::set<std::string_view> seen;
  for (const auto* one : turned_on(integrations)) seen.insert(one->kind);
  for (const Look kind : list.items()) {
    if (!is_kind(kind.text()))
      report(kind, shown(kind.text()) + " is not of the form Kind.version.group");
    else if (!seen.insert(kind.text()).second)
      report(kind, shown(kind.text()) + " is managed already");
  }
}

// What has no label but the name of a namespace.
bool matches(const Look& selector, std::string_view ns) {
  constexpr std::string_view kName = "kubernetes.io/metadata.name";
  for (const Look labels = selector.get("matchLabels"); const Entry& entry : labels.entries())
    if (entry.key != kName || entry.value.text != ns) return false;
  const Look expressions = selector.get("matchExpressions");
  for (const Look one : expressions.items()) {
    const Look key = one.get("key"), op = one.get("operator"), values = one.get("values");
    const bool present = key.text() == kName;
    const bool among = present && std::ranges::any_of(values.items(), [&](const Look& v) { return v.text() == ns; });
    if (op.text() == "In" ? !among : op.text() == "NotIn" ? among : op.text() == "Exists" ? !present : present)
      return false;
  }
  return true;
}

void label_value(const Look& text, const Report& report) {
  if (!is_label_value(text.text())) report(text, shown(text.text()) + " is not a label value");
}

void managed_namespaces(const Look& root, const Report& report) {
  const Look selector = root.get("managedJobsNamespaceSelector"), own = root.get("namespace");
  if (!selector.present()) return label_value(own, report);  // its default names it
  const Look labels = selector.get("matchLabels");
  const auto check = [&](const Report& to) { check_own_labels(labels, to), check_selector(selector, to); };
  Findings mistakes;
  check(Report("", mistakes));
  if (!mistakes.take().empty()) return check(report);
  for (const std::string_view ns : {std::string_view("kube-system"), own.text(own.present() ? "" : "kueue-system")})
    if (!ns.empty() && matches(selector, ns)) report(selector, "must leave out the namespace " + shown(ns));
}

void multikueue_kinds(const Look& root, const Report& report) {
  const Look multikueue = root.get("multiKueue"), list = multikueue.get("externalFrameworks");
  const Look integrations = root.get("integrations");
  std::set<std::string_view> adapted, seen;
  for (const auto* one : turned_on(integrations))
    if (one->multikueue) adapted.insert(one->kind);
  for (const Look item : list.items()) {
    const Look name = item.get("name");
    if (!is_kind(name.text()))
      report(name, shown(name.text()) + " is not of the form Kind.version.group");
    else if (!seen.insert(name.text()).second || adapted.contains(name.text()))
      report(name, shown(name.text()) + " has an adapter already");
  }
}

void access_providers(const Look& profile, const Report& report) {
  const Look access = profile.get("accessProviders"), older = profile.get("credentialsProviders");
  if (access.size() > 0 && older.size() > 0) report(older, "is refused beside accessProviders");
}

void dispatcher(const Look& multikueue, const Report& report) {
  const Look config = multikueue.get("incrementalDispatcherConfig"), name = multikueue.get("dispatcherName");
  if (config.present() && name.text() != "kueue.x-k8s.io/multikueue-dispatcher-incremental")
    report(config, "is refused where dispatcherName is not `kueue.x-k8s.io/multikueue-dispatcher-incremental`");
}

constexpr Rule kRules[] = {
    {"config:frameworks", "", "integrations.frameworks", frameworks},
    {"config:external-frameworks", "", "", external_frameworks},
    {"config:managed-namespaces", "", "", managed_namespaces},
    {"config:multikueue-kinds", "", "", multikueue_kinds},
    {"config:multikueue-origin", "", "multiKueue.origin", label_value},
    {"config:multikueue-providers", "", "multiKueue.clusterProfile", access_providers},
    {"config:multikueue-dispatcher", "", "multiKueue", dispatcher},
};

}  // namespace

std::span<const Rule> integration_rules() { return kRules; }

}  // namespace schema

std::span<const KueueFramework> kueue_frameworks() { return schema::kFrameworks; }

}  // namespace gpol::manifest
