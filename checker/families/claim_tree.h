// One (flavor, resource) of a cluster as the claim family sees it: the widest limits of all windows, how far each queue
// goes, and the closed form's bounds. In: cluster and intent. Out: what others can hold of an owner's reserve, each
// figure with the lemma that proves it (claim_lemmas.h) checked for every node and every step of the path.
//
// All windows at once. Windows change only borrowing limits of queues (otherwise `undecided` says so). Admission keeps
// U_v <= SQ_v + BL_v with the limit of the window in force; a switch evicts nobody. So a state that any window leaves
// behind satisfies it with the widest limit of all windows, and what an owner is offered is figured with its own
// narrowest limit.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checker/families/claim_lemmas.h"
#include "checker/families/lemma_book.h"
#include "checker/families/pairs.h"
#include "checker/kueue/counted.h"
#include "checker/kueue/ending.h"
#include "checker/kueue/walk.h"

namespace gpol {

// A queue that lists the (flavor, resource), and where in its own pairs.
struct Listing {
  std::uint32_t queue = 0;
  std::uint32_t pair = 0;
};
// By flavor * resources + resource.
std::vector<std::vector<Listing>> listings_of(const Cluster& cluster);

struct ClaimTree {
  __extension__ using Wide = __int128;  // sums over children leave 64 bits only far above every quota
  std::uint32_t flavor = 0, resource = 0;
  kueue::Limits limits;
  kueue::Behaviour behaviour;
  kueue::Bounds bounds;                     // proven inductive unless `undecided`
  std::vector<Wide> pushed;                 // per node: the sum of what its children push at most
  std::vector<std::int64_t> own_borrowing;  // per queue that lists it: the narrowest of all windows
  std::int64_t quotas = 0;                  // all of them, see all_quotas
  std::optional<kueue::Filled> filled;      // while victims end, once somebody asks
  std::map<kueue::Node, bool> ending;       // by root: such debt is possible beside who lends nothing
  std::string undecided;                    // why nothing is proven here; empty: it is
};

class ClaimProver {
 public:
  ClaimProver(const Proof& proof, const kueue::Shape& shape);

  // Throws InternalError when a bound of the closed form is not inductive, naming node and figures.
  ClaimTree tree(std::uint32_t flavor, std::uint32_t resource, const std::vector<Listing>& listings);
  // The most of `reserve` that the owner, holding nothing, can be denied. `tree.undecided` must be empty.
  std::int64_t claimable(ClaimTree& tree, std::uint32_t owner, std::int64_t reserve);
  // The most of it while victims of a preemption have not ended (kueue/ending.h); no less than `claimable`.
  std::int64_t claimable_ending(ClaimTree& tree, std::uint32_t owner, std::int64_t reserve, std::int64_t claimable);
  // The state in which that happens.
  std::vector<kueue::Holding> worst_state(ClaimTree& tree, std::uint32_t owner);

 private:
  // Asks the lemma once; when the solver gives up, the tree is undecided.
  void rely_on(ClaimLemma lemma, ClaimTree& tree);
  void check_bounds(ClaimTree& tree);
  void check_path(ClaimTree& tree, const kueue::PathBounds& path, std::uint32_t owner);
  template <class F>
  auto with_own_limit(ClaimTree& tree, std::uint32_t owner, F&& f);

  const Proof& proof_;
  const kueue::Shape& shape_;
  LemmaBook book_;
  kueue::PodRoom pod_room_;
  const kueue::EndingVictims ending_;
  std::array<bool, kClaimLemmas> asked_{};
};

}  // namespace gpol
