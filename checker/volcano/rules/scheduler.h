// One session of Volcano's scheduler, as far as it decides who can hold what (pkg/scheduler v1.15.1: the actions
// enqueue, allocate and backfill; the plugins capacity, overcommit, gang, priority, drf, predicates and nodegroup).
// In: a Setup that mode_of can play (`not_played` is empty) and a state; out: the state after the session.
//
// What the real scheduler leaves open is asked of the caller, and nothing else is: on which of several nodes a pod goes
// (their scores are not modelled), and which queue is next where the order of queues goes round (hierarchical). So
// every session of the real scheduler is one of the answers here. Among equals the real order is by the time of
// creation: here of jobs and pods as in the state, of queues by name, as of those that are made in the same second.
// Onto a node that has less of something than it gave away, real pods that ask for nothing are bound only now and then.
//
// Not here: evictions, init containers, pods that have ended, scheduling gates, sub-groups, topologies, DRA and shared
// devices, affinity between pods, volumes. tests/conformance/volcano compares with the real one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/cluster/cluster.h"
#include "compiler/model/volcano/setup.h"

namespace gpol::volcano {

struct Node {
  std::string name;
  Amounts allocatable;  // `pods` among them
  std::map<std::string, std::string> labels;
  std::vector<Taint> taints;
  bool unschedulable = false;
};

struct Pod {
  std::string name;
  Amounts requests;
  std::map<std::string, std::string> node_selector;
  std::vector<Toleration> tolerations;
  std::string node;          // that it runs on, also where that is gone; empty: it is pending
  bool terminating = false;  // no longer counted for its queue, but it holds its node's resources until it is removed
};

enum class Phase : std::uint8_t { Pending, Inqueue, Running, Unknown, Completed };

// A PodGroup with its pods.
struct Job {
  std::string name;
  std::string queue;  // where it names none, the scheduler does not see the job; its pods still fill their nodes
  std::int64_t min_member = 1;
  std::optional<Amounts> min_resources;
  std::int64_t priority = 0;
  Phase phase = Phase::Pending;
  std::vector<Pod> pods;
};

struct State {
  std::vector<Node> nodes;
  std::vector<Job> jobs;
  std::set<std::string> not_open;  // queues
};

// Of one name or more, which one. `pod`: the names are nodes that it can go to; null: they are queues, at least two.
using Choose = std::function<std::size_t(const Pod* pod, const std::vector<std::string>& names)>;

struct Bound {
  std::size_t job = 0, pod = 0;  // into State
};

// Binds pods (they run on their nodes in `state` afterwards) and moves the phases of PodGroups. Out: who was bound.
std::vector<Bound> session(const Setup& setup, State& state, const Choose& choose);

}  // namespace gpol::volcano
