// What others than one serving queue can have allocated at every queue of Volcano's tree, and what is then left to it.
// In: the limits of the queues (rules/real_capability.h) and their roles. Out: bounds for every reachable state.
//
// Closed form: M(leaf) = its real capability for batch, at most its reserve for another serving queue, 0 for the owner;
// M(p) = min(real capability of p, sum of M over its children). All are reached at once, since limits form a tree.
// Where the nodes are all that there are (manifests alone), they stand above all other queues, with their sum as limit.
// Formulas: the lemmas below with limits and usages free; what an instance must meet is arithmetic, the side condition.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "checker/families/lemma_book.h"
#include "checker/solver/terms.h"
#include "checker/volcano/rules/real_capability.h"
#include "compiler/model/volcano/roles.h"

namespace gpol::volcano {

inline constexpr std::int64_t kNoLimit = INT64_MAX;

enum class ClaimLemma : std::uint8_t {
  Allocated,  // a queue has at most its real capability allocated: the plugin compares before each pod
  Sum,        // two bounded usages are together at most the sum of their bounds; folded over the children
  Inner,      // a queue has at most the sum of its children's bounds, and its own real capability
  Owner       // who asks for no more than its reserve less `claimable` fits the limit of each queue on its path
};
inline constexpr ClaimLemma kClaimLemmas[] = {ClaimLemma::Allocated, ClaimLemma::Sum, ClaimLemma::Inner,
                                              ClaimLemma::Owner};
const char* lemma_name(ClaimLemma lemma);
Formula lemma(ClaimLemma lemma);
// Empty: all are proven; else why not.
std::string unproven(LemmaBook& book);

// The queues of the tree, those included that only the scheduler makes; roles are by name, and who has none is batch.
struct ClaimTree {
  Limits limits;
  std::vector<const QueueRole*> roles;    // parallel to limits.queues; null: the scheduler's own, and the nodes
  std::vector<std::size_t> parents_last;  // all queues, children before their parents
  std::size_t nodes = SIZE_MAX;           // which of them stands for the nodes; SIZE_MAX: none
  std::uint32_t pool = kNone;             // `nodes` are those of this pool alone, where nobody else's pods stand
};
// `nodes`: what they have in all, whoever uses it; null: they are not looked at. Where it has no limit, they are taken
// to have as much as all that is bounded needs.
ClaimTree claim_tree(Limits limits, const Setup& setup, std::span<const QueueRole> roles, const Total* nodes = nullptr,
                     std::uint32_t pool = kNone);
// Of a tree for one pool: the queue's pods stand elsewhere, as those of each queue that no pool is said of.
bool elsewhere(const ClaimTree& tree, std::size_t queue);

// Upper bounds of what all but `owner` have allocated, by queue; kNoLimit: without bound.
std::vector<std::int64_t> others(const ClaimTree& tree, std::size_t owner, const std::string& resource);
// What the owner, holding nothing, is let have at least then: at every queue of its path, 0 at least.
std::int64_t left_to(const ClaimTree& tree, std::size_t owner, const std::string& resource,
                     const std::vector<std::int64_t>& others);
// The queue on its path, or the nodes, that leaves it the least.
std::size_t binding(const ClaimTree& tree, std::size_t owner, const std::string& resource,
                    const std::vector<std::int64_t>& others);
// The same where one other queue alone has whatever it can get: of the queue of which that leaves the least.
std::int64_t left_by_one(const ClaimTree& tree, std::size_t owner, const std::string& resource);
// Whether each bound meets the side condition of its lemma, and `claimable` that of the owner's.
bool meets_side_conditions(const ClaimTree& tree, std::size_t owner, const std::string& resource, std::int64_t reserve,
                           const std::vector<std::int64_t>& others, std::int64_t claimable);

}  // namespace gpol::volcano
