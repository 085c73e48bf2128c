// The dominant resource share that fair sharing compares (pkg/cache/scheduler/fair_sharing.go at v0.19.2): of all
// resources the greatest ratio of what a node borrows of it, over all flavors, to what its parent could lend of it at
// most, divided by the node's weight. In: the snapshot of a cycle. Out: values; a root has none.
#pragma once

#include <vector>

#include "checker/kueue/ledger.h"

namespace gpol::kueue {

struct Share {
  double weight = 1;
  double ratio = 0;  // in thousandths, not weighted
  std::vector<FlavorResource> borrowed;
  bool borrowing() const { return !borrowed.empty(); }  // also where the ratio is 0: nothing could be lent
};

Share dominant_share(const Ledger& snapshot, Node node);

// Less than, equal to or greater than 0, as `a` is below, level with or above `b`: with weight 0 whoever borrows is
// above all others.
int compare(const Share& a, const Share& b);

bool borrows_on(const Share& share, const Amounts& requested);

}  // namespace gpol::kueue
