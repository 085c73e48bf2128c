#include <utility>

#include "compiler/cluster/words.h"
#include "emit/kinds/kinds.h"

namespace gpol::kinds {

namespace {

yaml::Map wait_for_pods_ready(const KueueConfig::WaitForPodsReady& wait) {
  yaml::Map map;
  add_unless_empty(map, "timeout", wait.timeout);
  add_unless_empty(map, "recoveryTimeout", wait.recovery_timeout);
  map.emplace_back("blockAdmission", wait.block_admission);
  if (wait.requeue_at_creation) map.emplace_back("requeuingStrategy", yaml::Map{{"timestamp", "Creation"}});
  return map;
}

yaml::Map resources(const KueueConfig& config) {
  yaml::Map map;
  add_unless_empty(map, "quotaCheckStrategy", config.quota_check_strategy);
  add_unless_empty(map, "excludeResourcePrefixes", string_list(config.excluded_prefixes));
  yaml::List transformations;
  for (const Transformation& transformation : config.transformations) {
    yaml::Map outputs;
    for (const auto& [output, factor] : transformation.outputs) outputs.emplace_back(output, factor);
    yaml::Map one{{"input", transformation.input}, {"strategy", transformation.replace ? "Replace" : "Retain"}};
    add_unless_empty(one, "multiplyBy", transformation.multiply_by);
    if (!outputs.empty()) one.emplace_back("outputs", std::move(outputs));
    transformations.emplace_back(std::move(one));
  }
  add_unless_empty(map, "transformations", std::move(transformations));
  return map;
}

}  // namespace

yaml::Value kueue_configuration(const KueueConfig& config) {
  yaml::Map map{{"apiVersion", "config.kueue.x-k8s.io/v1beta2"}, {"kind", "Configuration"}};
  // What is as upstream has it is not written: the file is merged into one that other teams' lines stand in.
  if (config.manage_jobs_without_queue_name) map.emplace_back("manageJobsWithoutQueueName", true);
  if (config.managed_namespaces.present)
    map.emplace_back("managedJobsNamespaceSelector", label_selector(config.managed_namespaces));
  if (config.wait_for_pods_ready)
    map.emplace_back("waitForPodsReady", wait_for_pods_ready(*config.wait_for_pods_ready));
  if (!config.frameworks.empty())
    map.emplace_back("integrations", yaml::Map{{"frameworks", string_list(config.frameworks)}});
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
