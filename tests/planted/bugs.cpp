#include "tests/planted/bugs.h"

#include <fmt/format.h>

namespace gpol::planted_bugs {

namespace {

struct Row {
  Bug bug;
  const char* name;
  const char* wrong;
  About about = About::Queues;
};
#define GPOL_ROW(name, ...) {Bug::name, #name, __VA_ARGS__}

// N1 ... N15 and G: the reference on Kueue, 4.3; "hazard": its section 9.
constexpr Row kRows[] = {
    GPOL_ROW(WalkLendingIgnored, "hazard 3: a lending limit keeps nothing from others"),
    GPOL_ROW(WalkLendingOfNominal, "hazard 3: what a cohort keeps is figured from its own quota, not its subtree's"),
    GPOL_ROW(WalkCohortQuotaIgnored, "hazard 2: the quota of a cohort's own does not count"),
    GPOL_ROW(WalkBorrowingOfNominal, "borrowingLimit: at a cohort figured from its own quota, not its subtree's"),
    GPOL_ROW(WalkSpillWhole, "hazard 3: a node pushes all its usage into its parent, not what spills"),
    GPOL_ROW(WalkOwnShareKept, "the owner's own holdings count against it"),
    GPOL_ROW(WalkCarriedForgotten, "what a cohort on the owner's path pushes into the next is forgotten"),
    GPOL_ROW(WalkWindowsNarrowest, "hazard 8: of all windows the first one's borrowing limit counts, not the widest"),
    GPOL_ROW(WalkOnHoldIsEmpty, "hazard 7: a queue on Hold holds nothing"),
    GPOL_ROW(WalkReclaimNever, "N1: reclaimWithinCohort Never suffices"),
    GPOL_ROW(WalkNominalNotNeeded, "N3, N4: a nominal quota below the reserve suffices"),
    GPOL_ROW(WalkHeldVictims, "N6: a borrower that is stopped suffices"),
    GPOL_ROW(WalkStrictSibling, "N15: a StrictFIFO sibling does not matter"),
    GPOL_ROW(WalkStrictParks, "N15: a StrictFIFO sibling is taken for a BestEffortFIFO one"),
    GPOL_ROW(WalkEqualPriorityBelow, "N2: an equal priority counts as a lower one"),
    GPOL_ROW(WalkAnyFlavorFound, "N10: of several flavors the right one is always found"),
    GPOL_ROW(WalkHoldIsEvictable, "N6: somebody can evict from a queue on Hold"),
    GPOL_ROW(WalkPodsSeen, "G, point 5: pods count where victims are looked for"),
    GPOL_ROW(WalkFairSharesNoMatter, "G, point 9: under fair sharing what others of its cohort borrow does not matter"),
    GPOL_ROW(WalkOneRoundEach, "W: one scheduling round for each turn, not two"),
    GPOL_ROW(WalkGraceForgotten, "N12: the grace of the last victim is forgotten"),
    GPOL_ROW(WalkTurnsTooFew, "W: half a replica that fits is taken for a whole one"),
    GPOL_ROW(WalkClosingOffByOne, "N11: a node is closed by one unit more than that", About::Nodes),
    GPOL_ROW(WalkQuotaTogetherForgotten, "N11: batch and serving share no quota", About::Nodes),
    GPOL_ROW(WalkBatchStaysForgotten, "N11: what a lending limit keeps below a cohort is not there to hold",
             About::Nodes),
    GPOL_ROW(WalkEmptyFlavorNowhere, "section 6: a pod without a flavor stands nowhere", About::Nodes),
    GPOL_ROW(WalkSpotForgotten, "class C: serving may stand on spot", About::Nodes),

    GPOL_ROW(EncodingLendingIgnored, "hazard 3: a lending limit keeps nothing from others"),
    GPOL_ROW(EncodingBorrowingUnbounded, "borrowingLimit: bounds the whole usage, not what is above the quota"),
    GPOL_ROW(EncodingOfferUnlimited, "borrowingLimit: does not bound what a node is offered"),
    GPOL_ROW(EncodingRootOwnsMore, "hazard 2: a root may use a borrowing limit more than it has"),
    GPOL_ROW(EncodingBubbleWhole, "hazard 3: a request goes up whole, whatever is free below"),
    GPOL_ROW(EncodingBorrowsOnAll, "N3, hazard 5: only who would borrow every resource is refused reclaim"),
    GPOL_ROW(EncodingEqualPriorityLegal, "N2: reclaim from an equal priority is legal"),
    GPOL_ROW(EncodingHeldVictims, "N6: a queue on Hold can be evicted from"),
    GPOL_ROW(EncodingEvictionsEnd, "N14: every eviction ends"),
    GPOL_ROW(EncodingOrderByTimeAlone, "N15: heads go by time, whatever their priority"),
    GPOL_ROW(EncodingParkedReserves, "N15: a head that was parked reserves in every cycle"),
    GPOL_ROW(EncodingNominalNotNeeded, "N3, N4: reclaim above the nominal quota works"),
    GPOL_ROW(EncodingOneRoundEach, "W: one scheduling round for each turn, not two"),
    GPOL_ROW(EncodingGraceForgotten, "N12: the grace of the victims is forgotten"),
    GPOL_ROW(EncodingClosedTooEarly, "N11: a node with just enough left is closed", About::Nodes),
    GPOL_ROW(EncodingQuotaTogetherForgotten, "N11: batch and serving share no quota", About::Nodes),
    GPOL_ROW(EncodingBatchBoundForgotten, "N11: batch of all kinds together has no bound", About::Nodes),
    GPOL_ROW(EncodingSelectorOfAbsentLabel, "section 6: a node without the label is selected", About::Nodes),
    GPOL_ROW(EncodingTaintsForgotten, "section 6: a taint keeps no pod of serving away", About::Nodes),
    GPOL_ROW(EncodingPrefixAnywhere, "section 5: startsWith is contains", About::Guards),
    GPOL_ROW(EncodingConversionNeverFails, "section 5: int() of any text is a number", About::Guards),
    GPOL_ROW(EncodingAbsentKeyThere, "section 5: every key is in every map", About::Guards),

    GPOL_ROW(ModelLendingIgnored, "hazard 3: usage fills what the parent sees first"),
    GPOL_ROW(ModelBorrowingIgnored, "borrowingLimit: does not bound anything"),
    GPOL_ROW(ModelDebtForgiven, "hazard 8: a cohort in debt leaves alone what is not lent"),
    GPOL_ROW(ModelCohortQuotaOnly, "hazard 2: a root has only what it lists itself"),
    GPOL_ROW(ModelReclaimNever, "N1: reclaimWithinCohort Never reclaims"),
    GPOL_ROW(ModelEqualPriority, "N2: LowerPriority takes from an equal priority"),
    GPOL_ROW(ModelThresholdIgnored, "N5: maxPriorityThreshold does not matter"),
    GPOL_ROW(ModelNeverWhileBorrowing, "4.1: borrowWithinCohort LowerPriority is Never"),
    GPOL_ROW(ModelStrictHeadParks, "3.4, N13: a head of StrictFIFO that fits nowhere steps aside"),
    GPOL_ROW(ModelPreemptStopsSearch, "N10: whenCanPreempt is always MayStopSearch"),
    GPOL_ROW(ModelBorrowStopsSearch, "3.2: whenCanBorrow is always MayStopSearch"),
    GPOL_ROW(ModelDrainKeeps, "3.5: HoldAndDrain evicts nobody"),
    GPOL_ROW(ModelHoldKeepsScheduling, "3.5: Hold stops nobody"),
    GPOL_ROW(ModelFinalShareBelow, "4.2: LessThanOrEqualToFinalShare is less than"),
    GPOL_ROW(ModelWeightIgnored, "3.1: fair sharing knows no weights"),
    GPOL_ROW(ModelPodsUncounted, "hazard 1: a pod is not counted where the queue covers pods"),
    GPOL_ROW(ModelAnyQuotaAvailable, "N3, hazard 1: a workload fits where its first resource does"),
    GPOL_ROW(ModelTaintsEvenPreferred, "section 6: PreferNoSchedule keeps pods away", About::Nodes),
    GPOL_ROW(ModelSelectorOfAbsentLabel, "section 6: a node without the label is selected", About::Nodes),
    GPOL_ROW(ModelNodePodsForgotten, "N11: a node has room for any number of pods", About::Nodes),
    GPOL_ROW(ModelErrorWins, "section 5: an error outweighs what decides && and ||", About::Guards),
    GPOL_ROW(ModelNotInAbsent, "section 5: NotIn wants the label to be there", About::Guards),
    GPOL_ROW(ModelStrictInequality, "section 5: < holds of equals", About::Guards),
};
#undef GPOL_ROW

std::string place_of(std::string_view name) {
  return name.starts_with("Walk") ? "walk" : name.starts_with("Encoding") ? "encoding" : "model";
}

std::vector<Entry> made() {
  std::vector<Entry> entries;
  for (const Row& row : kRows)
    entries.push_back({row.name, place_of(row.name), row.wrong, row.bug, std::nullopt, row.about});
  for (int rule = 0; rule < kueue::kRules; ++rule) {
    const std::string name(kueue::kRuleNames[static_cast<std::size_t>(rule)]);
    entries.push_back({"Without" + name.substr(0, name.find(' ')), "model",
                       fmt::format("the rule {} of checker/kueue/rules.h is left out", name), std::nullopt,
                       static_cast<kueue::Rule>(rule)});
  }
  return entries;
}

}  // namespace

const std::vector<Entry>& all() {
  static const std::vector<Entry> entries = made();
  return entries;
}

}  // namespace gpol::planted_bugs
