// Pod templates, wherever in an object they stand and whatever its kind: a list `containers` is one, and so is a single
// container's `resources`. In: an object's node. Out: those that ask for devices or queue. Nothing is reported:
// mistakes in them are for others to find.
#pragma once

#include <string>
#include <vector>

#include "checker/observe/problems.h"
#include "checker/observe/tree.h"
#include "compiler/cluster/pod_facts.h"

namespace gpol::manifest {

std::string full_name_of(const Node& object);  // "GROUP/KIND/ns/name"
// "GROUP/KIND/ns/name" of the controller that owns the object, and its uid as the object names it; empty: none does.
struct Owner {
  std::string name, uid;
  std::string own_uid;  // of the object itself
};
Owner owner_of(const Node& object);

// Adds one to `pods` for each template that asks for a device, queues or names a PriorityClass, and one to `rooms` for
// each that requests anything; to both for each that something else says more of; true where the object has a template.
bool find_pods(const Node& object, const Place& place, std::vector<PodFacts>& pods, std::vector<PodFacts>& rooms);

// Of what makes no pods itself, all that those who name it take from it (borrowed.h).
void find_lent(const Node& object, const Place& place, std::vector<PodFacts>& pods, std::vector<PodFacts>& rooms);

// Adds a Workload that has not ended: what its priority is.
void find_workload(const Node& object, const Place& place, std::vector<PodFacts>& pods);

}  // namespace gpol::manifest
