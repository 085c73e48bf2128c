// What serving engines can be told, by their own names: which knobs gpol knows and what kind of value each takes.
#pragma once

#include <span>
#include <string_view>

namespace gpol {

enum class KnobKind {
  Count,    // a whole number
  Percent,  // 90%, above 0% and at most 100%; the engine takes it as a fraction
  Number,   // 0.3
  Memory,   // 60GiB
  Time,     // 100ms
  Switch,   // on | off
  Word      // one of `words`
};

struct EngineKnob {
  std::string_view name;
  KnobKind kind;
  std::string_view words = {};  // `fcfs priority`
};
struct Engine {
  std::string_view name;
  std::span<const EngineKnob> knobs;
};

std::span<const Engine> engines();

}  // namespace gpol
