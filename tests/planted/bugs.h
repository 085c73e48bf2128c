// The bugs that can be switched on: where each is planted, and what it gets wrong. In: nothing. Out: the same table
// every time, one entry for each of checker/planted.h and one for each rule of the model that can be left out.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checker/kueue/rules.h"
#include "checker/planted.h"

namespace gpol::planted_bugs {

// Where a model of Kueue most likely goes wrong. Each wants a bug in the closed forms, in the formulas and in the
// executable model in turn (runner.cpp).
inline constexpr int kHazards = 10;
inline constexpr std::array<const char*, kHazards> kHazardNames{
    "to be below nominal is asked of every requested resource",
    "the quota of a cohort is nobody's own",
    "what a node keeps and spills is figured from its subtree quota",
    "what is lent and comes back was claimed, and comes back whole workloads at a time, when they have ended",
    "a victim is above nominal on something needed, the preemptor below it on everything",
    "reclaim is all or nothing, and among priorities only strictly lower ones count",
    "who is stopped keeps what it holds and cannot be evicted from",
    "a change of quotas finds what was admitted before it: debt",
    "flavors are alternatives in an order, not one pool",
    "fair sharing is another algorithm"};

enum class About : std::uint8_t { Queues, Nodes, Guards };  // which checks can see it

struct Entry {
  std::string name, place, wrong;  // "WalkOnHoldIsEmpty", "walk", "a queue on Hold holds nothing"
  std::set<int> hazards;           // 1 ... kHazards: what of kHazardNames it falls for
  std::optional<Bug> bug;
  std::optional<kueue::Rule> rule;
  About about = About::Queues;
};
const std::vector<Entry>& all();

}  // namespace gpol::planted_bugs
