// Which flavor a pending workload would get, and at what price (pkg/scheduler/flavorassigner/flavorassigner.go,
// kueue.md 3.2). In: the snapshot of a cycle and the workload with what it remembers of its last try. Out: an
// assignment; the snapshot is as before on return.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "checker/kueue/ledger.h"

namespace gpol::kueue {

enum class FitMode : std::uint8_t { NoFit, Preempt, Fit };

struct Assignment {
  FitMode mode = FitMode::NoFit;  // the worst of its parts
  int borrowing = 0;              // the greatest height of its parts: 0 within the queue's own nominal quota
  struct Part {
    std::uint32_t podset = 0;
    FlavorResource fr;
    std::int64_t amount = 0;
    FitMode mode = FitMode::NoFit;
    int height = 0;
  };
  // Where a podset gets nothing: of those before it. Then the mode is NoFit, but for one error upstream (run()).
  std::vector<Part> parts;
  Progress progress;  // what the next try will remember
  std::string why;    // why not Fit

  Amounts usage() const;  // every (flavor, resource) once
};

// The flavor of every part of an assignment: another search in the same cycle looks at no other (flavorassigner.go
// NominationMapping).
using Nominated = std::map<Part, std::uint32_t>;

// flavorassigner.go checkFlavorForPodSets: what keeps pods off the nodes of a flavor must be tolerated by the podset or
// by the flavor, which adds its tolerations to the pods.
bool tolerates(const PodSet& podset, const Flavor& flavor);

Assignment assign_flavors(Ledger& snapshot, const std::vector<Workload>& workloads, WorkloadId id,
                          const Nominated* nominated = nullptr);

}  // namespace gpol::kueue
