#include "checker/observe/schema/configuration.h"

#include <algorithm>
#include <set>

#include "checker/observe/schema/shared_rules.h"
#include "checker/observe/schema/structure.h"
#include "checker/observe/schema/syntax.h"
#include "checker/observe/schema/tables_configuration.h"
#include "compiler/cluster/feature_gates.h"
#include "compiler/source/duration.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest {
namespace schema {
namespace {

constexpr KueueFramework kFrameworks[] = {
    {"batch/job", "Job.v1.batch"},
    {"deployment", "Deployment.v1.apps"},
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
    {"sparkoperator.k8s.io/sparkapplication", "SparkApplication.v1beta2.sparkoperator.k8s.io"},
    {"statefulset", "StatefulSet.v1.apps"},
    {"trainer.kubeflow.org/trainjob", "TrainJob.v1alpha1.trainer.kubeflow.org"},
    {"workload.codeflare.dev/appwrapper", "AppWrapper.v1beta2.workload.codeflare.dev"},
};

// Whether a feature gate is on with what the Configuration says.
bool gate_is_on(const Look& root, std::string_view gate) {
  const Look given = root.get("featureGates");
  const auto found = std::ranges::find(given.entries(), gate, &Entry::key);
  return found == given.entries().end() ? is_on_by_default(gate) : found->value.text == "true";  // null is false
}

bool is_older(const Look& root) { return root.get("apiVersion").text().ends_with("/v1beta1"); }

void gates(const Look& root, const Report& report) {
  const Look given = root.get("featureGates");
  bool many = false;
  for (const Entry& entry : given.entries()) {
    many = many || entry.key == "AllAlpha" || entry.key == "AllBeta";
    const auto why = gate_not_understood(entry.key, entry.value.text == "true");
    if (why.find("does not start") != std::string::npos) report(given.entry(entry), why);
  }
  if (many) return;  // which are on is not known
  for (const GateNeed& broken : gates_without_need([&](std::string_view gate) { return gate_is_on(root, gate); })) {
    const auto named = [&](std::string_view gate) { return contains(given.entries(), gate, &Entry::key); };
    const bool off = named(broken.needed);
    const std::string gate(broken.gate), needed(broken.needed);
    for (const Entry& entry : given.entries())
      if (entry.key == (off ? needed : gate))
        report(given.entry(entry),
               off ? "is off, and `" + gate + "` is on, which needs it" : "needs `" + needed + "`, which is off");
  }
}

// Of v1beta1 it counts where it is enabled.
void wait_for_pods_ready(const Look& root, const Report& report) {
  const Look wait = root.get("waitForPodsReady"), enable = wait.get("enable"), timeout = wait.get("timeout");
  const bool older = is_older(root);
  if (!wait.present() || (older && !enable.is_true()) || gate_is_on(root, "DisableWaitForPodsReady")) return;
  const Look recovery = wait.get("recoveryTimeout");
  for (const Look* time : {&timeout, &recovery})
    if (time->present() && go_duration(time->text()).value_or(0) < 0) report(*time, "must be 0s or more");
  if (older && timeout.present() && go_duration(timeout.text()) == 0) report(timeout, "must be more than 0s");
  const Look strategy = wait.get("requeuingStrategy"), timestamp = strategy.get("timestamp");
  if (timestamp.present() && timestamp.text() != "Creation" && timestamp.text() != "Eviction")
    report(timestamp, shown(timestamp.text()) + " is none of `Creation`, `Eviction`");
  for (const auto key : {"backoffLimitCount", "backoffBaseSeconds", "backoffMaxSeconds"})
    if (const Look count = strategy.get(key); count.integer().value_or(0) < 0) report(count, "must be at least 0");
}

void fair_sharing(const Look& root, const Report& report) {
  const Look fair = root.get("fairSharing"), enable = fair.get("enable"), list = fair.get("preemptionStrategies");
  if (!fair.present() || (is_older(root) && (!enable.is_true() || list.size() == 0))) return;
  std::string names;
  for (const Look name : list.items()) names += std::string(name.text()) + ",";
  if (names != "LessThanOrEqualToFinalShare," && names != "LessThanInitialShare," &&
      names != "LessThanOrEqualToFinalShare,LessThanInitialShare,")
    report(list, "must be LessThanOrEqualToFinalShare, LessThanInitialShare, or both in this order");
}

void transformations(const Look& list, const Report& report) {
  std::set<std::string_view> seen;
  for (const Look item : list.items())
    if (const Look input = item.get("input"); !seen.insert(input.text()).second)
      report(input, shown(input.text()) + " has a transformation already");
}

void quota_check(const Look& root, const Report& report) {
  const Look resources = root.get("resources"), strategy = resources.get("quotaCheckStrategy");
  if (!strategy.present() || !gate_is_on(root, "QuotaCheckStrategy")) return;
  const Look excluded = resources.get("excludeResourcePrefixes");
  const bool ignores = strategy.text() == "IgnoreUndeclared";
  if (ignores && excluded.size() > 0) report(excluded, "is refused beside quotaCheckStrategy IgnoreUndeclared");
  if (!ignores && strategy.text() != "BlockUndeclared")
    report(strategy, shown(strategy.text()) + " is none of `BlockUndeclared`, `IgnoreUndeclared`");
}

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

void managed_namespaces(const Look& root, const Report& report) {
  const Look selector = root.get("managedJobsNamespaceSelector"), own = root.get("namespace");
  if (!selector.present()) {  // its default names it
    if (!is_label_value(own.text())) report(own, shown(own.text()) + " is not a label value");
    return;
  }
  const Look labels = selector.get("matchLabels");
  const auto check = [&](const Report& to) { check_own_labels(labels, to), check_selector(selector, to); };
  Findings mistakes;
  check(Report("", mistakes));
  if (!mistakes.take().empty()) return check(report);
  for (const std::string_view ns : {std::string_view("kube-system"), own.text(own.present() ? "" : "kueue-system")})
    if (!ns.empty() && matches(selector, ns)) report(selector, "must leave out the namespace " + shown(ns));
}

constexpr Rule kRules[] = {
    {"config:feature-gates", "", "", gates},
    {"config:wait-for-pods-ready", "", "", wait_for_pods_ready},
    {"config:fair-sharing", "", "", fair_sharing},
    {"config:transformation-twice", "", "resources.transformations", transformations},
    {"config:quota-check", "", "", quota_check},
    {"config:frameworks", "", "integrations.frameworks", frameworks},
    {"config:external-frameworks", "", "", external_frameworks},
    {"config:managed-namespaces", "", "", managed_namespaces},
};

}  // namespace

std::span<const Rule> configuration_rules() { return kRules; }

}  // namespace schema

std::span<const KueueFramework> kueue_frameworks() { return schema::kFrameworks; }

const schema::Type* schema::configuration_type(std::string_view api, std::string_view kind) {
  static constexpr Type kNewest = object(configuration::kV1beta2Configuration);
  static constexpr Type kOlder = object(configuration::kV1beta1Configuration);
  if (kind != "Configuration") return nullptr;
  if (api == "config.kueue.x-k8s.io/v1beta1") return &kOlder;
  return api == "config.kueue.x-k8s.io/v1beta2" ? &kNewest : nullptr;
}

std::vector<Violation> refused_at_start(const Node& configuration) {
  using namespace schema;
  const Look root(configuration);
  const Look api = root.get("apiVersion"), kind = root.get("kind");
  Findings findings;
  const Type* type = configuration_type(api.text(), kind.text());
  if (type == nullptr) {
    findings.add("config:version", "apiVersion", "must be config.kueue.x-k8s.io/v1beta2 or v1beta1, of Configuration",
                 api.nearest());
    return findings.take();
  }
  check_decoded(root, *type, findings);
  if (std::vector<Violation> undecodable = findings.take(); !undecodable.empty()) return undecodable;
  for (const Rule& rule : kRules) ask(root, rule.path, rule, Report(rule.name, findings));
  return findings.take();
}

}  // namespace gpol::manifest
