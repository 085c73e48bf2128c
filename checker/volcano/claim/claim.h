// The families of proof of a cluster whose scheduler is Volcano. In and out as in checker/families/families.h.
#pragma once

#include <span>

#include "checker/families/families.h"
#include "checker/families/table.h"
#include "compiler/cluster/node_facts.h"

namespace gpol::volcano {

// Claim: in every reachable state nobody else has allocated what a serving queue reserves, and it is let have all of
// it. One obligation per (queue, resource) of every queue. `evidence`: of manifests alone, the nodes that there are,
// and what Kueue's queues may take of them.
void prove_claim(const Proof& proof, const Evidence& evidence, Report& report);
// Reclaim: that a reserve comes back. Nothing is proven of it yet; one obligation per (queue, resource).
void prove_reclaim(const Proof& proof, Report& report);
// Placement and fragmentation: who else can stand on the nodes that a reserve is of, and whether each replica finds
// one.
void prove_places(const Proof& proof, Report& report);
// Premises of manifests alone: each is trusted, or open where the input is taken for the whole (`strict`).
void judge_given(const Proof& proof, std::span<const NodeFacts> nodes, bool strict, Report& report);
// The node is one of that pool, by the label that gpol or the plugin nodegroup reads.
bool is_of(const NodeFacts& node, const std::string& pool);

}  // namespace gpol::volcano
