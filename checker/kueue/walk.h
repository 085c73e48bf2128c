// The closed form: what others can hold of a queue's reserve at most, by a walk over the tree, with no solver.
// It computes the figures of the claim family independently of the formulas; of its results only the per-node bounds
// enter them, as the bounds to be proven inductive (families/claim.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "checker/kueue/forest.h"

namespace gpol::kueue {

// How far a queue fills its own node in the states considered.
struct Behaviour {
  // Per queue: the most it may hold (kUnlimited: whatever admission lets it). Batch: kUnlimited; another serving
  // queue: its reserve; a queue on HoldAndDrain: 0.
  std::vector<std::int64_t> at_most;
};

// Bounds that hold in every reachable state, per node: the most it can use and the most it pushes into its parent.
struct Bounds {
  std::vector<std::int64_t> usage;  // U_v <= usage[v]
  std::vector<std::int64_t> spill;  // max(0, U_v - LQ_v) <= spill[v]
  // Per node: the sum of its children's spills, kept so that the share of one child can be taken out again: unlimited
  // ones are counted apart, and the others summed in 128 bits.
  struct Sum {
    std::uint64_t low = 0, high = 0;
    std::uint32_t unlimited = 0;
    void add(std::int64_t amount);       // 0 <= amount < kUnlimited
    void subtract(std::int64_t amount);  // what was added
    std::int64_t value() const;          // kUnlimited when it is, or when it is too large
  };
  std::vector<Sum> pushed;
};
Bounds walk_bounds(const Shape& shape, const Limits& limits, const Behaviour& behaviour);
// The same of one tree, whose nodes these are, each after its children; those of other trees keep what they have.
void walk_tree(const Shape& shape, const Limits& limits, const Behaviour& behaviour, const std::vector<Node>& nodes,
               Bounds& bounds);

// The same along the path of `owner` with the owner holding nothing, and what is then available to it at least.
struct PathBounds {
  std::vector<Node> path;               // owner's parent .. root; empty without a cohort
  std::vector<std::int64_t> usage;      // U of each path node at most
  std::vector<std::int64_t> available;  // A of each path node at least (may be negative only under debt: never here)
  std::int64_t owner_available = 0;     // max(0, A_owner) at least
};
PathBounds walk_path(const Shape& shape, const Limits& limits, const Bounds& bounds, Node owner);

// A state that reaches the bound: what each queue holds. Sparse; in order of queue. Irreducible: with any holding a
// unit smaller more would be left. Empty when nothing that others do takes anything from the owner.
struct Holding {
  Node queue = 0;
  std::int64_t amount = 0;
};
std::vector<Holding> witness(const Shape& shape, const Limits& limits, const Behaviour& behaviour, Node owner);
// The same, where walk_bounds is known already; of the owner's own limit nothing in it is used.
std::vector<Holding> witness(const Shape& shape, const Limits& limits, const Behaviour& behaviour, const Bounds& bounds,
                             Node owner);

}  // namespace gpol::kueue
