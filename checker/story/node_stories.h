// Stories about places on nodes. In: who is to stand where, as a family worked it out. Out: the steps, played both in
// Kueue's model (every workload is admitted, and nobody is evicted for it) and in kube-scheduler's (every pod fits
// where it stands, the last one fits nowhere); nothing where one of them says no.
#pragma once

#include <optional>
#include <vector>

#include "checker/nodes/placement_model.h"
#include "checker/story/stories.h"

namespace gpol {

// Pods that are alike, and in whose names they can come.
struct Standing {
  bool serving = false;
  nodes::Amounts requests;  // of each; its pod is counted in `pods`
  struct From {
    std::uint32_t queue = 0, flavor = 0;
    std::int64_t most = 0;          // pods of it
    std::uint32_t outside = kNone;  // into Intent::outside, where `queue` is none: Kueue never sees them
  };
  std::vector<From> from;  // in order of preference
};

struct NoNode {
  std::uint32_t queue = 0, flavor = 0;  // whose replica finds no node; no queue: that of
  std::uint32_t outside = kNone;        // this tenant, into Intent::outside
  nodes::Amounts replica;
  std::uint32_t capacity = 0;  // into Intent::capacities: the nodes that are filled
  std::int64_t lost = 0;       // of them, before anybody stands there
  std::vector<Standing> standing;
  struct Filled {
    std::int64_t nodes = 0;          // so many
    std::vector<std::int64_t> pods;  // with so many pods of each `standing`
  };
  std::vector<Filled> filled;
  // What comes of it: it waits (nobody is evicted for it, where it stands outside the queue); or, outside it, somebody
  // is, and with these terms that is later than the deadline; or batch deletes its pods and starts others, for ever.
  enum class Ending : std::uint8_t { Waits, EvictedLate, SentRound } ending = Ending::Waits;
  std::vector<TimeTerm> terms = {};
  Millis deadline = 0;
};

// The quota of the replica is free and it is admitted; its pod fits on no node.
std::optional<Story> tell_no_node(const Stage& stage, const Intent& intent, const NoNode& what);

// A pod of the queue is admitted with this flavor and can be bound to a node of that pool, where it has no business.
struct Astray {
  std::uint32_t queue = 0;
  std::optional<std::uint32_t> flavor;  // none: a pod that asks for nothing is given none
  std::uint32_t pool = 0;               // into Cluster::node_pools
};
std::optional<Story> tell_astray(const Stage& stage, const Intent& intent, const Astray& what);

// A replica stands on a spot node; all of these go, and it finds none again. Of a queue, admitted with this flavor, or
// of a tenant outside the queue.
struct Taken {
  std::uint32_t queue = kNone;
  std::uint32_t outside = kNone;  // into Intent::outside, where `queue` is none
  std::uint32_t flavor = 0;
  std::uint32_t pool = 0;  // into Cluster::node_pools: spot
};
std::optional<Story> tell_taken(const Stage& stage, const Intent& intent, const Taken& what);

// Pods of the queue are admitted with this flavor and can be bound nowhere.
std::optional<Story> tell_nowhere(const Stage& stage, const Intent& intent, std::uint32_t queue, std::uint32_t flavor);

// Batch that ends its own Jobs over and over keeps a replica from every node, although its quota is free; played in
// both models. Nothing where it cannot.
std::vector<StoryStep> tell_churn(const Cluster& cluster, const Intent& intent);

}  // namespace gpol
