#include <utility>

#include "compiler/cluster/words.h"
#include "emit/kinds/kinds.h"
#include "emit/kinds/selector.h"

namespace gpol::kinds {

namespace {

yaml::Map wait_for_pods_ready(const KueueConfig::WaitForPodsReady& wait) {
  yaml::Map map;
  if (!wait.timeout.empty()) map.emplace_back("timeout", wait.timeout);
  if (!wait.recovery_timeout.empty()) map.emplace_back("recoveryTimeout", wait.recovery_timeout);
  map.emplace_back("blockAdmission", wait.block_admission);
  if (wait.requeue_at_creation) map.emplace_back("requeuingStrategy", yaml::Map{{"timestamp", "Creation"}});
  return map;
}

yaml::Map resources(const KueueConfig& config) {
  yaml::Map map;
  if (!config.quota_check_strategy.empty()) map.emplace_back("quotaCheckStrategy", config.quota_check_strategy);
  const auto& prefixes = config.excluded_prefixes;
  if (!prefixes.empty()) map.emplace_back("excludeResourcePrefixes", yaml::List(prefixes.begin(), prefixes.end()));
  yaml::List transformations;
  for (const Transformation& transformation : config.transformations) {
    yaml::Map outputs;
    for (const auto& [output, factor] : transformation.outputs) outputs.emplace_back(output, factor);
    yaml::Map one{{"input", transformation.input}, {"strategy", transformation.replace ? "Replace" : "Retain"}};
    if (!transformation.multiply_by.empty()) one.emplace_back("multiplyBy", transformation.multiply_by);
    if (!outputs.empty()) one.emplace_back("outputs", std::move(outputs));
    transformations.emplace_back(std::move(one));
  }
  if (!transformations.empty()) map.emplace_back("transformations", std::move(transformations));
  return map;
}

}  // namespace

yaml::Value kueue_configuration(const KueueConfig& config) {
  yaml::Map map;
  map.emplace_back("apiVersion", "config.kueue.x-k8s.io/v1beta2");
  map.emplace_back("kind", "Configuration");
  // What is as upstream has it is not written: the file is merged into one that other teams' lines stand in.
  if (config.manage_jobs_without_queue_name) map.emplace_back("manageJobsWithoutQueueName", true);
  if (config.managed_namespaces.present)
    map.emplace_back("managedJobsNamespaceSelector", label_selector(config.managed_namespaces));
  if (config.wait_for_pods_ready)
    map.emplace_back("waitForPodsReady", wait_for_pods_ready(*config.wait_for_pods_ready));
  if (!config.frameworks.empty())
    map.emplace_back("integrations",
                     yaml::Map{{"frameworks", yaml::List(config.frameworks.begin(), config.frameworks.end())}});
  // Its presence turns fair sharing on, and its strategies are required, in upstream's order.
  if (config.fair_sharing) {
    using Strategies = KueueConfig::FairStrategies;
    yaml::List strategies;
    for (const auto one : {Strategies::LessThanOrEqualToFinalShare, Strategies::LessThanInitialShare})
      if (config.fair_strategies == Strategies::Both || config.fair_strategies == one) strategies.push_back(word(one));
    map.emplace_back("fairSharing", yaml::Map{{"preemptionStrategies", std::move(strategies)}});
  }
  if (yaml::Map counted = resources(config); !counted.empty()) map.emplace_back("resources", std::move(counted));
  yaml::Map gates;
  for (const auto& [gate, on] : config.gates) gates.emplace_back(gate, on);
  if (!gates.empty()) map.emplace_back("featureGates", std::move(gates));
  return map;
}

}  // namespace gpol::kinds
