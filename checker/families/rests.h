// What the proofs of a report rest on: which premises of the closed list (premises.h) are asked for at all. In: the
// cluster, the intent and what the families said. Out: facts; a ground says of them whether something proven rests on
// the premises that have it.
#pragma once

#include <string_view>

#include "checker/families/families.h"

namespace gpol {

struct Rested {
  bool serving = false, queued = false, nodes = false, times = false, eviction = false, priorities = false,
       within = false, shapes = false, preemption = false, beside = false, shared = false, jobs = false,
       unproven = false, roll_out = false, slices = false, carried_starts = false, edge = false, shared_count = false,
       callers = false;
};
Rested rested(const Proof& proof, const Report& report);

struct Ground {
  std::string_view asked_by;  // in words, of a policy
  bool (*asks)(const Rested&);
};
namespace ground {

// Every proof for a serving queue.
inline constexpr Ground kAlways = {"every proof for a serving tenant", [](const Rested& r) { return r.serving; }};
// A proven deadline on nodes that batch may use, too.
inline constexpr Ground kOnBeside = {
    "a deadline (class B) on nodes that batch, or another tenant that serves, may use, too",
    [](const Rested& r) { return r.beside && r.nodes; }};
// Every proof for a serving queue; of tenants outside the queue for those that preempt.
inline constexpr Ground kOnQueued = {"every proof for a serving tenant that queues, or preempts",
                                     [](const Rested& r) { return r.queued || r.preemption; }};
// Where the scheduler is Volcano.
inline constexpr Ground kOnVolcano = {"every proof for a serving tenant that Volcano places",
                                      [](const Rested& r) { return r.serving; }};
// A proven capacity that serving stands on.
inline constexpr Ground kOnNodes = {"every proof that looks at nodes", [](const Rested& r) { return r.nodes; }};
// A proven deadline.
inline constexpr Ground kOnTimes = {"a deadline (class B), or a loan's `back within`",
                                    [](const Rested& r) { return r.times; }};
// The same, where the Jobs of batch are bounded.
inline constexpr Ground kOnJobs = {"the same, where a tenant of batch says `at most ... jobs`",
                                   [](const Rested& r) { return r.times && r.jobs; }};
// A proven reclaim that needs victims.
inline constexpr Ground kOnEviction = {"a reserve that batch must leave", [](const Rested& r) { return r.eviction; }};
// A proven deadline beside a batch queue that lends quota of its own.
inline constexpr Ground kOnPriorities = {"a deadline beside batch that lends quota of its own",
                                         [](const Rested& r) { return r.priorities; }};
// A proven fragmentation beside pods of one size, or a deadline where serving tenants share nodes.
inline constexpr Ground kOnShapes = {"a `shape` of batch, and serving tenants that share a pool",
                                     [](const Rested& r) { return r.shapes; }};
// A proven deadline where serving tenants share nodes, or a place where two find room on one node.
inline constexpr Ground kOnShared = {
    "serving tenants whose replicas find room on one node, or wait for victims together",
    [](const Rested& r) { return r.shared; }};
// A proven reclaim of a tenant outside the queue that preempts.
inline constexpr Ground kOnPreemption = {"a tenant that is `outside the queue, preempts batch`",
                                         [](const Rested& r) { return r.preemption; }};
// A proven claim or deadline of a queue that lends where another serving queue may borrow.
inline constexpr Ground kOnServingWithin = {"a reserve that is lent where another serving tenant may borrow",
                                            [](const Rested& r) { return r.within; }};

// A proof about nodes whose GPUs are cut and that batch uses, too.
inline constexpr Ground kOnSlices = {"serving on nodes whose GPUs are cut, beside others",
                                     [](const Rested& r) { return r.slices; }};
// A layout of a model whose start positions are those of another one.
inline constexpr Ground kOnCarriedStarts = {
    "a layout of a GPU model whose placements are those of another (`template`)",
    [](const Rested& r) { return r.carried_starts; }};
// A proof about what a gateway lets in.
inline constexpr Ground kOnEdge = {"a limit at a gateway", [](const Rested& r) { return r.edge; }};
// A proof of what is counted for all proxies together; of who reaches the pods of a service.
inline constexpr Ground kOnSharedCount = {"a limit at a gateway that counts `global`",
                                          [](const Rested& r) { return r.edge && r.shared_count; }};
inline constexpr Ground kOnCallers = {"a service that says who reaches its pods (`from`)",
                                      [](const Rested& r) { return r.callers; }};
// A proof for a serving tenant beside a line `guard all` that does not deny.
inline constexpr Ground kOnRollOut = {"a line `guard all audit` or `guard all warn`",
                                      [](const Rested& r) { return r.serving && r.roll_out; }};

}  // namespace ground
}  // namespace gpol
