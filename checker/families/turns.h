// How often serving waits for victims: the W of the clock (time.h).
// A workload of the demand fits at once as long as the queue's usage with it stays within what nobody can hold of the
// reserve; of n replicas within the reserve, those beyond that each may need victims of their own (batch refills in
// between). And what is evicted for one serving workload may be taken by another that is looked at first: two heads of
// two queues choose the same victims, the later one starts anew once they are gone (pkg/scheduler: overlapping targets
// are skipped, already evicted ones are chosen first). Every serving workload of the tree that needs victims can do
// that once, so they all count. A batch queue that owns quota and lends it could do it any number of times, by asking
// for its own back, unless it is looked at later: then the premise priorities-pinned is needed.
// In: cluster, intent, and per queue and pair what others can hold (the claim family's figures).
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "checker/families/pairs.h"
#include "checker/families/replicas.h"
#include "checker/kueue/forest.h"

namespace gpol {

struct Turns {
  std::int64_t replicas = 0;  // n: of the demand of this queue
  std::int64_t own = 0;       // of these, those that may need victims
  std::int64_t all = 0;       // with those of the other serving queues of the tree on the same flavor
  // Those that need none, a round each: while one of another queue is admitted, victims may be evicted for this queue
  // that the other one's next workload then takes. So where this queue waits for victims, those of the others count.
  std::int64_t fitting = 0;
  std::string missing;  // "the shape of a replica of `search`": not known, so there is no bound
  // Batch may use the same nodes. Then its pods may hold devices for as long as they take to end, though their quota is
  // free already (a Job releases it once its pods terminate), also where no quota of this queue can be held.
  bool beside_batch = false;
  // Other tenants serve on the same nodes: how long their pods may take to end, though their quota is free.
  ServingEnds serving = {};
};

// Per queue: some queue that does not serve may use a flavor of its, by quota of its own or by borrowing, in some
// window.
std::vector<bool> beside_batch(const Proof& proof);
using Claimable = std::vector<std::vector<std::int64_t>>;  // per queue, per pair

// What the claim family proved that others can hold at most (all of it where it did not); its obligations stand in the
// report already, else they are worked out here. `ending`: the same while victims of others have not ended.
Claimable claimable_of(const Proof& proof, const Report& report, Claimable& ending);

class TurnTable {
 public:
  TurnTable(const Proof& proof, const kueue::Shape& shape, const Claimable& claimable);
  Turns of(std::uint32_t queue) const;
  // The other serving queues whose turns count for it, sorted; no more than a story can tell of.
  std::vector<std::uint32_t> others(std::uint32_t queue) const;

 private:
  struct Tree {
    std::int64_t turns = 0, fitting = 0;
    std::string missing;
  };
  // A pair of a serving queue's reserve, and how much one replica takes of it.
  struct Part {
    Pair pair;
    std::int64_t reserve = 0, claimable = 0, each = 0;
  };
  using Key = std::pair<kueue::Node, std::uint32_t>;  // root and flavor
  Turns own(std::uint32_t queue) const;
  const Tree& tree(const Key& key) const;

  const Proof& proof_;
  const std::vector<bool> beside_batch_;
  const std::vector<ServingEnds> serving_ends_;
  std::vector<std::vector<Part>> parts_;  // per queue; empty where it does not serve
  std::vector<std::vector<Key>> keys_;    // per queue
  std::map<Key, std::vector<std::uint32_t>> serving_;
  std::set<kueue::Node> across_flavors_;  // roots: one victim may hold what several serving queues want
  mutable std::map<Key, Tree> trees_;     // worked out when first needed
};

// Per queue: another serving queue of its tree that may borrow a flavor of its, in some window; nothing where there is
// none. What that one asks above its own reserve no proof speaks of, but it could hold what this one lends.
std::vector<std::optional<std::uint32_t>> serving_borrowers(const Proof& proof, const kueue::Shape& shape);

// Per queue: some batch queue of its tree owns quota of a flavor of its, and lends it.
std::vector<bool> lending_owners(const Proof& proof, const kueue::Shape& shape);

}  // namespace gpol
