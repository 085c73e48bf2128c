// The clock of a tenant outside the queue that preempts (checker/nodes/preemption.h has the rules it rests on).
//   back  = rounds x (W x schedule + grace + kill margin)
//   ready = back + schedule + image + weights + load + warm
// W: the replicas of the demand, of all tenants that preempt. kube-scheduler decides on one pod at a time, and each of
// them may need victims; it does not wait for the victims of one before it decides on the next, so that all of them end
// in the same grace.
// Rounds: pods that end already when it asks do not hold a replica to its node, so that it may be sent to another one
// once they are gone (one grace); the victims of that one it waits for (another); and every node that is lost meanwhile
// may be the one that is kept for it (one more each).
// In: the tenant, its pool, batch. Out: the terms and their sums, or the constants that are missing.
#pragma once

#include <string>
#include <vector>

#include "checker/families/time.h"
#include "checker/solver/terms.h"
#include "checker/story/stories.h"
#include "compiler/cluster/intent.h"

namespace gpol {

struct OutsideClock {
  std::int64_t replicas = 0, rounds = 0;
  TimeConstant schedule, image, weights, load, warm, grace, kill_margin;
  std::vector<MissingTerm> missing;  // all of them at once; empty: all are there

  Millis back() const;  // they saturate
  Millis ready() const;
  std::string back_in_words() const;
  // Unsatisfiable if and only if no durations within the constants add up to more than `limit`: they are unknown.
  Formula formula(Millis limit) const;
  // The terms of a story in which nothing is lost and nothing ends already: `attempts` replicas ask, one after another.
  std::vector<TimeTerm> told(std::int64_t attempts) const;
};

OutsideClock read_clock(const OutsideReserve& tenant, const BatchTimes& batch, std::int64_t replicas,
                        std::int64_t lost);

}  // namespace gpol
