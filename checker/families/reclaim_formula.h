// "The scheduler's own rules give the reserve back", as a formula. In: the facts of a queue. Out: a formula that is
// unsatisfiable if and only if the facts suffice. Unknown are the usages, the request, nominal quota and reserve of
// every resource, the priorities of serving's workload, of a victim and of a sibling's head, the times at which the two
// heads were queued, and every flag of the victim and of that head; the facts are its named assumptions.
//
// The trees enter through two symbolic lemmas proved beside it (tree_lemma): from any state, debt included, evicting
// every workload of queues above nominal under cohorts above their quota leaves no node above its subtree quota
// (descent), and then a request within nominal fits at every step of its path (path). So a workload within nominal that
// does not fit always has something above nominal in its way.
#pragma once

#include "checker/families/reclaim_facts.h"
#include "checker/kueue/forest.h"
#include "checker/solver/terms.h"

namespace gpol {

Formula reclaim_formula(const ReclaimFacts& facts);

// Facts with the same key have the same formula.
std::string key_of(const ReclaimFacts& facts);

enum class TreeLemma : std::uint8_t {
  WithinPush,    // a node within its subtree quota pushes no more than its parent counts of it
  CohortWithin,  // a cohort whose children push no more than it counts of them is within its subtree quota
  Bubble,        // what a request adds to the parent is what the free local quota does not take
  FitsRoot,      // at a root, within quota is available
  FitsLimited,   // below it: within quota, and the rest offered by the parent, is available
  FitsUnlimited
};
inline constexpr std::size_t kTreeLemmas = 6;
Formula tree_lemma(TreeLemma lemma);
// Their side conditions, for every node of one (flavor, resource): 0 <= LQ <= SQ, quotas and limits not negative, SQ
// the nominal quota and what the children show. Empty when met, else the node that does not.
std::string unmet_side_condition(const kueue::Shape& shape, const kueue::Limits& limits);

}  // namespace gpol
