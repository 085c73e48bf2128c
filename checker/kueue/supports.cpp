// What of a cluster the model does not cover, and what it covers but no proof does (model.h).
#include <string_view>

#include "checker/kueue/gates.h"
#include "checker/kueue/model.h"
#include "compiler/cluster/kueue_version.h"

namespace gpol::kueue {

namespace {

void note(std::string& missing, const std::string& what) {
  if (!missing.empty()) missing += "; ";
  missing += what;
}

void note_gate(std::string& missing, const KueueConfig& config, std::string_view gate, bool expected) {
  if (const auto found = config.gates.find(std::string(gate)); found != config.gates.end() && found->second != expected)
    note(missing, "feature gate " + std::string(gate) + "=" + (found->second ? "true" : "false"));
}

}  // namespace

std::string unproven_switches(const Cluster& cluster) {
  std::string missing;
  const KueueConfig& config = cluster.config;
  if (config.wait_for_pods_ready && config.wait_for_pods_ready->block_admission)
    note(missing, "waitForPodsReady.blockAdmission");
  for (const GateInfo& gate : kGates)
    note_gate(missing, config, gate.name, gate_default(gate.name, config.version).value_or(gate.by_default));
  if (const std::string left_out = gates_left_out(config); !left_out.empty()) note(missing, left_out);
  return missing;
}

std::string gates_left_out(const KueueConfig& config) {
  std::string missing;
  for (const std::string_view gate : kGatesLeftOut) note_gate(missing, config, gate, false);
  return missing;
}

std::string supports(const Cluster& cluster) {
  std::string missing;
  const KueueConfig& config = cluster.config;
  if (rules_known(config.version) == RulesKnown::None)
    note(missing, "Kueue v" + config.version + " (known: " + std::string(kKnownVersions) + ")");
  if (const std::string left_out = gates_left_out(config); !left_out.empty()) note(missing, left_out);
  for (const auto& flavor : cluster.flavors)
    if (!flavor.topology.empty()) note(missing, "topology of ResourceFlavor " + flavor.name);
  for (const auto& queue : cluster.queues)
    if (!queue.admission_checks.empty()) note(missing, "admission checks of ClusterQueue " + queue.name);
  return missing;
}

}  // namespace gpol::kueue
