#include "tests/planted/bugs.h"

#include <fmt/format.h>

namespace gpol::planted_bugs {

namespace {

struct Row {
  Bug bug;
  const char* name;
  unsigned hazards;  // a bit each
  const char* wrong;
  About about = About::Queues;
};
#define GPOL_ROW(name, ...) {Bug::name, #name, __VA_ARGS__}

template <class... Numbers>
constexpr unsigned hazard(Numbers... numbers) {
  return ((1U << numbers) | ... | 0U);
}

// N1 ... N15 and G: kueue.md 4.3.
constexpr Row kRows[] = {
    GPOL_ROW(WalkLendingIgnored, hazard(3), "a lending limit keeps nothing from others"),
    GPOL_ROW(WalkLendingOfNominal, hazard(3), "what a cohort keeps is figured from its own quota, not its subtree's"),
    GPOL_ROW(WalkCohortQuotaIgnored, hazard(2), "the quota of a cohort's own does not count"),
    GPOL_ROW(WalkBorrowingOfNominal, hazard(),
             "borrowingLimit: at a cohort figured from its own quota, not its subtree's"),
    GPOL_ROW(WalkSpillWhole, hazard(3), "a node pushes all its usage into its parent, not what spills"),
    GPOL_ROW(WalkOwnShareKept, hazard(), "the owner's own holdings count against it"),
    GPOL_ROW(WalkCarriedForgotten, hazard(), "what a cohort on the owner's path pushes into the next is forgotten"),
    GPOL_ROW(WalkWindowsNarrowest, hazard(8), "of all windows the first one's borrowing limit counts, not the widest"),
    GPOL_ROW(WalkOnHoldIsEmpty, hazard(7), "a queue on Hold holds nothing"),
    GPOL_ROW(WalkReclaimNever, hazard(), "N1: reclaimWithinCohort Never suffices"),
    GPOL_ROW(WalkNominalNotNeeded, hazard(2), "N3, N4: a nominal quota below the reserve suffices"),
    GPOL_ROW(WalkHeldVictims, hazard(7), "N6: a borrower that is stopped suffices"),
    GPOL_ROW(WalkStrictSibling, hazard(), "N15: a StrictFIFO sibling does not matter"),
    GPOL_ROW(WalkStrictParks, hazard(), "N15: a StrictFIFO sibling is taken for a BestEffortFIFO one"),
    GPOL_ROW(WalkEqualPriorityBelow, hazard(6), "N2: an equal priority counts as a lower one"),
    GPOL_ROW(WalkAnyFlavorFound, hazard(9), "N10: of several flavors the right one is always found"),
    GPOL_ROW(WalkHoldIsEvictable, hazard(7), "N6: somebody can evict from a queue on Hold"),
    GPOL_ROW(WalkPodsSeen, hazard(1), "G, point 5: pods count where victims are looked for"),
    GPOL_ROW(WalkFairSharesNoMatter, hazard(10),
             "G, point 9: under fair sharing what others of its cohort borrow does not matter"),
    GPOL_ROW(WalkOneRoundEach, hazard(), "W: one scheduling round for each turn, not two"),
    GPOL_ROW(WalkGraceForgotten, hazard(), "N12: the grace of the last victim is forgotten"),
    GPOL_ROW(WalkTurnsTooFew, hazard(), "W: half a replica that fits is taken for a whole one"),
    GPOL_ROW(WalkClosingOffByOne, hazard(), "N11: a node is closed by one unit more than that", About::Nodes),
    GPOL_ROW(WalkQuotaTogetherForgotten, hazard(), "N11: batch and serving share no quota", About::Nodes),
    GPOL_ROW(WalkBatchStaysForgotten, hazard(), "N11: what a lending limit keeps below a cohort is not there to hold",
             About::Nodes),
    GPOL_ROW(WalkEmptyFlavorNowhere, hazard(9), "section 6: a pod without a flavor stands nowhere", About::Nodes),
    GPOL_ROW(WalkFirstResourceCovers, hazard(1), "N3: a nominal quota that covers the first resource suffices"),
    GPOL_ROW(WalkStoppedBorrowsAll, hazard(5), "N6: a stopped queue is in the way only if it may borrow everything"),
    GPOL_ROW(WalkReturnedUnclaimed, hazard(4), "what reclaim gives back counts as never claimed"),
    GPOL_ROW(WalkSpotForgotten, hazard(), "class C: serving may stand on spot", About::Nodes),

    GPOL_ROW(EncodingLendingIgnored, hazard(3), "a lending limit keeps nothing from others"),
    GPOL_ROW(EncodingBorrowingUnbounded, hazard(),
             "borrowingLimit: bounds the whole usage, not what is above the quota"),
    GPOL_ROW(EncodingOfferUnlimited, hazard(), "borrowingLimit: does not bound what a node is offered"),
    GPOL_ROW(EncodingRootOwnsMore, hazard(2), "a root may use a borrowing limit more than it has"),
    GPOL_ROW(EncodingBubbleWhole, hazard(3), "a request goes up whole, whatever is free below"),
    GPOL_ROW(EncodingBorrowsOnAll, hazard(1, 5), "N3: only who would borrow every resource is refused reclaim"),
    GPOL_ROW(EncodingEqualPriorityLegal, hazard(6), "N2: reclaim from an equal priority is legal"),
    GPOL_ROW(EncodingHeldVictims, hazard(7), "N6: a queue on Hold can be evicted from"),
    GPOL_ROW(EncodingEvictionsEnd, hazard(4), "N14: every eviction ends"),
    GPOL_ROW(EncodingOrderByTimeAlone, hazard(), "N15: heads go by time, whatever their priority"),
    GPOL_ROW(EncodingParkedReserves, hazard(), "N15: a head that was parked reserves in every cycle"),
    GPOL_ROW(EncodingNominalNotNeeded, hazard(2), "N3, N4: reclaim above the nominal quota works"),
    GPOL_ROW(EncodingOneRoundEach, hazard(), "W: one scheduling round for each turn, not two"),
    GPOL_ROW(EncodingGraceForgotten, hazard(), "N12: the grace of the victims is forgotten"),
    GPOL_ROW(EncodingReturnedUnclaimed, hazard(4), "what others hold, the owner is offered nevertheless"),
    GPOL_ROW(EncodingDebtClipped, hazard(8), "a parent in debt takes nothing of what is not lent"),
    GPOL_ROW(EncodingFlavorsAreOne, hazard(9), "N10: the flavors of a group are one pool"),
    GPOL_ROW(EncodingFormOfAnyPredicate, hazard(),
             "answered questions: a name is any name, whatever startsWith says of it", About::Guards),
    GPOL_ROW(EncodingFormOfOneName, hazard(), "answered questions: two names are one", About::Guards),
    GPOL_ROW(EncodingFormOfNoConstant, hazard(), "answered questions: a text that means something is a name",
             About::Guards),
    GPOL_ROW(EncodingFormOfNoOrder, hazard(), "answered questions: the order of integers is left out", About::Guards),
    GPOL_ROW(EncodingFormOfOneGroup, hazard(), "answered questions: names of other lists are of one group",
             About::Guards),
    GPOL_ROW(EncodingFormOfNoValidation, hazard(), "answered questions: what the policy says is left out",
             About::Guards),
    GPOL_ROW(EncodingSharesNoMatter, hazard(10), "G, point 9: fair sharing is taken for the classical algorithm"),
    GPOL_ROW(EncodingClosedTooEarly, hazard(), "N11: a node with just enough left is closed", About::Nodes),
    GPOL_ROW(EncodingQuotaTogetherForgotten, hazard(), "N11: batch and serving share no quota", About::Nodes),
    GPOL_ROW(EncodingBatchBoundForgotten, hazard(), "N11: batch of all kinds together has no bound", About::Nodes),
    GPOL_ROW(EncodingSelectorOfAbsentLabel, hazard(9), "section 6: a node without the label is selected", About::Nodes),
    GPOL_ROW(EncodingTaintsForgotten, hazard(), "section 6: a taint keeps no pod of serving away", About::Nodes),
    GPOL_ROW(EncodingPrefixAnywhere, hazard(), "section 5: startsWith is contains", About::Guards),
    GPOL_ROW(EncodingConversionNeverFails, hazard(), "section 5: int() of any text is a number", About::Guards),
    GPOL_ROW(EncodingAbsentKeyThere, hazard(), "section 5: every key is in every map", About::Guards),

    GPOL_ROW(ModelLendingIgnored, hazard(3), "usage fills what the parent sees first"),
    GPOL_ROW(ModelBorrowingIgnored, hazard(), "borrowingLimit: does not bound anything"),
    GPOL_ROW(ModelDebtForgiven, hazard(8), "a cohort in debt leaves alone what is not lent"),
    GPOL_ROW(ModelCohortQuotaOnly, hazard(2), "a root has only what it lists itself"),
    GPOL_ROW(ModelReclaimNever, hazard(), "N1: reclaimWithinCohort Never reclaims"),
    GPOL_ROW(ModelEqualPriority, hazard(6), "N2: LowerPriority takes from an equal priority"),
    GPOL_ROW(ModelThresholdIgnored, hazard(6), "N5: maxPriorityThreshold does not matter"),
    GPOL_ROW(ModelNeverWhileBorrowing, hazard(), "4.1: borrowWithinCohort LowerPriority is Never"),
    GPOL_ROW(ModelStrictHeadParks, hazard(), "3.4, N13: a head of StrictFIFO that fits nowhere steps aside"),
    GPOL_ROW(ModelPreemptStopsSearch, hazard(9), "N10: whenCanPreempt is always MayStopSearch"),
    GPOL_ROW(ModelBorrowStopsSearch, hazard(9), "3.2: whenCanBorrow is always MayStopSearch"),
    GPOL_ROW(ModelDrainKeeps, hazard(7), "3.5: HoldAndDrain evicts nobody"),
    GPOL_ROW(ModelHoldKeepsScheduling, hazard(7), "3.5: Hold stops nobody"),
    GPOL_ROW(ModelFinalShareBelow, hazard(10), "4.2: LessThanOrEqualToFinalShare is less than"),
    GPOL_ROW(ModelWeightIgnored, hazard(10), "3.1: fair sharing knows no weights"),
    GPOL_ROW(ModelPodsUncounted, hazard(1), "a pod is not counted where the queue covers pods"),
    GPOL_ROW(ModelAnyQuotaAvailable, hazard(1), "N3: a workload fits where its first resource does"),
    GPOL_ROW(ModelEvictedAtOnce, hazard(4), "3.3: quota is free when a victim is chosen, not when it has ended"),
    GPOL_ROW(ModelVictimAboveAll, hazard(5), "a victim must be above nominal on all that is needed"),
    GPOL_ROW(ModelTaintsEvenPreferred, hazard(), "section 6: PreferNoSchedule keeps pods away", About::Nodes),
    GPOL_ROW(ModelSelectorOfAbsentLabel, hazard(9), "section 6: a node without the label is selected", About::Nodes),
    GPOL_ROW(ModelNodePodsForgotten, hazard(), "N11: a node has room for any number of pods", About::Nodes),
    GPOL_ROW(ModelErrorWins, hazard(), "section 5: an error outweighs what decides && and ||", About::Guards),
    GPOL_ROW(ModelNotInAbsent, hazard(), "section 5: NotIn wants the label to be there", About::Guards),
    GPOL_ROW(ModelStrictInequality, hazard(), "section 5: < holds of equals", About::Guards),
};
#undef GPOL_ROW

// Of the rules that can be left out, those that a hazard names.
unsigned hazards_of(kueue::Rule rule) {
  switch (rule) {
    case kueue::Rule::EndsWithinNominal:
      return hazard(1);
    case kueue::Rule::NominalGate:
      return hazard(2);
    case kueue::Rule::VictimAboveNominal:
    case kueue::Rule::CohortAboveQuota:
      return hazard(5);
    case kueue::Rule::AllOrNothing:
      return hazard(6);
    case kueue::Rule::InactiveKept:
      return hazard(7);
    case kueue::Rule::EachResourceAlone:
    case kueue::Rule::FlavorNotFound:
      return hazard(9);
    case kueue::Rule::EntitledToNominal:
    case kueue::Rule::ListedShares:
      return hazard(10);
    default:
      return hazard();
  }
}

std::set<int> numbers_in(unsigned hazards) {
  std::set<int> numbers;
  for (int n = 1; n <= kHazards; ++n)
    if ((hazards >> n & 1U) != 0) numbers.insert(n);
  return numbers;
}

std::string place_of(std::string_view name) {
  return name.starts_with("Walk") ? "walk" : name.starts_with("Encoding") ? "encoding" : "model";
}

std::vector<Entry> made() {
  std::vector<Entry> entries;
  for (const Row& row : kRows)
    entries.push_back(
        {row.name, place_of(row.name), row.wrong, numbers_in(row.hazards), row.bug, std::nullopt, row.about});
  for (int rule = 0; rule < kueue::kRules; ++rule) {
    const std::string name(kueue::kRuleNames[static_cast<std::size_t>(rule)]);
    entries.push_back({"Without" + name.substr(0, name.find(' ')), "model",
                       fmt::format("the rule {} of checker/kueue/rules.h is left out", name),
                       numbers_in(hazards_of(static_cast<kueue::Rule>(rule))), std::nullopt,
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
