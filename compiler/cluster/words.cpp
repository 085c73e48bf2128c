#include "compiler/cluster/words.h"

#include <stdexcept>

namespace gpol {

namespace {

// The words stand in the order of the enumeration.
template <class Enum, std::size_t N>
const char* at(const char* const (&words)[N], Enum value) {
  const auto index = static_cast<std::size_t>(value);
  if (index >= N) throw std::logic_error("internal error: a setting outside its enumeration");
  return words[index];
}

constexpr const char* kStrategies[] = {"BestEffortFIFO", "StrictFIFO"};
constexpr const char* kWithins[] = {"Never", "LowerPriority", "LowerOrNewerEqualPriority"};
constexpr const char* kReclaims[] = {"Never", "LowerPriority", "Any"};
constexpr const char* kBorrows[] = {"Never", "LowerPriority"};
constexpr const char* kSearches[] = {"MayStopSearch", "TryNextFlavor"};
constexpr const char* kStops[] = {"None", "Hold", "HoldAndDrain"};
constexpr const char* kFairStrategies[] = {"LessThanOrEqualToFinalShare, LessThanInitialShare",
                                           "LessThanOrEqualToFinalShare", "LessThanInitialShare"};

}  // namespace

const char* word(QueueingStrategy value) { return at(kStrategies, value); }
const char* word(Within value) { return at(kWithins, value); }
const char* word(Reclaim value) { return at(kReclaims, value); }
const char* word(BorrowWithin value) { return at(kBorrows, value); }
const char* word(Search value) { return at(kSearches, value); }
const char* word(StopPolicy value) { return at(kStops, value); }
const char* word(KueueConfig::FairStrategies value) { return at(kFairStrategies, value); }

}  // namespace gpol
