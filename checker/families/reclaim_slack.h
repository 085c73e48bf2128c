// How far the return of a reserve is from breaking: by how many units others' quotas and limits of one (flavor,
// resource) may grow before it does. Growth lets others hold more of what is lent (never more than the lending limit),
// which can make more replicas wait for victims; growing quotas eat the spare devices; and a sibling that is harmless
// only because it owns nothing stops being so with its first unit. In: what the reclaim family knows of a proven queue.
// Out: units of the resource; nothing where the pool's nodes are not known, which bounds it by nothing.
#pragma once

#include <cstdint>
#include <optional>

#include "checker/families/batch_times.h"
#include "checker/families/reclaim_facts.h"
#include "checker/families/turns.h"

namespace gpol {

class ReclaimSlack {
 public:
  ReclaimSlack(const Proof& proof, const ReclaimWorld& world, const TurnTable& turns, const BatchCircles& batch_times)
      : proof_(proof), world_(world), turns_(turns), batch_times_(batch_times) {}

  // Of a proven queue whose reserve in `pair` (the i-th of its pairs) is not 0. `claim_slack`: how far its claim is
  // from passing what is permitted.
  std::optional<std::int64_t> of(std::uint32_t queue, std::size_t i, Pair pair, const ReclaimFacts& facts,
                                 std::optional<std::int64_t> claim_slack) const;

 private:
  bool in_time(std::uint32_t queue, const Raise& raise) const;

  const Proof& proof_;
  const ReclaimWorld& world_;
  const TurnTable& turns_;
  const BatchCircles& batch_times_;
};

}  // namespace gpol
