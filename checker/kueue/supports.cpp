// What of a cluster the model does not cover (model.h). The gates are those of pkg/features/kube_features.go at v0.19.2
// that change a decision of the scheduler, with the value the model stands for.
#include <array>
#include <string_view>
#include <utility>

#include "checker/kueue/model.h"

namespace gpol::kueue {

namespace {

constexpr std::string_view kVersion = "0.19.2";

constexpr std::array<std::pair<std::string_view, bool>, 13> kGates{{
    {"ConcurrentAdmission", false},
    {"FairSharingPreemptWithinNominal", true},
    {"FairSharingPrioritizeNonBorrowing", true},
    {"FlavorFungibility", true},
    {"FlavorFungibilityPreserveScanProgress", true},
    {"MultiKueueOrchestratedPreemption", false},
    {"PrioritizePreemptorWorkloads", false},
    {"PriorityBoost", false},
    {"PrioritySortingWithinCohort", true},
    {"QuotaCheckStrategy", true},
    {"RecomputeAssignmentUponPreemptionTargetsOverlap", false},
    {"SchedulerTimestampPreemptionBuffer", false},
    {"SchedulingEquivalenceHashing", true},
}};

void note(std::string& missing, const std::string& what) {
  if (!missing.empty()) missing += "; ";
  missing += what;
}

}  // namespace

std::string supports(const Cluster& cluster) {
  std::string missing;
  const KueueConfig& config = cluster.config;
  if (config.version != kVersion)
    note(missing, "Kueue " + config.version + " (modelled: " + std::string(kVersion) + ")");
  if (config.wait_for_pods_ready && config.wait_for_pods_ready->block_admission)
    note(missing, "waitForPodsReady.blockAdmission");
  for (const auto& [gate, modelled] : kGates) {
    const auto found = config.gates.find(std::string(gate));
    if (found != config.gates.end() && found->second != modelled)
      note(missing, "feature gate " + std::string(gate) + "=" + (found->second ? "true" : "false"));
  }
  for (const auto& flavor : cluster.flavors)
    if (!flavor.topology.empty()) note(missing, "topology of ResourceFlavor " + flavor.name);
  for (const auto& queue : cluster.queues)
    if (!queue.admission_checks.empty()) note(missing, "admission checks of ClusterQueue " + queue.name);
  return missing;
}

}  // namespace gpol::kueue
