// What others can hold of a queue's quota while victims of a preemption have not ended: the debt of kueue.md 2. A cycle
// takes the victims of every head that preempts out of its snapshot, for all heads behind that one (pkg/scheduler
// scheduler.go fits): what the victims hold beyond what that head needs is given out before they have ended. Each of
// the heads behind must fit into what was free when the cycle began, so it takes two of them, and while anything is in
// debt nobody else is admitted through it. So a cohort never uses more than twice what it can use otherwise, and
// beside that what those in it keep to themselves: the victims may have filled it, and those behind them again.
// In: cluster and shape. Out: closed form only, no solver.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "checker/kueue/walk.h"

namespace gpol::kueue {

class EndingVictims {
 public:
  EndingVictims(const Cluster& cluster, const Shape& shape);

  // In the owner's tree somebody may preempt what uses a resource of the flavor, with two heads behind that do, too.
  // `bounds`: of the two.
  bool possible(Node owner, std::uint32_t flavor, const Bounds& bounds) const;

 private:
  bool preempts(Node queue) const;
  bool may_evict(Node preemptor, Node victim) const;

  const Cluster& cluster_;
  const Shape& shape_;
  std::map<Node, std::vector<Node>> trees_;  // queues by root
  std::vector<std::vector<bool>> lists_;     // per queue: by flavor
  std::vector<bool> preempts_;               // per queue
  std::vector<bool> pooled_;                 // per queue: a cohort above it has quota of its own
};

// How far all nodes may then be filled, whoever owns.
struct Filled {
  Limits limits;
  Bounds bounds;
};
Filled filled_while_ending(const Shape& shape, const Limits& limits, const Behaviour& behaviour);

// The least that is then left to the owner, holding nothing.
std::int64_t left_while_ending(const Shape& shape, const Limits& limits, const Filled& filled, Node owner);

}  // namespace gpol::kueue
