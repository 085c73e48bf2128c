// What the placement family asks, as plain values, its closed form and its formulas. In: flavors, node pools, and who
// can be admitted with which flavor. Out: landings where a pod may not stand, and who stands nowhere.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "checker/solver/terms.h"
#include "compiler/cluster/intent.h"

namespace gpol {

inline constexpr std::int64_t kNoFlavor = -1;

// Some pod of this role can be admitted with this flavor.
struct Admittable {
  bool serving = false;
  std::int64_t flavor = kNoFlavor;  // into Cluster::flavors
  friend auto operator<=>(const Admittable&, const Admittable&) = default;
};

struct PlacementFacts {
  struct Pool {
    std::map<std::string, std::string> labels;
    std::set<std::int64_t> own;      // flavors whose nodes these are
    std::set<std::int64_t> reserve;  // of these, those of which somebody has a reserve here
    bool spot = false;
    std::set<std::int64_t> keeps_away;  // flavors that do not tolerate its taints by themselves
  };
  std::vector<std::map<std::string, std::string>> flavors;  // node labels
  std::vector<Pool> pools;
  // Of two resource groups of one queue, which no resource is counted in twice: a pod gets one of each, and where both
  // select the same nodes, each is at home. Whether their pods leave one another room is judge_shared_nodes' to ask.
  std::set<std::pair<std::int64_t, std::int64_t>> beside;
  std::vector<Admittable> admitted;
};
PlacementFacts placement_facts(const Cluster& cluster, const Intent& intent);  // without who is admitted

struct Landing {
  Admittable who;
  std::uint32_t pool = 0;  // into Cluster::node_pools
};
// Closed form. Batch on nodes where a reserve of another flavor stands; serving there, too, and on spot nodes, and on
// nodes that are not of its flavor.
std::vector<Landing> astray_landings(const PlacementFacts& facts);
// Who can be admitted with a flavor and fits on no pool: serving as Kueue makes its pods, batch with any toleration.
std::vector<Admittable> without_nodes(const PlacementFacts& facts);

// Unsat: nothing else goes astray; nobody else is without nodes.
Formula astray_formula(const PlacementFacts& facts, const std::vector<Landing>& known);
Formula nowhere_formula(const PlacementFacts& facts, const std::vector<Admittable>& known);

}  // namespace gpol
