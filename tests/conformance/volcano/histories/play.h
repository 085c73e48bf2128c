// Plays a history in the model beside what the judge saw of the real scheduler. In each session the model must have an
// outcome with exactly the pods bound, on the nodes, and with the phases that the real one ended with: over all choices
// that the model leaves open (scheduler.h). Pods that the real one bound go where they went; what is searched is where
// those went that it took back. Where there is no choice, the outcome is foretold exactly.
#pragma once

#include <cstdint>
#include <string>

#include "tests/conformance/volcano/histories/history.h"

namespace gpol::volcano::histories {

struct Counts {
  std::int64_t histories = 0, sessions = 0;
  std::int64_t foretold = 0;   // sessions without a choice
  std::int64_t bound = 0;      // pods
  std::int64_t left = 0;       // pods that a session left pending
  std::int64_t held_back = 0;  // PodGroups that enqueue left pending
  std::int64_t broken = 0;     // histories that stop the real scheduler, as Limits::broken says
  std::int64_t not_ready = 0;  // sessions in which the plugin capacity refuses everything
  std::int64_t searches_cut = 0;
  std::int64_t limits = 0;  // numbers of realCapability and deserved
  std::int64_t disagreements = 0;
};

// Empty: no disagreement. Else what it is.
std::string compare(const History& history, const Answer& answer, Counts& counts);

}  // namespace gpol::volcano::histories
