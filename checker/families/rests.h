// What the proofs of a report rest on: which premises of the closed list (premises.h) are asked for at all. In: the
// cluster, the intent and what the families said. Out: by ground (`Rests`), whether something proven rests on it.
#pragma once

#include "checker/families/families.h"
#include "checker/families/premises.h"

namespace gpol {

struct Rested {
  bool serving = false, queued = false, nodes = false, times = false, eviction = false, priorities = false,
       within = false, shapes = false, preemption = false, beside = false, shared = false, jobs = false,
       unproven = false;
  bool on(Rests rests) const;
};
Rested rested(const Proof& proof, const Report& report);

}  // namespace gpol
