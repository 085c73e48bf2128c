// Scripts that the executable model plays. In: a script (who submits what, when windows switch, what serving asks).
// Out: what happened at every step, from which a teller judges whether the promise was broken. `shrink` makes a script
// irreducible: dropping any step, or lowering any number by one unit (of a declared shape: by a pod), makes it lose the
// property it was kept for.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "checker/kueue/model.h"
#include "compiler/cluster/cluster.h"

namespace gpol {

struct Submit {
  kueue::WorkloadSpec workload;
  std::string at;                 // clock time for the telling; empty: none
  bool ask = false;               // serving's ask: the story is about these
  bool fixed = false;             // a declared replica: its numbers are not free, shrink leaves them alone
  bool at_the_same_time = false;  // as the step after it: no scheduling cycle lies between them
  std::int64_t pod = 1;           // its numbers are multiples of this: of the GPUs in each pod of a declared shape
};
struct SwitchMode {
  std::uint32_t mode = 0;  // into Cluster::modes
  std::string at;
};
// From here on the queues that the cluster has on Hold are held. In a script with this step they run before it: a queue
// on Hold may hold whatever it could get before, and nobody can evict it (kueue.md 3.5).
struct PutOnHold {};
using Step = std::variant<Submit, SwitchMode, PutOnHold>;
struct Script {
  std::vector<Step> steps;
  // An ask gets one scheduling cycle, and then, unless only that one matters, the model settles; after any other step
  // it settles.
  bool at_once_only = false;
  // Nothing that is evicted ends, and each step gets one cycle.
  bool victims_stay = false;
};

struct Played {
  struct Event {
    kueue::WorkloadState at_once = kueue::WorkloadState::Pending;  // after one cycle
    kueue::WorkloadState settled = kueue::WorkloadState::Pending;  // after settling
    std::vector<kueue::WorkloadId> victims;                        // evicted for it
    std::int64_t waited = 0;                                       // cycles that it was not admitted after
    std::int64_t turns = 0;  // evictions, for it or for others, whose end it waited for before it was admitted
    std::vector<std::int64_t> available;  // to the step's queue before the step, parallel to its requests
  };
  std::vector<Event> events;  // parallel to Script::steps; empty events for what is no Submit
  // Queues of which all that asked at the same time was admitted at once, after some cycle. In a loop of evictions that
  // never ends what is admitted may change for ever.
  std::set<std::uint32_t> met;
};

// A cluster made ready to play many scripts on.
class Stage {
 public:
  explicit Stage(const Cluster& cluster);  // `cluster` must outlive the stage
  const Cluster& cluster() const { return *cluster_; }
  // Why no story can be told of this cluster: what the model does not cover, and blockAdmission. Empty when one can.
  const std::string& uncovered() const { return uncovered_; }
  Played play(const Script& script) const;
  // What all plays so far cost: for each the steps, times the queues, and more of many flavors and resources.
  std::int64_t worked() const { return worked_; }
  const std::vector<std::uint32_t>& on_hold() const { return on_hold_; }  // queues

  const kueue::Shape& shape() const { return shape_; }
  // kueue::widest_limits of one (flavor, resource). Kept until others are asked for: not for use by several threads.
  const kueue::Limits& widest(std::uint32_t flavor, std::uint32_t resource) const;

 private:
  const Cluster* cluster_;
  std::shared_ptr<const kueue::Compiled> compiled_;
  std::string uncovered_;
  kueue::Shape shape_;
  std::vector<std::uint32_t> on_hold_;
  std::int64_t cost_ = 1;                                                            // of a step
  mutable std::map<std::pair<std::uint32_t, std::uint32_t>, kueue::Limits> widest_;  // by flavor and resource: a few
  mutable std::int64_t worked_ = 0;
};

using Keeps = std::function<bool(const Script&, const Played&)>;

// Requires keeps(script, play(script)). Deterministic. Plays at most `budget` scripts, of hundreds of tenants fewer,
// and then gives up (nothing): a story that is not irreducible is not shown.
std::optional<Script> shrink(const Stage& stage, Script script, const Keeps& keeps, int budget = 4000);

}  // namespace gpol
