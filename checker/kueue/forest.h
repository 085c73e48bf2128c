// Kueue's quota arithmetic, for one (flavor, resource) at a time: every (flavor, resource) is independent of the others
// (pkg/cache/scheduler/resource_node.go, pkg/resources/amount.go at v0.19.2; kueue.md section 2 gives the closed
// forms). A Shape is the trees of a cluster; Limits the quotas of one (flavor, resource) on it; Usage a state.
// Values are base units; kUnlimited stands for an absent limit; sums saturate there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/cluster/cluster.h"

namespace gpol::kueue {

inline constexpr std::int64_t kUnlimited = INT64_MAX;
using Node = std::uint32_t;
inline constexpr Node kRoot = UINT32_MAX;  // the parent of a root

// Nodes: queue i of the cluster is node i; cohorts follow, first those with objects in the cluster's order, then the
// implicit ones (named but absent) in order of name. A cohort cycle is marked: its queues schedule nothing.
struct Shape {
  std::uint32_t queues = 0;
  std::vector<std::string> names;
  std::vector<Node> parent;
  std::vector<std::vector<Node>> children;  // sorted
  std::vector<Node> bottom_up;              // every node after its children
  std::vector<bool> in_cycle;
};
Shape shape_of(const Cluster& cluster);
// The top of the tree that a node is in. A node of a cycle has no parent, so that it is its own.
inline Node root_of(const Shape& shape, Node node) {
  while (shape.parent[node] != kRoot) node = shape.parent[node];
  return node;
}

// One (flavor, resource) in one mode.
struct Limits {
  std::vector<std::int64_t> nominal, borrowing, lending;  // per node; borrowing/lending kUnlimited when absent
  std::vector<std::int64_t> subtree;                      // SQ
  std::vector<std::int64_t> local;                        // LQ: what the parent never sees
  std::vector<std::int64_t> potential;                    // P
  std::vector<bool> listed;                               // the node names this (flavor, resource)
  std::vector<bool> known;                                // it or a node below it does: in its SubtreeQuota
};
// `mode` may be null (the base). Indices are into cluster.flavors and cluster.resources.
Limits limits_of(const Cluster& cluster, const Shape& shape, std::uint32_t flavor, std::uint32_t resource,
                 const Mode* mode);
// The same with every queue's limits the widest of all modes. `exact` turns false when modes differ in anything but the
// borrowing limit of queues: then the result over-approximates nothing and must not be used for a proof.
Limits widest_limits(const Cluster& cluster, const Shape& shape, std::uint32_t flavor, std::uint32_t resource,
                     bool& exact);

// Usage of one (flavor, resource): U of every node that has any. add() bubbles as the real cache does.
class Usage {
 public:
  std::int64_t of(Node node) const;
  void add(const Shape& shape, const Limits& limits, Node queue, std::int64_t amount);  // amount < 0 removes
  // What upstream's addUsage does with a negative amount: the queue's own usage falls, what its cohort stores does not.
  void lower(Node queue, std::int64_t amount) { at(queue) -= amount; }

 private:
  std::int64_t& at(Node node);
  std::vector<std::int64_t> usage_;  // by node; of those beyond its end nothing is used
};

std::int64_t available(const Shape& shape, const Limits& limits, const Usage& usage,
                       Node node);  // A_v, may be negative (debt)
inline std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_add_overflow(a, b, &r)) return a > 0 ? kUnlimited : INT64_MIN;
  return (a == kUnlimited || b == kUnlimited) ? kUnlimited : r;
}

}  // namespace gpol::kueue
