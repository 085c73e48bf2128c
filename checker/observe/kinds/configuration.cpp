// The controller's own Configuration (a file mounted into it, not an object of the cluster).
#include <algorithm>
#include <set>

#include "checker/observe/kinds/kinds.h"
#include "checker/observe/quantity.h"
#include "compiler/cluster/feature_gates.h"
#include "compiler/cluster/kueue_version.h"
#include "compiler/source/duration.h"

namespace gpol::manifest {
namespace {

// Of no consequence to who is admitted, preempted or managed.
void ignore_harmless(const View& object) {
  const auto map = Node::Kind::Map;
  object.ignore("health", map);                  // addresses of the probes
  object.ignore("metrics", map);                 // what is exported, not what is decided
  object.ignore("webhook", map);                 // address and certificate directory
  object.ignore("leaderElection", map);          // which replica of the controller acts
  object.ignore("controller", map);              // how many reconcilers run at once
  object.ignore("clientConnection", map);        // rate towards the API server; the round is a declared time constant
  object.ignore("internalCertManagement", map);  // who makes the webhook's certificate
  object.ignore("tls", map);                     // ciphers of the controller's own ports
  object.ignore("visibilityServer", map);        // read-only API of pending workloads
  object.ignore("pprofBindAddress", Node::Kind::Text);
  object.ignore("objectRetentionPolicies", map);  // how long ended and deactivated workloads are kept
  object.ignore("multiKueue", map);               // how workers are watched; what is said of checks holds
}

// A positive duration as Go writes it: "30m", "1h30m", "1.5s". Others stop the controller from starting.
bool is_duration(std::string_view text) {
  return !text.empty() && text.front() != '-' && text.front() != '+' && text != "0" &&
         read_duration(text, {.units = kGoAsciiUnits, .as_go = true});
}

std::string duration_of(const View& map, std::string_view key) {
  const auto text = map.text(key);
  if (text && !is_duration(*text)) map.problem(key, shown(*text) + " is not a duration such as 30m");
  return text.value_or("");
}

void read_wait_for_pods_ready(const View& object, KueueConfig& config) {
  const auto view = object.map("waitForPodsReady");
  if (!view) return;
  KueueConfig::WaitForPodsReady wait;
  wait.timeout = duration_of(*view, "timeout");
  wait.recovery_timeout = duration_of(*view, "recoveryTimeout");
  wait.block_admission = view->boolean("blockAdmission").value_or(false);
  if (const auto requeuing = view->map("requeuingStrategy")) {
    const std::string timestamp = requeuing->text("timestamp").value_or("Eviction");
    wait.requeue_at_creation = timestamp == "Creation";
    if (timestamp != "Creation" && timestamp != "Eviction")
      requeuing->problem("timestamp", shown(timestamp) + " is none of Creation, Eviction");
    wait.gives_up = requeuing->has("backoffLimitCount");
    // Of workloads whose pods do not get ready alone: how soon they ask again, and when they give up.
    for (const char* key : {"backoffLimitCount", "backoffBaseSeconds", "backoffMaxSeconds"}) requeuing->ignore(key);
    requeuing->finish();
  }
  view->finish();
  config.wait_for_pods_ready = std::move(wait);
}

void read_integrations(const View& object, KueueConfig& config) {
  const auto view = object.map("integrations");
  if (!view) return;
  config.frameworks = view->texts("frameworks");
  config.external_frameworks = view->texts("externalFrameworks");
  view->ignore("labelKeysToCopy", Node::Kind::List);  // labels of workloads, which nothing here reads
  view->finish();
  auto sorted = config.frameworks;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) view->problem("frameworks", "names " + shown(*twice) + " a second time");
}

// Its presence turns fair sharing on. The sets of strategies are those that Kueue accepts
// (pkg/config/validation.go).
void read_fair_sharing(const View& object, KueueConfig& config) {
  const auto view = object.map("fairSharing");
  if (!view) return;
  config.fair_sharing = true;
  const auto strategies = view->texts("preemptionStrategies");
  view->finish();
  using Strategies = KueueConfig::FairStrategies;
  const std::string final_share = "LessThanOrEqualToFinalShare", initial_share = "LessThanInitialShare";
  if (strategies == std::vector{final_share, initial_share})
    config.fair_strategies = Strategies::Both;
  else if (strategies == std::vector{final_share})
    config.fair_strategies = Strategies::LessThanOrEqualToFinalShare;
  else if (strategies == std::vector{initial_share})
    config.fair_strategies = Strategies::LessThanInitialShare;
  else
    view->problem("preemptionStrategies", "must be " + final_share + ", " + initial_share + ", or both in this order");
}

// apis/config/v1beta2 ResourceTransformation. An amount of which there is one for every unit of the input.
std::string read_factor(const View& outputs, const std::string& output) {
  const auto text = outputs.quantity(output);
  if (!text) return "0";
  const std::string factor = plain_decimal(*text);
  constexpr std::size_t kMostDigits = 18;
  if (factor.empty() || factor.size() > kMostDigits + 2)
    outputs.problem(output, shown(*text) + (factor.empty() ? " is not a quantity" : " is more than can be counted"));
  return factor;
}

void read_transformations(const View& resources, KueueConfig& config) {
  std::set<std::string> inputs;
  resources.each_map("transformations", [&](const View& item) {
    static constexpr std::pair<std::string_view, bool> strategies[] = {{"Retain", false}, {"Replace", true}};
    Transformation transformation;
    transformation.input = item.required_text("input");
    transformation.replace = item.choice<bool>("strategy", strategies, false);
    transformation.multiply_by = item.text("multiplyBy").value_or("");
    if (const auto outputs = item.map("outputs"))
      for (const auto& entry : outputs->node().entries)
        transformation.outputs.emplace(entry.key, read_factor(*outputs, entry.key));
    item.finish();
    if (!inputs.insert(transformation.input).second)
      item.problem("input", shown(transformation.input) + " has a transformation already");
    config.transformations.push_back(std::move(transformation));
  });
}

// pkg/config/validation.go says what is refused.
void read_resources(const View& object, KueueConfig& config) {
  const auto view = object.map("resources");
  if (!view) return;
  config.quota_check_strategy = view->text("quotaCheckStrategy").value_or("");
  if (!config.quota_check_strategy.empty() && config.quota_check_strategy != "BlockUndeclared" &&
      config.quota_check_strategy != "IgnoreUndeclared")
    view->problem("quotaCheckStrategy",
                  shown(config.quota_check_strategy) + " is none of BlockUndeclared, IgnoreUndeclared");
  config.excluded_prefixes = view->texts("excludeResourcePrefixes");
  if (!config.excluded_prefixes.empty() && config.quota_check_strategy == "IgnoreUndeclared")
    view->problem("excludeResourcePrefixes", "is refused beside quotaCheckStrategy IgnoreUndeclared");
  read_transformations(*view, config);
  view->finish();
}

void read_gates(const View& object, KueueConfig& config) {
  const auto gates = object.map("featureGates");
  if (!gates || !gates->at_most(1000)) return;
  for (const auto& gate : gates->node().entries)
    if (const auto on = gates->boolean(gate.key)) {
      config.gates.emplace(gate.key, *on);
      const std::string why = gate_not_understood(gate.key, *on);
      // As in look_at_start.
      if (!why.empty() && !gate_came_later(gate.key, KueueConfig().version)) gates->problem(gate.key, why);
    }
}

// Absent, the controller takes every namespace but kube-system and its own; only the usual own one is the default of
// the model, another must be written out.
void read_managed_namespaces(const View& object, KueueConfig& config) {
  config.managed_namespaces = read_selector(object, "managedJobsNamespaceSelector");
  const auto own = object.text("namespace").value_or("kueue-system");
  if (object.has("managedJobsNamespaceSelector") || own == "kueue-system") return;
  config.managed_namespaces.present = true;
  config.managed_namespaces.expressions.push_back({"kubernetes.io/metadata.name", "NotIn", {"kube-system", own}});
}

}  // namespace

void read_configuration(const View& object, Draft& draft) {
  if (draft.configuration_seen) object.problem("kind", "is that of a second one, and Kueue reads one");
  draft.configuration_seen = true;
  KueueConfig& config = draft.cluster.config;
  ignore_harmless(object);
  config.manage_jobs_without_queue_name = object.boolean("manageJobsWithoutQueueName").value_or(false);
  read_managed_namespaces(object, config);
  draft.note_selector(config.managed_namespaces);
  read_wait_for_pods_ready(object, config);
  read_integrations(object, config);
  read_fair_sharing(object, config);
  read_resources(object, config);
  read_gates(object, config);
  object.finish();
}

}  // namespace gpol::manifest
