// nvidia.com/v1 ClusterPolicy (api/nvidia/v1/clusterpolicy_types.go of NVIDIA/gpu-operator).
#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

namespace {

void read_config(const View& spec, std::string_view component, std::string& name, std::string& by_default) {
  const auto part = spec.map(component);
  if (const auto config = part ? part->map("config") : std::nullopt; config) {
    name = config->text("name").value_or("");
    by_default = config->text("default").value_or("");
    config->finish();
  }
  if (part) part->finish();
}

// A null takes it out.
std::optional<std::string> strategy_of(const View& mig) {
  for (const Entry& entry : mig.node().entries)
    if (entry.key == "strategy" && entry.value.kind == Node::Kind::Null) return mig.ignore("strategy"), "";
  return mig.text("strategy");
}

}  // namespace

void read_operator_policy(const View& object, Draft& draft) {
  OperatorPolicy policy;
  policy.span = object.span();
  if (const auto metadata = object.required_map("metadata")) {
    policy.name = metadata->required_text("name");
    metadata->finish();
  }
  if (const auto spec = object.required_map("spec")) {
    if (const auto mig = spec->map("mig")) {
      policy.mig_strategy = strategy_of(*mig);
      mig->finish();
    }
    read_config(*spec, "migManager", policy.mig_config, policy.mig_default);
    read_config(*spec, "devicePlugin", policy.plugin_config, policy.plugin_default);
    spec->finish();
  }
  object.finish();
  draft.cluster.operator_policies.push_back(std::move(policy));
}

}  // namespace gpol::manifest
