// The facts about a queue that decide whether the scheduler's own rules give its reserve back: the nine points of
// guarantee G (kueue.md 4.3; pkg/scheduler and pkg/scheduler/preemption at v0.19.2), each the worst over all windows.
// In: cluster, intent, and whether anything of the queue's reserve can be held at all (the claim family's figure).
// Out: one small value per queue; queues with equal facts share one question to the solver.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "checker/families/pairs.h"
#include "checker/kueue/counted.h"
#include "checker/kueue/forest.h"
#include "checker/kueue/walk.h"

namespace gpol {

// What the other queues of the tree that share a flavor are, as to a head that reserves without victims (point 9).
struct Siblings {
  bool reclaim_any = false;   // way (b): holds nothing for a head without victims
  bool owns_nothing = false;  // way (c): its heads are never in preemption mode
  bool best_effort = false;   // delays by one cycle for each of its heads, then parks it
  bool strict_fifo = false;   // can keep one head that reserves in every cycle (N15)
  bool returns = false;       // its parked head is back with every eviction, and may reserve again (N15b)
  bool goes_after = false;    // way (a): priorities put its heads after this queue's, always
  friend auto operator<=>(const Siblings&, const Siblings&) = default;
};

struct ReclaimFacts {
  Reclaim policy = Reclaim::Never;  // 1
  bool nominal_covers = false;      // 2: nominal >= reserve for every resource
  bool borrows_nothing = false;     // 2: borrowingLimit 0 on every resource, or no cohort: never above nominal
  bool victims_active = false;      // 3: no queue that may hold borrowed quota is stopped
  bool victims_leave = true;        // 4: evictions end; the premise batch-leaves
  bool one_flavor = false;          // 5: one flavor in each resource group, or unit_flavors.h found no way to stray
  bool try_next_when_preempting = false;  // 5: whenCanPreempt TryNextFlavor; matters with several flavors only
  bool no_topology = false;               // 6
  bool best_effort_head = false;          // 7: BestEffortFIFO
  bool active = false;                    // 7: not stopped, not in a cycle
  bool namespace_matches = false;         // 7: there is a namespace selector
  bool no_checks = false;                 // 7: no admission check
  bool nothing_blocks = false;            // 7: waitForPodsReady.blockAdmission off
  bool physical = false;                  // 8: sum of all quotas <= devices, for every resource
  bool pods_kept = true;                  // 5: nobody can borrow pods that it needs (reclaim_pods.cpp)
  Siblings siblings;                      // 9
  bool goes_first = true;                 // 9: within nominal it is looked at before whom it evicts
  bool timed = false;                     // a deadline: every delay must be bounded
  bool nothing_claimable = false;         // nobody can hold any of its demand: no victims are needed
  bool victims_below = false;             // 1: whoever may hold borrowed quota has a strictly lower priority, always
  std::uint8_t resources = 1;             // how many resources one workload asks for
  // Words for what is missing; empty: the common ones.
  std::string why_inactive, why_not_below, why_not_first, who_takes_pods;

  friend auto operator<=>(const ReclaimFacts&, const ReclaimFacts&) = default;
};

// The closed form: whether the facts suffice. No solver.
bool gives_back(const ReclaimFacts& facts);

// What is missing, in words, the first cause first; empty when gives_back().
std::vector<std::string> missing_of(const ReclaimFacts& facts);

// What keeps even a queue waiting that needs no victims, in words, the first cause; empty when nothing does.
std::string keeps_waiting(const ReclaimFacts& facts);

// What of its reserve the demand of a policy's queue cannot use: the reserve less all replicas that fit into it.
std::int64_t not_needed(const QueueRole& role, std::uint32_t resource, std::int64_t reserve);

// Facts of every serving queue with a reserve. `claim_free[q]`: the claim family proved that nothing of q's reserve can
// be held. Everything is evaluated in every mode: a window's leftovers do not matter to G, which never assumes a
// reachable usage (debt comes from borrowers, and they are all victims), but limits of each window do.
class ReclaimWorld {
 public:
  ReclaimWorld(const Proof& proof, const kueue::Shape& shape);
  // `claimable`: per pair of the queue, what others can hold of its reserve. reclaim_alike.cpp: of queues that are
  // alike it is worked out once.
  ReclaimFacts facts_of(std::uint32_t queue, std::span<const std::int64_t> claimable) const;
  // The demand is known as requests, and the rules of G speak of what Kueue counts: why that is not the same, in words;
  // empty: it is.
  std::string counts_otherwise(std::uint32_t queue) const;
  // The sibling that keeps a head which reserves, for messages; the queue itself when there is none.
  std::uint32_t blocking_sibling(std::uint32_t queue, bool timed) const;
  // The stopped queue that may hold what nobody can evict; the queue itself when there is none.
  std::uint32_t stopped_sibling(std::uint32_t queue) const;
  // No other queue is in its tree: it has its quota to itself, by whatever rules.
  bool alone(std::uint32_t queue) const { return tree_of(queue).size() == 1; }
  // Of a demand of no pods: the quota that is too small for one, in words.
  std::string why_no_pod(std::uint32_t queue) const;
  // A queue that may borrow pods which this one needs, so that victims need not bring them back; nothing: none may.
  std::optional<std::uint32_t> takes_pods(std::uint32_t queue, std::span<const std::int64_t> claimable) const;
  // Other queues of the tree for which the policy writes reclaimWithinCohort itself.
  std::vector<std::uint32_t> overriding_siblings(std::uint32_t queue) const;

 private:
  enum Kind : std::uint8_t { Any, OwnsNothing, BestEffort, Strict, StoppedBorrower, kKinds };
  struct Count {
    std::uint32_t of[kKinds] = {};
  };
  void add_limits(const kueue::Limits& limits, std::uint32_t flavor, std::uint32_t resource);
  void classify(std::uint32_t queue);

  void find_borrowers_of_pods();

  // Queues that differ in their names only are of one kind. Of a kind with many there are but so many in `some`: enough
  // for whatever asks whether there is one, or are two, besides two others, and for more than kMostTogether.
  static constexpr std::size_t kOfEachKind = 6;
  struct Alike {
    std::vector<std::uint32_t> kind;                         // per queue
    std::map<kueue::Node, std::vector<std::uint32_t>> some;  // queues of a tree, in order, by root
  };
  const Alike& alike() const;
  const std::vector<std::uint32_t>& some_of_tree(std::uint32_t queue) const;
  ReclaimFacts facts_of_kind(std::uint32_t queue, std::span<const std::int64_t> claimable) const;

  kueue::Node root_of(std::uint32_t queue) const { return root_[queue]; }
  bool share_a_flavor(std::uint32_t a, std::uint32_t b) const;  // in one tree
  void heed_siblings(std::uint32_t queue, ReclaimFacts& facts) const;

  // Where the demand is known exactly (QueueRole::unit_demand): reclaim_units.cpp.
  void heed_unit_demand(std::uint32_t queue, std::span<const std::int64_t> claimable, ReclaimFacts& facts) const;
  void heed_known_siblings(std::uint32_t queue, ReclaimFacts& facts) const;
  bool borrows(std::uint32_t queue) const;                    // its limits let it
  bool pooled_above(std::uint32_t queue) const;               // a cohort above it, below the root, has quota
  bool may_be_inactive(const Queue& queue) const;             // by its admission checks
  bool may_be_above(std::uint32_t queue) const;               // its nominal quota, in what is assumed of it
  bool is_ever_above(std::uint32_t queue) const;              // the same, worked out anew
  bool below(std::uint32_t queue, std::uint32_t than) const;  // in priority, always
  const std::vector<std::uint32_t>& borrowed_flavors(std::uint32_t queue) const;
  bool sound_throughout(std::uint32_t queue, const ResourceGroup& group, const FlavorQuotas& flavor) const;
  bool can_evict(std::uint32_t queue, std::uint32_t victim, std::span<const std::uint32_t> borrowed) const;
  bool finds_a_flavor(std::uint32_t queue, bool nothing_claimable) const;  // point 5
  // Pods that fit into the nominal quota of the flavor; and those of the demand that may want a place there: what does
  // not fit into another group of the queue is not asked for.
  std::int64_t pods_of(std::uint32_t q, const ResourceGroup& group, const FlavorQuotas& flavor) const;
  // What a pod of its demand asks for of a resource.
  std::int64_t asked(std::uint32_t q, std::uint32_t resource) const;
  std::int64_t pods_wanted(std::uint32_t queue, const ResourceGroup& group, const FlavorQuotas& flavor) const;
  // Whatever others do, there is enough of it for all that the queue asks for; false where that is not known.
  bool always_has(std::uint32_t queue, const ResourceGroup& group, const FlavorQuotas& flavor,
                  std::uint32_t resource) const;
  bool all_fit_the_first(std::uint32_t queue, const ResourceGroup& group) const;
  bool loses_its_place(std::uint32_t queue, const ResourceGroup& group) const;
  bool is_taken_before(std::uint32_t queue, Pair pair) const;
  bool is_kept_by_others(std::uint32_t queue, std::uint32_t flavor) const;
  bool borrowers_below(std::uint32_t queue) const;  // whoever may be above its nominal quota is below it in priority
  std::optional<std::uint32_t> borrower_not_below(std::uint32_t queue) const;  // the first one who is not
  std::string why_inactive(std::uint32_t queue) const;
  std::string why_not_below(std::uint32_t queue) const;
  bool enough_can_be_evicted(std::uint32_t queue) const;
  bool alone_in_its_cohorts(std::uint32_t queue) const;
  bool share_a_place(std::uint32_t queue, std::uint32_t other) const;

  // What a sibling that may not evict everybody is to a head of such a queue: reclaim_siblings.cpp.
  bool asks_for_pods(std::uint32_t sibling) const;
  bool asks_for_nothing(std::uint32_t sibling) const;
  bool goes_after(std::uint32_t sibling, std::uint32_t queue) const;
  bool priority_decides(std::uint32_t sibling, std::uint32_t queue) const;
  bool stopped_borrower_beside(std::uint32_t queue) const;
  bool evicts_or_goes_after(std::uint32_t sibling, std::uint32_t waiting) const;
  bool may_keep_beyond(std::uint32_t sibling, std::uint32_t queue) const;
  bool finds_room(std::uint32_t sibling, std::uint32_t waiting) const;
  std::int64_t may_keep(std::uint32_t sibling, Pair pair) const;
  bool keeps_nothing_of(std::uint32_t sibling, std::uint32_t queue) const;
  std::vector<Pair> scarce_beside(std::uint32_t queue, const std::vector<std::uint32_t>& siblings,
                                  std::optional<std::uint32_t> one = {}) const;
  bool is_enough_beside(std::uint32_t queue, const std::vector<std::uint32_t>& siblings,
                        std::optional<std::uint32_t> one, Pair pair, std::int64_t needs) const;
  bool victims_come_first(std::uint32_t queue) const;
  bool comes_back_first(std::uint32_t other, std::uint32_t queue,
                        const std::set<std::pair<std::uint32_t, std::uint32_t>>& short_of) const;
  bool has_while_within(std::uint32_t queue, std::uint32_t other, Pair pair) const;
  bool stays_without(std::uint32_t sibling, std::uint32_t queue, bool alone) const;
  bool misses_at_most_a_unit(std::uint32_t sibling, std::uint32_t queue, Pair pair) const;
  bool has_beside(std::uint32_t queue, std::uint32_t waiting, Pair pair, std::int64_t needs) const;
  std::vector<Pair> lacks(std::uint32_t sibling, std::uint32_t waiting) const;
  bool evicts_others_on(std::uint32_t queue, std::uint32_t flavor) const;
  bool owns_pods_with(std::uint32_t queue, std::uint32_t flavor) const;
  bool not_below(std::uint32_t queue, std::uint32_t than) const;  // in priority, always
  std::vector<std::uint32_t> keepers(std::uint32_t queue) const;
  bool keeps_some_of(std::uint32_t sibling, std::uint32_t queue, const std::vector<Pair>& pairs) const;
  bool returns(std::uint32_t sibling, std::uint32_t queue, const std::vector<Pair>& scarce) const;
  bool others_evict_for_ever(std::uint32_t queue, bool several_keep) const;
  bool evicts_for_ever(std::uint32_t queue) const;
  bool holds_of_others(std::uint32_t queue, std::uint32_t sibling, Pair pair) const;
  bool all_share_pods(kueue::Node root) const;
  bool has_its_own(std::uint32_t queue, Pair pair) const;
  bool is_limited(std::uint32_t queue, Pair pair) const;
  std::set<std::pair<std::uint32_t, std::uint32_t>> evicts_for(std::uint32_t queue) const;

  // What others leave to it of a pair at least; of the same pair the limits and bounds are worked out once.
  struct Worst {
    kueue::Limits limits;
    mutable std::optional<kueue::Bounds> bounds;
    mutable std::optional<kueue::Behaviour> assumed;
  };
  std::int64_t left_to(std::uint32_t queue, Pair pair) const;
  std::int64_t left_if(std::uint32_t queue, Pair pair, const kueue::Behaviour& behaviour) const;
  // The queues of its tree, in order.
  const std::vector<std::uint32_t>& tree_of(std::uint32_t queue) const { return queues_.at(root_of(queue)); }
  const kueue::Behaviour& assumed(Pair pair) const;
  const Worst& limits_of_pair(Pair pair) const;
  mutable std::map<std::pair<std::uint32_t, std::uint32_t>, Worst> worst_;
  mutable std::map<std::uint32_t, std::vector<std::uint32_t>> borrowed_;  // by queue
  mutable std::map<std::uint32_t, bool> evicts_for_ever_;
  mutable std::vector<std::optional<bool>> may_be_above_;                  // by queue
  mutable std::map<kueue::Node, std::vector<std::uint32_t>> by_priority_;  // by root: who may be above its quota
  mutable std::map<kueue::Node, bool> shared_pods_;                        // by root
  mutable std::map<std::tuple<kueue::Node, std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> holders_;

  mutable std::optional<Alike> alike_;
  mutable std::map<std::pair<std::uint32_t, std::vector<std::int64_t>>, std::optional<ReclaimFacts>> facts_;

  const Proof& proof_;
  const kueue::Shape& shape_;
  std::vector<kueue::Node> root_;                             // per queue
  std::map<kueue::Node, std::vector<std::uint32_t>> queues_;  // by root
  std::map<kueue::Node, std::vector<kueue::Node>> nodes_;     // by root: bottom up
  mutable kueue::Bounds walked_;                              // of left_if, of the tree that it was asked of last
  std::vector<std::vector<std::uint32_t>> flavors_;           // per queue: those that it lists, sorted
  mutable kueue::PodRoom pod_room_;
  std::vector<bool> pooled_;                   // per node: a cohort below a root whose subtree has quota
  std::vector<bool> physical_;                 // by flavor * resources + resource
  std::vector<std::vector<Quota>> least_;      // per queue and pair: least nominal, widest borrowing of all modes
  std::vector<bool> owns_;                     // per queue: nominal above 0 somewhere, in some mode
  std::vector<Kind> kind_;                     // per queue; kKinds: cannot matter
  std::vector<bool> stopped_borrower_;         // per queue
  std::set<std::string> stopped_at_the_door_;  // queues with a LocalQueue that is stopped
  std::map<std::pair<kueue::Node, std::uint32_t>, std::vector<std::uint32_t>> borrowers_of_pods_;  // by root and flavor
  std::vector<std::uint32_t> overriding_;                          // queues with a written reclaimWithinCohort
  std::map<std::pair<kueue::Node, std::uint32_t>, Count> counts_;  // by root and flavor
};

}  // namespace gpol
