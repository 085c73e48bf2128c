// Pods that use devices and are not admitted by Kueue, among the manifests themselves: they break the premise
// `admission-only`. In: what the manifests say of pods. Out: those that may take what serving counts on, and why no
// queue lets them in.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checker/families/families.h"
#include "compiler/cluster/node_facts.h"
#include "compiler/cluster/pod_facts.h"

namespace gpol {

struct Stranger {
  const PodFacts* pods = nullptr;
  const PodFacts::Ask* asks = nullptr;
  std::string resource;  // empty: by a resource claim
  std::string why;       // "names no queue"
  std::string remedy;    // "label it ..."
  bool known = true;     // false: whether its pods ask for any, or may stand there, something says that was not read
};

// By what name `integrations.frameworks` turns its kind on; empty: Kueue does not know it.
std::string_view framework_of(const PodFacts& pods);

// Those that are turned on, where no Configuration says it (`configured`) those that Kueue is shipped with.
std::vector<std::string> frameworks_on(const KueueConfig& config, bool configured);

// Of what is queued, the frameworks that Kueue is shipped without (config/components/manager of v0.19.2), in words:
// where no Configuration is given they are assumed to be on. Empty: none.
std::string frameworks_assumed(const KueueConfig& config, std::span<const PodFacts> pods);

// Whether Kueue may manage other kinds than Jobs, pods, and Deployments and StatefulSets that make them: of those it
// takes the priority from the object, before there is a pod, and what guards say of Jobs and pods does not bind them
// (pkg/controller/jobframework/reconciler.go, pkg/controller/jobs/leaderworkerset).
bool manages_others(const Cluster& cluster, bool configured);

// `rooms`: pods that request anything. `nodes`: all that there are; empty: they were not given. `configured`: a
// Configuration says which kinds Kueue admits.
std::vector<Stranger> strangers(const Proof& proof, std::span<const PodFacts> pods, std::span<const PodFacts> rooms,
                                std::span<const NodeFacts> nodes, bool configured);

// Whoever may take room on the nodes of one tenant outside the queue, though it asks for no device of serving's: how
// much it takes of which node is not known. DaemonSets apart; null: nobody.
const PodFacts* roommate(const Cluster& cluster, const Intent& intent, std::uint32_t flavor,
                         std::span<const PodFacts> rooms, std::span<const NodeFacts> nodes, bool configured);

// Off what is allocatable on each Node: what DaemonSets that may stand there request, where Kueue does not admit them,
// and static pods that do. (Devices of serving's that they ask for are a finding besides: strangers().) Out: whose.
std::vector<const PodFacts*> take_daemons(std::span<const PodFacts> rooms, const Cluster& cluster, const Intent& intent,
                                          bool configured, std::vector<NodeFacts>& nodes);

}  // namespace gpol
