// Planted bugs: each stands in one line at the rule that it breaks, and only one test-only build (GPOL_PLANTED,
// tests/planted) can switch it on. Everywhere else planted() is constant, so that nothing of it is compiled. What each
// one breaks, and which check has to notice: tests/planted/bugs.cpp, tests/planted/caught.txt.
#pragma once

#include <cstdint>

namespace gpol {

enum class Bug : std::uint8_t {
  // The closed forms.
  WalkLendingIgnored,
  WalkLendingOfNominal,
  WalkCohortQuotaIgnored,
  WalkBorrowingOfNominal,
  WalkSpillWhole,
  WalkOwnShareKept,
  WalkCarriedForgotten,
  WalkWindowsNarrowest,
  WalkOnHoldIsEmpty,
  WalkReclaimNever,
  WalkNominalNotNeeded,
  WalkHeldVictims,
  WalkStrictSibling,
  WalkStrictParks,
  WalkEqualPriorityBelow,
  WalkAnyFlavorFound,
  WalkHoldIsEvictable,
  WalkPodsSeen,
  WalkFairSharesNoMatter,
  WalkOneRoundEach,
  WalkGraceForgotten,
  WalkTurnsTooFew,
  WalkClosingOffByOne,
  WalkQuotaTogetherForgotten,
  WalkBatchStaysForgotten,
  WalkEmptyFlavorNowhere,
  WalkSpotForgotten,
  WalkFirstResourceCovers,
  WalkStoppedBorrowsAll,
  WalkReturnedUnclaimed,
  // The formulas.
  EncodingLendingIgnored,
  EncodingBorrowingUnbounded,
  EncodingOfferUnlimited,
  EncodingRootOwnsMore,
  EncodingBubbleWhole,
  EncodingBorrowsOnAll,
  EncodingEqualPriorityLegal,
  EncodingHeldVictims,
  EncodingEvictionsEnd,
  EncodingOrderByTimeAlone,
  EncodingParkedReserves,
  EncodingNominalNotNeeded,
  EncodingOneRoundEach,
  EncodingGraceForgotten,
  EncodingClosedTooEarly,
  EncodingQuotaTogetherForgotten,
  EncodingBatchBoundForgotten,
  EncodingSelectorOfAbsentLabel,
  EncodingTaintsForgotten,
  EncodingPrefixAnywhere,
  EncodingConversionNeverFails,
  EncodingAbsentKeyThere,
  EncodingReturnedUnclaimed,
  EncodingDebtClipped,
  EncodingFlavorsAreOne,
  EncodingSharesNoMatter,
  EncodingFormOfAnyPredicate,
  EncodingFormOfOneName,
  EncodingFormOfNoConstant,
  EncodingFormOfNoValidation,
  EncodingFormOfNoOrder,
  EncodingFormOfOneGroup,
  // The executable models.
  ModelLendingIgnored,
  ModelBorrowingIgnored,
  ModelDebtForgiven,
  ModelCohortQuotaOnly,
  ModelReclaimNever,
  ModelEqualPriority,
  ModelThresholdIgnored,
  ModelNeverWhileBorrowing,
  ModelStrictHeadParks,
  ModelPreemptStopsSearch,
  ModelBorrowStopsSearch,
  ModelDrainKeeps,
  ModelHoldKeepsScheduling,
  ModelFinalShareBelow,
  ModelWeightIgnored,
  ModelPodsUncounted,
  ModelAnyQuotaAvailable,
  ModelTaintsEvenPreferred,
  ModelSelectorOfAbsentLabel,
  ModelNodePodsForgotten,
  ModelErrorWins,
  ModelNotInAbsent,
  ModelStrictInequality,
  ModelEvictedAtOnce,
  ModelVictimAboveAll,
};

#ifdef GPOL_PLANTED
inline constexpr bool kBugsCanBePlanted = true;
bool planted(Bug bug);
std::uint64_t planted_rules();  // the rules of kueue/rules.h that are left out, a bit each
#else
inline constexpr bool kBugsCanBePlanted = false;
constexpr bool planted(Bug /*bug*/) { return false; }
constexpr std::uint64_t planted_rules() { return 0; }
#endif

}  // namespace gpol
