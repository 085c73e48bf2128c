// What batch may do against a verdict. In: a cluster with its intent and dice. Out: a history that ends with the
// verdict itself as an event (Op::Kind::Expect, Available), which the judge checks in the real code.
//
// An attack on reclaim: others fill the cluster as admission lets them, work of theirs goes on pending, then every
// serving queue asks its whole demand at once, and what is evicted asks again at once. Evictions end, sooner or later.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "checker/report/report.h"
#include "checker/story/replay.h"
#include "compiler/cluster/intent.h"
#include "tests/conformance/differential/history.h"
#include "tests/support/random_tree.h"

namespace gpol::verdicts {

using differential::History;
using differential::Op;

struct Attack {
  History history;                                         // ends when nothing moves any more, or after many cycles
  std::map<std::uint32_t, std::vector<std::size_t>> asks;  // by serving queue: its demand, as workloads of the history
  std::set<std::uint32_t> met;                             // serving queues whose whole demand is admitted at the end
};

// Plays it in the model as it is made. `seed`: another one, another attack.
Attack random_attack(const Cluster& cluster, const Intent& intent, std::uint64_t seed);

// Others act, one cycle after another, and what they evict for each other ends late or not at all; nobody asks for
// serving.
History late_history(const Cluster& cluster, const Intent& intent, std::uint64_t seed);

// Others hold the most that they can of the owner's (flavor, resource); then it could have so much of it, or at least.
// Nothing where they cannot be admitted, for want of pods.
std::optional<History> holding_history(const Stage& stage, const Intent& intent, std::uint32_t owner,
                                       std::uint32_t flavor, std::uint32_t resource, std::int64_t left, bool or_more);

// A story's script as a history, with what is said of its end: not all its asks are admitted.
History history_of(const Cluster& cluster, const Script& script, std::uint32_t queue);

}  // namespace gpol::verdicts
