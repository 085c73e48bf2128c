// How much of a flavor batch can use at the same time, and how much is then left to serving: quota level, as the
// fragmentation family needs it. In: cluster and intent. Out: bounds that hold in every reachable state of every
// window.
//
// Closed form: T, what batch below a node uses, is at most the sum over its children, and at most what the node pushes
// into its parent and the local quotas of those children (each bounded by T again); U by the claim family's walk. That
// both follow from Kueue's arithmetic are lemmas whose side conditions every node meets (ClaimProver checks those of
// U).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "checker/families/claim_tree.h"
#include "checker/nodes/blocking.h"

namespace gpol {

struct PoolUse {
  using Amounts = nodes::Amounts;            // by resource; nodes::kNoLimit where nothing counts it
  std::map<std::uint32_t, Amounts> holders;  // batch queues that can have a pod there: the most that each can use
  Amounts batch;                             // the most that all of them can use together
  Amounts quotas;                            // of the trees they stand in: the most that all queues of them can use
  std::vector<bool> roots, beside;           // per node: the root of such a tree; per queue: it stands in one
  std::string undecided;                     // why nothing is known; empty: it is
};

class PoolUses {
 public:
  PoolUses(const Proof& proof, const kueue::Shape& shape);
  const PoolUse& of(std::uint32_t flavor);

 private:
  PoolUse worked_out(std::uint32_t flavor);
  void most_of_each(std::uint32_t flavor, std::vector<ClaimTree>& trees, PoolUse& use) const;
  bool lemmas(PoolUse& use);
  std::int64_t batch_below(const ClaimTree& tree, const PoolUse& use) const;
  std::int64_t quotas_of(const ClaimTree& tree, const PoolUse& use) const;

  const Proof& proof_;
  const kueue::Shape& shape_;
  ClaimProver prover_;
  LemmaBook book_;
  const std::vector<std::vector<Listing>> listings_;
  std::map<std::uint32_t, PoolUse> known_;
};

}  // namespace gpol
