// Parts of random histories that stand by themselves: what flavors say of their nodes, what pods tolerate of it,
// what the Configuration makes of requests, and what it switches for the whole scheduler.
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

// A resource that no queue lists and that counts as others, and of those that queues list one or two that count
// otherwise or not at all.
inline constexpr const char* kRaw = "example.com/raw";
void draw_transformations(Dice& dice, Cluster& cluster);

// What is switched for the whole scheduler. Its dice are others than those of the cluster, which stays the same.
struct Switches {
  explicit Switches(std::uint64_t seed) : dice(seed * 104'729 + 7) {}
  Dice dice;
  bool evictions = false;  // timeouts of waitForPodsReady
};

void flip(Switches& switches, Cluster& cluster);

void share_fairly(Dice& dice, Cluster& cluster);
// Each queue owns much of one flavor and little of the others: one head borrows, another does not.
void make_rivals(Dice& dice, Cluster& cluster);

}  // namespace gpol::differential
