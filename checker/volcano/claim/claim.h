// The families of proof of a cluster whose scheduler is Volcano. In and out as in checker/families/families.h.
#pragma once

#include "checker/families/families.h"

namespace gpol::volcano {

// Claim: in every reachable state nobody else has allocated what a serving queue reserves, and it is let have all of
// it. One obligation per (queue, resource) of every queue.
void prove_claim(const Proof& proof, Report& report);
// Reclaim: that a reserve comes back. Nothing is proven of it yet; one obligation per (queue, resource).
void prove_reclaim(const Proof& proof, Report& report);
// Placement and fragmentation: who else can stand on the nodes that a reserve is of, and whether each replica finds
// one.
void prove_places(const Proof& proof, Report& report);

}  // namespace gpol::volcano
