#include "compiler/cluster/words.h"

#include <stdexcept>

namespace gpol {

namespace {
[[noreturn]] void unknown() { throw std::logic_error("internal error: a setting outside its enumeration"); }
}  // namespace

const char* word(QueueingStrategy value) {
  switch (value) {
    case QueueingStrategy::BestEffortFIFO:
      return "BestEffortFIFO";
    case QueueingStrategy::StrictFIFO:
      return "StrictFIFO";
  }
  unknown();
}

const char* word(Within value) {
  switch (value) {
    case Within::Never:
      return "Never";
    case Within::LowerPriority:
      return "LowerPriority";
    case Within::LowerOrNewerEqualPriority:
      return "LowerOrNewerEqualPriority";
  }
  unknown();
}

const char* word(Reclaim value) {
  switch (value) {
    case Reclaim::Never:
      return "Never";
    case Reclaim::LowerPriority:
      return "LowerPriority";
    case Reclaim::Any:
      return "Any";
  }
  unknown();
}

const char* word(BorrowWithin value) {
  switch (value) {
    case BorrowWithin::Never:
      return "Never";
    case BorrowWithin::LowerPriority:
      return "LowerPriority";
  }
  unknown();
}

const char* word(Search value) {
  switch (value) {
    case Search::MayStopSearch:
      return "MayStopSearch";
    case Search::TryNextFlavor:
      return "TryNextFlavor";
  }
  unknown();
}

const char* word(KueueConfig::FairStrategies value) {
  switch (value) {
    case KueueConfig::FairStrategies::Both:
      return "LessThanOrEqualToFinalShare, LessThanInitialShare";
    case KueueConfig::FairStrategies::LessThanOrEqualToFinalShare:
      return "LessThanOrEqualToFinalShare";
    case KueueConfig::FairStrategies::LessThanInitialShare:
      return "LessThanInitialShare";
  }
  unknown();
}

const char* word(StopPolicy value) {
  switch (value) {
    case StopPolicy::None:
      return "None";
    case StopPolicy::Hold:
      return "Hold";
    case StopPolicy::HoldAndDrain:
      return "HoldAndDrain";
  }
  unknown();
}

}  // namespace gpol
