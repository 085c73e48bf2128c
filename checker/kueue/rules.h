// The rules of the scheduler that no field states, each of which a test can switch off on a copy of a model, to see
// whether it decided anything (tests/conformance/differential counts how often each did). What fields state is switched
// off by other fields. N1 ... N15: kueue.md 4.3.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace gpol::kueue {

enum class Rule : std::uint8_t {
  HeadPriority,         // cluster_queue.go: of a queue the highest priority first
  StickyPreemptor,      // cluster_queue.go: who awaits victims stays the head (BestEffortFIFO)
  EqualShapesParked,    // cluster_queue.go: what asks the same as what was refused is parked with it
  OrderByBorrowing,     // scheduler.go: heads that borrow less go first
  OrderByPriority,      // scheduler.go: then the higher priority
  Reservation,          // scheduler.go: a head without victims keeps what is free (N15)
  VictimsOnce,          // scheduler.go: whose victims another head evicts in this cycle is skipped
  StillFits,            // scheduler.go: each head is checked again after those before it
  ScanProgress,         // workload.go: the search through the flavors goes on where it stopped
  NodeSelector,         // flavorassigner.go: a flavor whose labels contradict the selector is skipped
  EarlierPodsets,       // flavorassigner.go: what earlier podsets take counts
  NominalGate,          // flavorassigner.go: no preemption beyond the own quota (N4)
  EvictedFirst,         // ordering.go: who is being evicted already is the first choice
  LowestPriorityFirst,  // ordering.go
  NewestFirst,          // ordering.go
  InactiveKept,         // snapshot.go: nobody evicts from a queue that is stopped (N6)
  VictimAboveNominal,   // candidates: only from queues above their nominal quota
  CohortAboveQuota,     // candidates: and only if every cohort up to the common one is above its own (N9)
  Advantage,            // hierarchical_preemption.go: who stands nearer to the quota may borrow
  EndsWithinNominal,    // preemption.go: else the preemptor must end within its nominal quota on everything (N3)
  AllOrNothing,         // preemption.go: nobody is evicted where that does not suffice (N2)
  FillBack,             // preemption.go: victims that are not needed after all stay
  BorrowsNothingFirst,  // fair_sharing_iterator.go
  ShareOrder,           // fair_sharing_iterator.go: the lower share first
  EntitledToNominal,    // preemption.go: within nominal shares do not matter (fair sharing)
  HighestShareFirst,    // ordering.go: victims from the node with the highest share
  ListedShares,         // fair_sharing.go: what a queue no longer lists does not count in its share (N7)
  EachResourceAlone,    // flavorassigner.go: whether a flavor can be had by eviction is asked per resource (N10b)
  LocalQueueStopped,    // queue/manager.go: what came through a stopped LocalQueue has no turn
  FreedUnheard,         // queue/manager.go: what is parked does not hear of quota that such a workload frees
  FlavorNotFound,       // clusterqueue.go: a queue that names a flavor without an object is inactive (N6)
  NamespaceSelector,    // scheduler.go nominate: a workload of a namespace that the queue does not select is refused
  MismatchStepsAside,   // cluster_queue.go: and blocks nobody, not even under StrictFIFO
};
inline constexpr int kRules = 33;

inline constexpr std::array<std::string_view, kRules> kRuleNames{"HeadPriority",        "StickyPreemptor",
                                                                 "EqualShapesParked",   "OrderByBorrowing",
                                                                 "OrderByPriority",     "Reservation (N15)",
                                                                 "VictimsOnce",         "StillFits",
                                                                 "ScanProgress",        "NodeSelector",
                                                                 "EarlierPodsets",      "NominalGate (N4)",
                                                                 "EvictedFirst",        "LowestPriorityFirst",
                                                                 "NewestFirst",         "InactiveKept (N6)",
                                                                 "VictimAboveNominal",  "CohortAboveQuota (N9)",
                                                                 "Advantage",           "EndsWithinNominal (N3)",
                                                                 "AllOrNothing (N2)",   "FillBack",
                                                                 "BorrowsNothingFirst", "ShareOrder",
                                                                 "EntitledToNominal",   "HighestShareFirst",
                                                                 "ListedShares (N7)",   "EachResourceAlone (N10b)",
                                                                 "LocalQueueStopped",   "FreedUnheard",
                                                                 "FlavorNotFound",      "NamespaceSelector",
                                                                 "MismatchStepsAside"};

}  // namespace gpol::kueue
