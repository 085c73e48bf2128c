// The limits of Volcano's queues: realCapability and deserved of every queue, as the plugin capacity works them out
// when a session opens (pkg/scheduler/plugins/capacity/capacity.go buildQueueAttrs, buildHierarchicalQueueAttrs and
// checkHierarchicalQueue; pkg/scheduler/api/resource_info.go; Volcano v1.14.2 to v1.15). In: the queues of a Setup and
// the total of the cluster's nodes. Out: per queue and resource a limit or none, in base units as in cluster.h.
// Every resource is worked out apart from the others. Which plugin limits at all: mode.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/volcano/setup.h"

namespace gpol::volcano {

// Without a value: no limit; in a Total: not known, which is taken as without bound, so that the limits that follow
// are upper bounds.
using Limit = std::optional<std::int64_t>;

// Sum of `allocatable` over all nodes, also those that are cordoned, tainted or not ready. What is not named here is on
// no node: a queue without a guarantee for it has limit 0.
using Total = std::map<std::string, Limit>;

// Cpu, memory, and what api.NewResource keeps as scalars: pods, ephemeral-storage, huge pages, volumes, names with a
// domain. All else is dropped from every vector. No queue's limit of `pods` is ever asked about.
bool counts(std::string_view resource);

struct QueueLimits {
  std::string name;
  std::vector<std::size_t> path;  // the queues whose limits a pod of this one must fit: itself, its parent, ... root
  bool leaf = true;               // flat: always
  std::map<std::string, Limit> real_capability;  // what is not named is 0: limit() reads it
  Amounts deserved;                              // at least the guarantee
  std::int64_t priority = 0;

  Limit limit(const std::string& resource) const;
};

struct Limits {
  std::vector<QueueLimits> queues;  // as in the Setup, then those of root and default that it has not
  // A reason where the plugin refuses every pod of every queue (hierarchical: a parent that names no queue). A PodGroup
  // in a queue that is no leaf does the same: scheduler.h.
  std::string not_ready;
  // A reason where the scheduler itself breaks, in both modes. A missing parent: updateQueueStatus of session.go stops
  // with a nil pointer once a queue below it holds a pod. A cycle: it never ends there, and hierarchical the first pod
  // that is tried in any queue ends the process (queueAttr.Clone of capacity.go has no bound). From 7 levels below root
  // on, queues write over each other's ancestors (updateAncestors), so that limits on the way up are not asked.
  std::string broken;
};

Limits limits_of(const Setup& setup, const Total& total, bool hierarchical);

}  // namespace gpol::volcano
