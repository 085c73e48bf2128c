// What all models of one cluster share: its trees, which queues run, and the limits of each (flavor, resource) in each
// mode, made when first asked for. Safe to share between threads. In: a cluster, which must outlive this.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "checker/kueue/forest.h"
#include "checker/kueue/gates.h"
#include "compiler/cluster/cluster.h"

namespace gpol::kueue {

class Compiled {
 public:
  explicit Compiled(const Cluster& cluster);

  const Cluster& cluster() const { return cluster_; }
  const Shape& shape() const { return shape_; }
  const Gates& gates() const { return gates_; }
  // `mode` indexes Cluster::modes; the base where there is no such mode.
  const Limits& limits(std::uint32_t mode, std::uint32_t flavor, std::uint32_t resource) const;

  // Per queue: some quota of it differs between two modes.
  std::vector<bool> changed_between(std::uint32_t a, std::uint32_t b) const;

  // Per queue: it is in the snapshot of a cycle (cache/scheduler/snapshot.go skipInactiveCQReason), by its own stop
  // policy. An inactive queue schedules nothing and nobody can evict from it, but its quota and usage still count.
  const std::vector<bool>& active() const { return active_; }
  // Per node: the distance to its furthest active queue (hierarchical_preemption.go getNodeHeight); 0 for queues.
  const std::shared_ptr<const std::vector<int>>& heights() const { return heights_; }
  std::shared_ptr<const std::vector<int>> heights_with(const std::vector<bool>& active) const;
  // Whether the queue could run but for its stop policy.
  bool sound(std::uint32_t queue) const;

 private:
  const Cluster& cluster_;
  Shape shape_;
  Gates gates_;
  std::vector<bool> active_;
  std::shared_ptr<const std::vector<int>> heights_;
  struct Key {
    std::uint32_t mode, flavor, resource;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  mutable std::mutex mutex_;
  mutable std::map<Key, std::unique_ptr<const Limits>> limits_;  // entries never move or change once made
};

}  // namespace gpol::kueue
