// How long batch may take to end, as one who serves has to wait for it: the longest of the batch queues that can hold
// what it waits for. Those list a flavor of its, or of whoever lists one, and so on, or may stand on the same nodes:
// neither victims nor turns (turns.h) ever cross from one such circle of flavors, nodes and queues into another.
// In: cluster, intent. Out: Intent::batch with the grace and the kill margin of one circle.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "compiler/cluster/cluster.h"
#include "compiler/cluster/intent.h"

namespace gpol {

class BatchCircles {
 public:
  BatchCircles(const Cluster& cluster, const Intent& intent);
  // As seen from a queue, or from whoever stands on the nodes of a flavor. Where no batch is in the circle, that of the
  // whole cluster.
  const BatchTimes& of_queue(std::uint32_t queue) const { return of_circle(queue_circle_[queue]); }
  const BatchTimes& of_flavor(std::uint32_t flavor) const { return of_circle(flavor_circle_[flavor]); }

 private:
  const BatchTimes& of_circle(std::uint32_t circle) const {
    const auto found = times_.find(circle);
    return found == times_.end() ? all_ : found->second;
  }
  const BatchTimes& all_;
  std::vector<std::uint32_t> queue_circle_, flavor_circle_;
  std::map<std::uint32_t, BatchTimes> times_;
};

}  // namespace gpol
