// The terms of a policy that are also those of a plan: amounts, times, windows, trusts, writers. Amounts are in the
// base units of resources.h, times in milliseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compiler/policy/resources.h"
#include "compiler/policy/vocabulary.h"
#include "compiler/source/span.h"

namespace gpol {

using Millis = std::int64_t;
inline constexpr std::uint32_t kNone = UINT32_MAX;  // "no such index"

// A time constant with where it came from; `source` is what the author wrote in parentheses, "declared" otherwise.
struct TimeConstant {
  Millis value = 0;
  std::string source;
  Span span;
};

struct Window {
  std::string name;
  int from = 0, to = 0;  // minutes since midnight, local time; to < from: past midnight
  std::string zone;      // "Europe/Zurich"
  enum class Days { Daily, Weekdays, Weekends } days = Days::Daily;
  std::uint32_t except = kNone;  // into Policy::calendars: on its dates the window does not begin
  Span span;
};

enum class Isolation { A, B, C };

struct StartTerms {
  // Each absent until declared; a class B deadline needs them all (design: never a default).
  std::optional<TimeConstant> schedule, image, weights, load, warm;
};

struct Trust {
  std::string premise;  // a key of checker/premises.h
  std::string reason, by;
  Span span;
  std::string until = {};  // "2027-01-31", the last day on which it counts; empty: no end
};

// A principal of the API server.
struct Writer {
  bool group = false;  // else a user
  std::string name;
  Span span;
};

// How far a guard is rolled out, where it is not the default: its binding denies.
struct GuardMode {
  std::string guard;  // the name that it is emitted under
  std::string mode;   // warn | audit: its binding's action; unbound: it has none
  Span span;          // of the name
};

}  // namespace gpol
