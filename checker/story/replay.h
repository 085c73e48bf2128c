// Stories: scripts that the executable model plays. In: a script (who submits what, when windows switch, what serving
// asks). Out: whether serving's ask stayed unmet, and a log; `shrink` makes a script irreducible: dropping any step or
// lowering any number by one unit makes the ask succeed.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "checker/kueue/model.h"
#include "compiler/cluster/cluster.h"

namespace gpol {

struct Submit {
  kueue::WorkloadSpec workload;
  std::string at;     // clock time for the telling; empty: none
  bool ask = false;   // serving's ask: the story is about this one
};
struct SwitchMode {
  std::uint32_t mode = 0;
  std::string at;
};
struct Script {
  std::vector<std::variant<Submit, SwitchMode>> steps;  // the model settles after each step
  // Claim: the ask must be admitted at once (no eviction awaited). Reclaim: after settling.
  enum class Promise { AtOnce, Eventually } promise = Promise::AtOnce;
};

struct Played {
  bool broken = false;  // every earlier Submit was admitted or is meant to wait, and some ask is not met as promised
  struct Event {
    std::size_t step = 0;          // index into Script::steps
    kueue::WorkloadState state = kueue::WorkloadState::Pending;
    std::vector<kueue::Decision> decisions;
    std::vector<std::int64_t> available;  // to the step's queue on the story's flavor, per request, after the step
  };
  std::vector<Event> events;
};

Played play(const Cluster& cluster, const Script& script);

// Requires play(cluster, script).broken. Deterministic; plays at most `budget` scripts (then what it has so far).
Script shrink(const Cluster& cluster, Script script, int budget = 2000);

}  // namespace gpol
