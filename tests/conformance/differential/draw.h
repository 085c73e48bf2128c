// Parts of random histories that stand by themselves: what flavors say of their nodes, and what pods tolerate of it.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

#include "compiler/cluster/cluster.h"
#include "tests/support/random_tree.h"

namespace gpol::differential {

using testing::Dice;

template <class T>
T pick(Dice& dice, std::initializer_list<T> of) {
  return *(of.begin() + dice.upto(static_cast<std::int64_t>(of.size()) - 1));
}

inline std::size_t any(Dice& dice, std::size_t count) {
  return static_cast<std::size_t>(dice.upto(static_cast<std::int64_t>(count) - 1));
}

// Taints of one flavor, sometimes of the other one, too; sometimes a flavor tolerates its own.
void draw_taints(Dice& dice, Cluster& cluster);
// None, or some of those taints.
std::vector<Toleration> draw_tolerations(Dice& dice);

}  // namespace gpol::differential
