// In which order fair sharing looks at the heads of a cycle (pkg/scheduler/fair_sharing_iterator.go at v0.19.2): at
// every cohort, from the leaves up, the child wins whose subtree would borrow nothing of what its head asks for, then
// the one with the lower share, each with its head admitted; then higher priority, then age. Where the gate says so
// whoever awaits its victims goes before all of that. In: the snapshot as the
// heads before left it, and the heads that are left, one per queue. Out: the index of the next one; the snapshot is as
// before. Trees do not influence each other: the tree of the first head goes first.
#pragma once

#include <cstddef>
#include <span>

#include "checker/kueue/ledger.h"

namespace gpol::kueue {

struct Contender {
  Node queue = 0;
  Amounts usage;
  std::int64_t priority = 0;
  std::uint64_t queued = 0;  // Ledger::queue_time
  bool preemptor = false;    // awaits its victims
};

// Requires that there is one.
std::size_t win_tournament(Ledger& snapshot, std::span<const Contender> contenders);

}  // namespace gpol::kueue
