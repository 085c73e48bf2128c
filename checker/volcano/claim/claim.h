// The families of proof of a cluster whose scheduler is Volcano. In and out as in checker/families/families.h.
#pragma once

#include <span>
#include <string>
#include <string_view>

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
// What these take for granted that objects among the manifests may contradict (the text of the Assumption).
inline constexpr std::string_view
    kNoOtherQueues =
        "there are no Queues but those that were read, `default` and `root`, and nobody changes or closes them",
    kPlacedInQueues =
        "whatever uses what a serving Queue reserves is placed by Volcano, and its PodGroup names a Queue without "
        "others below it and stays until its pods are gone; in a serving Queue stand pods of serving alone, for no "
        "more than its reserve",
    kRestIsFree =
        "what pods of serving ask for beside the resources of their reserve, such as cpu, is free on the nodes and "
        "below the limits of their Queues",
    kPoolsApart = "on the nodes of a pool stand pods of the Queues of which gpol.yaml names it, and of no others";
// The labels of a node that name its pool: those that gpol and the plugin nodegroup read.
inline constexpr const char* kPoolLabels[] = {"gpol.dev/gpu-pool", "volcano.sh/nodegroup-name"};
bool is_of(const NodeFacts& node, const std::string& pool);

}  // namespace gpol::volcano
