// What property tests and the second solver ask of random trees: the tree of a seed, its intent, and its claim as one
// formula over the whole tree, which shares nothing with the lemmas of the claim family.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "checker/families/families.h"
#include "checker/kueue/walk.h"
#include "tests/support/random_tree.h"

namespace gpol::testing {

inline Intent intent_of(const RandomTree& tree) {
  Intent intent;
  for (std::size_t q = 0; q < tree.cluster.queues.size(); ++q) {
    QueueRole role;
    if (tree.roles[q] == Role::Serving) {
      role.kind = QueueRole::Kind::Serving;
      role.isolation = Isolation::A;
      for (const auto& group : tree.cluster.queues[q].groups)
        for (const auto& flavor : group.flavors)
          for (const auto& quota : flavor.quotas) {
            role.reserve.push_back(quota.nominal);
            role.permitted.push_back(0);
          }
    } else if (tree.roles[q] == Role::Batch) {
      role.kind = QueueRole::Kind::Batch;
    }
    intent.roles.push_back(std::move(role));
  }
  return intent;
}

// Every third tree is built to be safe: serving lends nothing. The rest is as the dice have it.
inline void make_safe(RandomTree& tree) {
  for (std::size_t q = 0; q < tree.cluster.queues.size(); ++q)
    if (tree.roles[q] == Role::Serving && !tree.cluster.queues[q].cohort.empty())
      for (auto& group : tree.cluster.queues[q].groups)
        for (auto& flavor : group.flavors)
          for (auto& quota : flavor.quotas) quota.lending = 0;
}

inline RandomTree claim_tree(std::uint64_t seed) {
  TreeSizes sizes;
  sizes.flavors = 2;
  sizes.resources = 3;
  sizes.unlimited = false;
  sizes.stops = true;
  RandomTree tree = random_tree(seed, sizes);
  if (seed % 3 == 0) make_safe(tree);
  return tree;
}

// The tree as one formula: usages of all queues free, admissible; can less than `least` be left to the owner?
inline Formula whole_tree(const kueue::Shape& shape, const kueue::Limits& limits, const kueue::Behaviour& behaviour,
                          kueue::Node owner, std::int64_t least) {
  Formula formula;
  formula.name = "test/whole-tree";
  std::vector<Term> usage(shape.parent.size());
  const auto spill = [&](kueue::Node v) { return max(integer(0), usage[v] - integer(limits.local[v])); };
  for (const auto v : shape.bottom_up) {
    if (v < shape.queues) {
      usage[v] = v == owner || !limits.listed[v] ? integer(0) : int_symbol("u" + std::to_string(v));
      formula.facts.push_back({"held" + std::to_string(v), usage[v] >= integer(0)});
      if (behaviour.at_most[v] != kueue::kUnlimited)
        formula.facts.push_back({"most" + std::to_string(v), usage[v] <= integer(behaviour.at_most[v])});
    } else {
      usage[v] = integer(0);
      for (const auto child : shape.children[v]) usage[v] = usage[v] + spill(child);
    }
    const bool root = shape.parent[v] == kueue::kRoot;
    if (root || limits.borrowing[v] != kueue::kUnlimited)
      formula.facts.push_back(
          {"admitted" + std::to_string(v), usage[v] <= integer(limits.subtree[v] + (root ? 0 : limits.borrowing[v]))});
  }
  std::vector<kueue::Node> path;
  for (kueue::Node v = owner; v != kueue::kRoot; v = shape.parent[v]) path.push_back(v);
  Term left = integer(limits.subtree[path.back()]) - usage[path.back()];
  for (std::size_t i = path.size() - 1; i-- > 0;) {
    const auto v = path[i];
    if (limits.borrowing[v] != kueue::kUnlimited)
      left = min(left, integer(limits.subtree[v] - limits.local[v] + limits.borrowing[v]) - spill(v));
    left = max(integer(0), integer(limits.local[v]) - usage[v]) + left;
  }
  formula.negated_goal = max(integer(0), left) < integer(least);
  return formula;
}

}  // namespace gpol::testing
