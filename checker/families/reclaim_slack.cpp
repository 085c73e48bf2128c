#include "checker/families/reclaim_slack.h"

#include <algorithm>

#include "checker/families/time.h"

namespace gpol {

bool ReclaimSlack::in_time(std::uint32_t queue, const Raise& raise) const {
  const QueueRole& role = proof_.intent.roles[queue];
  const ClockReading reading =
      read_clock(role, batch_times_.of_queue(queue), turns_.of(queue, raise), role.deadline.has_value());
  return reading.missing.empty() && meets(reading.clock, role);
}

std::optional<std::int64_t> ReclaimSlack::of(std::uint32_t queue, std::size_t i, Pair pair, const ReclaimFacts& facts,
                                             std::optional<std::int64_t> claim_slack) const {
  if (!gives_back(world_.facts_if_siblings_owned(queue, facts))) return 0;
  const std::optional<std::int64_t> spare = world_.spare(pair);
  ReclaimFacts claimed = facts;
  claimed.nothing_claimable = false;
  // It came back only because nobody can take it: then it is as far from breaking as the claim is.
  if (!gives_back(claimed)) return permitted_at(proof_.intent.roles[queue], i) == 0 ? claim_slack : 0;
  const std::int64_t reserve = reserve_at(proof_.intent.roles[queue], i);
  // Nobody can hold more of anybody's reserve than there are devices, so growth by so much is growth without bound.
  const std::int64_t most = spare.value_or(kueue::kUnlimited);
  if (!facts.timed || reserve == 0 || in_time(queue, {pair.flavor, pair.resource, most})) return spare;
  std::int64_t good = 0, bad = most;
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (in_time(queue, {pair.flavor, pair.resource, middle}) ? good : bad) = middle;
  }
  return good;
}

}  // namespace gpol
