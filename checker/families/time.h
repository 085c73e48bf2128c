// The clock of class B: every term between the moment serving asks and the moment it is warm (docs/promise.md).
//   back  = fitting x round + W x (2 x round + release) + gone + others
//   ready = back + schedule + image + weights + load + warm
// A round is the longest time from the moment a workload is pending, or quota is released, until the scheduler has
// decided on it; it decides on one workload of a queue at a time. `fitting`: the workloads of the demand that need no
// victims, each decided on in a round. W (turns.h): those that may need victims, one after another: a round to evict,
// the release of their quota, a round to be admitted.
// Where every class C runs Jobs only, a victim's quota is released within the controller's reaction, while its pods
// still end; where Pods only, when they are gone: grace and kill margin; else within the longer of the two. From the
// last release until the last victim's pods are gone passes at most grace and kill margin again: with mixed kinds the
// last victim may be a Job, whose pods end after its quota is free, and an earlier one a Pod, which frees its quota
// only at its end. So the worst of both kinds is taken for each term, which no mix can pass. Where every class C runs
// Pods only, no quota is free before the grace is over (kueue.md N12), so that after the last release no more than the
// kill margin passes. Where nothing can be held, nobody waits for victims: W is 0. Even then pods of batch may still
// end on the nodes of the pool, if it may use them: their quota was free before they were. So it is with the pods of
// other tenants that serve there, which are no victims: `others` is the longest of their graces and kill margins. In:
// W, times of batch and of the tenant. Out: the terms, their sums, or the constants that are missing.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "checker/families/turns.h"
#include "checker/solver/terms.h"
#include "checker/story/stories.h"
#include "compiler/cluster/intent.h"

namespace gpol {

struct Clock {
  std::int64_t fitting = 0;  // workloads of the demand that need no victims
  std::int64_t in_turn = 0;  // W
  TimeConstant round, release, grace, kill_margin;
  bool released_when_gone = false;  // release is grace and kill margin: Pods only
  bool mixed = false;               // release is the longer of a Job's and of a Pod's
  bool pods_only = false;           // quota is released once the grace is over: only the kill margin is left then
  bool beside_batch = false;        // batch pods may still end on the same nodes (turns.h)
  bool beside_serving = false;      // pods of other tenants that serve may, too
  TimeConstant serving_ends;        // within so long
  TimeConstant schedule, image, weights, load, warm;

  // All saturate: more than any limit that can be stated.
  Millis gone() const;
  Millis back() const;
  Millis ready() const;
};

// Whether the clock keeps what the role states: its deadline and the return of its loans, each where there is one.
bool meets(const Clock& clock, const QueueRole& role);

struct MissingTerm {
  std::string what;  // "the longest scheduling round"
  std::string add;   // what to write where
  Span at;           // near where; may be unknown
};
// "the kill margin of batch and the start term `load` are not declared"
std::string missing_in_words(std::span<const MissingTerm> missing);
std::string add_in_words(std::span<const MissingTerm> missing);  // what to write, each edit once

struct ClockReading {
  Clock clock;
  std::vector<MissingTerm> missing;  // all of them at once; empty: every needed term is there
};
// `needs_start`: the tenant's own start-up matters (a deadline); false where only a loan's return does.
ClockReading read_clock(const QueueRole& role, const BatchTimes& batch, const Turns& turns, bool needs_start);

// "back in 1min 25s = 1 x round 5s + 1 x (2 x round 5s + release 5s) + grace 1min + kill margin 5s"
std::string back_in_words(const Clock& clock);

// "ready in 3min 15s = 1min 25s + start-up 1min 50s"
std::string ready_in_words(const Clock& clock);

// The same terms one after another, for a story in which `fitting` workloads fit and `in_turn` need victims.
std::vector<TimeTerm> story_terms(const Clock& clock, std::int64_t fitting, std::int64_t in_turn);

// That durations within their bounds never sum up to more than the limit, where the bounds do not (its side condition).
// Durations, bounds and limit are free, so one answer serves every clock with these terms; in the clock's own figures
// the side condition is met if and only if the sum of its terms is at most the limit. `whole` includes the start-up.
struct TimeLemma {
  Formula formula;
  std::map<std::string, std::int64_t> figures;

  bool met() const;
};
TimeLemma time_lemma(const Clock& clock, Millis limit, bool whole);

}  // namespace gpol
