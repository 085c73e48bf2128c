// Which policy lines a fact of reclaim rests on, and the smallest edit that restores a proof. In: facts that do not
// suffice. Out: the code, the place and the text of the edit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checker/families/codes.h"
#include "checker/families/reclaim_facts.h"
#include "checker/families/time.h"

namespace gpol {

struct Repair {
  Code code = code::ReclaimNever;
  Span at;
  Fix fix;
};
// Requires !gives_back(facts). Code and place are those of the first cause; the edits undo every cause that the policy
// wrote itself.
Repair repair_reclaim(const Proof& proof, const ReclaimWorld& world, std::uint32_t queue, const ReclaimFacts& facts);
// Requires that the clock passes the limit. The edit allows what it takes, wherever a tighter limit is stated.
Fix repair_late(const QueueRole& role, const BatchTimes& batch, const Clock& clock, Millis limit, bool whole);

// What else is to be said once its time is known: premises that no proof of a deadline does without and nobody accepts
// yet. Empty: there are none. Better said now than one after another.
std::string trusts_to_come(const Intent& intent, const Clock& clock);

// `fact`: a name in the unsat core of reclaim_formula.
std::vector<Span> lines_of_fact(const Proof& proof, const ReclaimWorld& world, std::uint32_t queue,
                                std::string_view fact);

}  // namespace gpol
