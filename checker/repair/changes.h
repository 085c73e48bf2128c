// What of a cluster could be changed so that a reserve is safe. In: an observed cluster, a queue whose claim or reclaim
// is not proven, or that waits or admits nothing. Out: the fewest changes after which it is: found among the few that
// can matter, each tried by proving the tree that the queue is in again. A change that breaks another promise is none.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "checker/families/families.h"

namespace gpol {

struct Tried;  // attempts.h

// One field of one ClusterQueue, LocalQueue or WorkloadPriorityClass.
struct Change {
  enum class Field : std::uint8_t {
    LendingLimit,    // to an amount, of one pair
    BorrowingLimit,  // likewise
    NominalQuota,    // likewise
    ReclaimWithinCohort,
    QueueingStrategy,
    StopPolicy,
    DoorStopPolicy,  // of a LocalQueue
    WhenCanPreempt,
    NamespaceSelector,  // that lets in these namespaces
    RoleLabel           // of a WorkloadPriorityClass: who uses its value, and no other
  } field = Field::LendingLimit;
  std::uint32_t queue = 0;  // into Cluster::queues; of a door into Cluster::local_queues, of a
                            // label into Cluster::priority_classes
  std::size_t pair = 0;     // of an amount: in order of groups, flavors, resources
  std::string_view word;    // of the others: what it is set to
  std::int64_t amount = 0;
  std::set<std::string> namespaces = {};
  friend bool operator==(const Change&, const Change&) = default;
};

inline bool of_queue(const Change& change) {
  return change.field != Change::Field::DoorStopPolicy && change.field != Change::Field::RoleLabel;
}
void apply(const Change& change, Cluster& cluster);

// What mends one finding; empty where nothing was found.
struct Remedy {
  std::vector<Change> changes;
  bool alone = false;  // not beside the repairs found before it
  bool whole = false;  // only all at once
};

// One repair after another: each mends what it is for by itself and, where there is one that does, also beside all that
// were found before it.
class Repairs {
 public:
  explicit Repairs(const Proof& proof);
  // Of another cluster; what may be spent on them is the same.
  Repairs of(const Proof& proof) const;

  // Of the claim of these pairs of a queue: a limit for each, in their order; behind them what keeps it from waiting.
  Remedy of_claim(std::uint32_t queue, const std::vector<std::size_t>& pairs);
  // Of class A that nobody can hold and that waits all the same (families.h judge_waits).
  Remedy of_waits(std::uint32_t queue);
  // Of so many findings no edit was tried: their trees are large, and what may be looked at is spent.
  std::int64_t not_tried() const;
  // Of its reclaim; nothing where none was found, or none is needed.
  Remedy of_reclaim(std::uint32_t queue);
  // Of a queue that is stopped, or whose every LocalQueue is, or that lets no namespace in: it admits again.
  Remedy of_closed(std::uint32_t queue);
  // Of quotas beyond the devices: what is too much is taken off the one queue without a promise that has most of it,
  // and off what that one lends. Nothing where none has enough: whose is to be lowered is for people to say.
  Remedy of_capacity(std::uint32_t flavor, std::uint32_t resource);

 private:
  Repairs(const Proof& proof, std::shared_ptr<Tried> tried) : proof_(proof), tried_(std::move(tried)) {}
  Remedy found(Remedy remedy);
  bool too_much(std::uint32_t queue) const;
  bool nothing_unblocks(std::uint32_t queue) const;
  std::vector<Change> within_devices() const;
  Remedy reclaim_of_tree(std::uint32_t queue) const;

  const Proof& proof_;
  std::shared_ptr<Tried> tried_;
  std::vector<Change> found_;
};

}  // namespace gpol
