// Kueue's feature gates that change a decision of the scheduler (pkg/features/kube_features.go at v0.19.2), with their
// defaults; those of older versions: compiler/cluster/kueue_version.h. In: a Configuration. Out: which are on. A gate
// that switches one rule off names it (rules.h); the others are asked where they decide.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "checker/kueue/rules.h"
#include "compiler/cluster/cluster.h"

namespace gpol::kueue {

enum class Gate : std::uint8_t {
  FairSharingPreemptWithinNominal,
  FairSharingPrioritizeNonBorrowing,
  FlavorFungibility,                      // off: the first flavor that fits, else the best; nothing is remembered
  FlavorFungibilityPreserveScanProgress,  // off: what a search learned is forgotten whenever anything left the queue
  PrioritizePreemptorWorkloads,           // on: whoever awaits its victims goes before all other heads
  PriorityBoost,                          // on: an annotation adds to the priority
  PrioritySortingWithinCohort,            // off: across queues the older head goes first, whatever its priority
  QuotaCheckStrategy,                     // off: IgnoreUndeclared is not heeded
  RecomputeAssignmentUponPreemptionTargetsOverlap,  // on: whose victims another head evicts looks for others
  SchedulerTimestampPreemptionBuffer,               // on: newer means newer by more than five minutes
  SchedulingEquivalenceHashing,
};

struct GateInfo {
  std::string_view name;
  bool by_default = true;
  std::optional<Rule> rule = {};  // which does not hold where the gate is off
};

// In the order of Gate.
inline constexpr std::array<GateInfo, 11> kGates{{
    {"FairSharingPreemptWithinNominal", true, Rule::EntitledToNominal},
    {"FairSharingPrioritizeNonBorrowing", true, Rule::BorrowsNothingFirst},
    {"FlavorFungibility", true},
    {"FlavorFungibilityPreserveScanProgress", true},
    {"PrioritizePreemptorWorkloads", false},
    {"PriorityBoost", false},
    {"PrioritySortingWithinCohort", true, Rule::OrderByPriority},
    {"QuotaCheckStrategy", true},
    {"RecomputeAssignmentUponPreemptionTargetsOverlap", false},
    {"SchedulerTimestampPreemptionBuffer", false},
    {"SchedulingEquivalenceHashing", true, Rule::EqualShapesParked},
}};

// Of features that the model leaves out (supports.cpp): off by default, and to stay so.
inline constexpr std::array<std::string_view, 2> kGatesLeftOut{"ConcurrentAdmission",
                                                               "MultiKueueOrchestratedPreemption"};

class Gates {
 public:
  explicit Gates(const KueueConfig& config);
  bool on(Gate gate) const { return ((on_ >> static_cast<unsigned>(gate)) & 1U) != 0; }
  // The rules that do not hold, a bit each.
  std::uint64_t rules_off() const { return rules_off_; }

 private:
  std::uint32_t on_ = 0;
  std::uint64_t rules_off_ = 0;
};

}  // namespace gpol::kueue
