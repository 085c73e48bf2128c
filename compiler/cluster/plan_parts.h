// The parts of plan(), shared by its files and used by nobody else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/cluster/intent.h"
#include "compiler/policy/modes.h"

namespace gpol {

// What the allows let flow in one set of windows: per allow of the policy, whether it is in force.
struct PlannedMode {
  std::string name;  // "default", "night", "night-and-weekend"
  WindowSet windows;
};

// The base first. resolve() has refused policies with too many modes (GP0308).
std::vector<PlannedMode> plan_modes(const Policy& policy);

bool in_force(const Allow& allow, const PlannedMode& mode);

// Sum of what `pick` allows may flow, in one mode, per resource.
template <class Pick>
Resources flow(const Policy& policy, const PlannedMode& mode, Pick pick) {
  Resources sum;
  for (const auto& allow : policy.allows)
    if (in_force(allow, mode) && pick(allow))
      for (std::size_t r = 0; r < kResources; ++r) sum.of[r] += allow.amount.of[r];
  return sum;
}

// The largest such sum over all modes.
template <class Pick>
Resources widest_flow(const Policy& policy, const std::vector<PlannedMode>& modes, Pick pick) {
  Resources widest;
  for (const auto& mode : modes) {
    const Resources here = flow(policy, mode, pick);
    for (std::size_t r = 0; r < kResources; ++r)
      if (here.of[r] > widest.of[r]) widest.of[r] = here.of[r];
  }
  return widest;
}

void plan_serving_queue(const Policy& policy, const std::vector<PlannedMode>& modes, std::uint32_t tenant,
                        const PoolAmount& reserve, bool several, Planned& out);
void plan_batch_queue(const Policy& policy, const std::vector<PlannedMode>& modes, std::uint32_t tenant, Planned& out);
void finish_modes(const Policy& policy, const std::vector<PlannedMode>& modes, Planned& out);
void plan_intent(const Policy& policy, Planned& out);
std::string isolation_letter(Isolation isolation);

}  // namespace gpol
