// What others may hold while a story begins: the widest holdings of the closed form as steps of a script.
#pragma once

#include <span>
#include <vector>

#include "checker/kueue/walk.h"
#include "checker/story/replay.h"
#include "compiler/cluster/intent.h"

namespace gpol {

// How far each queue fills one (flavor, resource) in the states a promise speaks of: another serving queue up to its
// own reserve, a queue on HoldAndDrain not at all, everybody else whatever admission lets it have. Where no queue of
// the intent has a role, everybody does.
kueue::Behaviour behaviour_of(const Cluster& cluster, const Intent& intent, std::uint32_t flavor,
                              std::uint32_t resource);

// What the owner has reserved of (flavor, resource); 0 when it is not a serving queue or does not list it.
std::int64_t reserve_of(const Cluster& cluster, const Intent& intent, std::uint32_t queue, std::uint32_t flavor,
                        std::uint32_t resource);

// Workloads of one flavor each as steps: switches to the windows that allow them, those that need none first, and the
// queues on Hold put there last.
std::vector<Step> steps_in_windows(const Cluster& cluster, const Intent& intent,
                                   std::vector<kueue::WorkloadSpec> workloads);

// The holdings of kueue::witness as steps: switches to the windows that allow them, one workload per queue, and the
// queues on Hold put there last.
// `priority` is that of batch workloads whose role states none; other serving queues use their own.
std::vector<Step> hold_steps(const Cluster& cluster, const Intent& intent, std::uint32_t flavor, std::uint32_t resource,
                             std::span<const kueue::Holding> holdings, std::int64_t priority);

// What keeps pods of these queues from going elsewhere first: all that each can have of the flavors that its group
// lists beside `flavor` and whose node labels do not refuse a pod that selects those of `flavor` (flavorassigner.go
// checkFlavorForPodSets).
std::vector<Step> fill_beside(const Stage& stage, const Intent& intent, std::uint32_t flavor, std::uint32_t resource,
                              std::span<const kueue::Holding> holdings);

// The devices of each pod of the queue on this flavor, where it is batch that declares a shape of them there; 1 of any
// other queue or resource: any amount.
std::int64_t pod_devices_of(const Intent& intent, std::uint32_t queue, std::uint32_t flavor, std::uint32_t resource);
// Whether some batch declares one: then a story is looked for in whole pods first.
bool shapes_declared(const Intent& intent);

// The holdings in whole pods of the declared shapes: rounded up where that can be admitted, else down, and then the
// least of them. A proof counts any amount; a story that batch can play with the pods that its guards let in says more.
std::vector<kueue::Holding> in_shapes(const Stage& stage, const Intent& intent, std::uint32_t owner,
                                      std::uint32_t flavor, std::uint32_t resource,
                                      std::span<const kueue::Holding> holdings);

// The least of these holdings that leaves the owner as little: none of them can be dropped or lowered by a unit (of
// `intent`: by a pod of its declared shape) without leaving it more.
std::vector<kueue::Holding> least_of(const Stage& stage, std::uint32_t owner, std::uint32_t flavor,
                                     std::uint32_t resource, std::span<const kueue::Holding> holdings,
                                     const Intent* intent = nullptr);

// hold_steps with the holdings worked out: the worst for `owner` in the widest of all windows. Those that are
// `idle` hold nothing.
enum class Pods : std::uint8_t { OfAnySize, OfDeclaredShapes };
std::vector<Step> worst_hold(const Stage& stage, const Intent& intent, std::uint32_t owner, std::uint32_t flavor,
                             std::uint32_t resource, std::int64_t priority, std::span<const std::uint32_t> idle = {},
                             Pods pods = Pods::OfAnySize);

// The priority that the queue's role states, else the value of the priority class that its latency class uses, 0 when
// there is none.
std::int64_t priority_of(const Cluster& cluster, const Intent& intent, std::uint32_t queue);

}  // namespace gpol
