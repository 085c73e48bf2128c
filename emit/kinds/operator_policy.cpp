// nvidia.com/v1 ClusterPolicy (api/nvidia/v1/clusterpolicy_types.go of NVIDIA/gpu-operator). No labels: whoever made
// the object has it.
#include <utility>

#include "emit/kinds/kinds.h"

namespace gpol::kinds {

namespace {

void add_config(yaml::Map& spec, const char* component, const std::string& name, const std::string& by_default) {
  if (name.empty() && by_default.empty()) return;
  yaml::Map config{{"name", name}};
  add_unless_empty(config, "default", by_default);
  spec.emplace_back(component, yaml::Map{{"config", std::move(config)}});
}

}  // namespace

yaml::Value operator_policy(const OperatorPolicy& policy) {
  yaml::Map spec;
  if (policy.mig_strategy) {  // a null takes it out of what is there
    yaml::Value strategy = nullptr;
    if (!policy.mig_strategy->empty()) strategy = *policy.mig_strategy;
    spec.emplace_back("mig", yaml::Map{{"strategy", std::move(strategy)}});
  }
  add_config(spec, "migManager", policy.mig_config, policy.mig_default);
  add_config(spec, "devicePlugin", policy.plugin_config, policy.plugin_default);
  return yaml::Map{{"apiVersion", "nvidia.com/v1"},
                   {"kind", "ClusterPolicy"},
                   {"metadata", yaml::Map{{"name", policy.name}}},
                   {"spec", std::move(spec)}};
}

}  // namespace gpol::kinds
