// What of a cluster could be changed so that a reserve is safe. In: an observed cluster, a queue whose claim or reclaim
// is not proven. Out: the fewest changes after which it is: found among the few that can matter, each tried by proving
// the tree that the queue is in again. A change that breaks another promise is none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checker/families/families.h"

namespace gpol {

// One field of one ClusterQueue.
struct Change {
  enum class Field : std::uint8_t {
    LendingLimit,    // to 0, of one pair
    BorrowingLimit,  // to 0, of one pair
    ReclaimWithinCohort,
    QueueingStrategy,
    StopPolicy,
    WhenCanPreempt
  } field = Field::LendingLimit;
  std::uint32_t queue = 0;  // into Cluster::queues
  std::size_t pair = 0;     // of a limit: in order of groups, flavors, resources
  std::string_view word;    // of the others: what it is set to
  friend bool operator==(const Change&, const Change&) = default;
};

void apply(const Change& change, Cluster& cluster);

// Of the claim of these pairs of a queue: a limit for each, in their order; behind them what keeps it from waiting for
// heads that reserve.
std::vector<Change> repair_claim(const Proof& proof, std::uint32_t queue, const std::vector<std::size_t>& pairs);
// Of class A that nobody can hold and that waits all the same (families.h judge_waits).
std::vector<Change> repair_waits(const Proof& proof, std::uint32_t queue);
// Of its reclaim; nothing where none was found, or none is needed.
std::vector<Change> repair_reclaim_of(const Proof& proof, std::uint32_t queue);

// Whether a queue that is stopped can go on, and what is promised of the tree that it is in still holds.
bool may_go_on(const Proof& proof, std::uint32_t queue);

}  // namespace gpol
