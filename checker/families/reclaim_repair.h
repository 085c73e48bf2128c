// Which policy lines a fact of reclaim rests on, and the smallest edit that restores a proof. In: facts that do not
// suffice. Out: the code, the place and the text of the edit.
#pragma once

#include <string_view>
#include <vector>

#include "checker/families/reclaim_facts.h"
#include "checker/families/time.h"

namespace gpol {

struct Repair {
  Code code = Code::ReclaimNever;
  Span at;
  Fix fix;
};
// Requires !gives_back(facts).
Repair repair_reclaim(const Proof& proof, const ReclaimWorld& world, std::uint32_t queue, const ReclaimFacts& facts);
Fix repair_late(const Clock& clock, Millis limit, bool whole);

// `fact`: a name in the unsat core of reclaim_formula.
std::vector<Span> lines_of_fact(const Proof& proof, const ReclaimWorld& world, std::uint32_t queue,
                                std::string_view fact);

}  // namespace gpol
