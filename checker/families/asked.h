// What the objects among the manifests ask of their queues: one entry for each object, with all its pod templates. And
// serving and bounded queues of which that is more than they own: to the other queues such a queue is batch, up to what
// it asks for.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "checker/families/families.h"
#include "compiler/cluster/pod_facts.h"

namespace gpol {

struct AskedOf {
  std::uint32_t queue = 0;
  std::vector<const PodFacts*> templates;  // of one Workload together
  std::int64_t workloads = 1, most_workloads = 1;
  // By resource, "pods" among them, in base units: what one Workload asks for, with partial admission the least.
  std::map<std::string, std::int64_t> each, least;
  const PodFacts& first() const { return *templates.front(); }
  std::string name() const { return first().kind + " `" + first().name + "`"; }
};

// In the order of the manifests. What something says that was not read, or names no queue that is there, is left out.
std::vector<AskedOf> asked_of_queues(const Proof& proof, std::span<const PodFacts> pods);

// Whether Kueue lets these pods have the flavor: by what they select and tolerate.
bool may_take(const PodFacts& pods, const Flavor& flavor);

// Sets QueueRole::overreach of serving and bounded queues that may borrow (overreach.cpp). `intent`: the proof's.
void note_overreach(const Proof& proof, std::span<const PodFacts> pods, Intent& intent);

// As the others see them: such queues are batch, but `serves`.
Intent beside_overreach(const Intent& intent, std::uint32_t serves);

// Has `judge` add its obligations about quota, one per queue, flavor and resource: with such queues as batch, and of
// each of these queues what is found where it serves beside the others.
void judge_beside_overreach(const Proof& proof, Report& report,
                            const std::function<void(const Proof&, Report&)>& judge);

}  // namespace gpol
