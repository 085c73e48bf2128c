// One question about guards: whether some policies, and no others, keep bad requests of one target away.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "checker/guards/reach.h"
#include "checker/guards/symbolic.h"

namespace gpol {

// `bad`: true of what must not get in. `plan`: which parts of a request are looked at; grows, and saves questions about
// the same target the rounds that find it out. Out: Denied, without names; Admitted, with a request that the formula
// lets in, which was not replayed; Unknown. `counted`: among the solver's questions.
Reach reach_past(const Cluster& cluster, const std::vector<const PreparedPolicy*>& policies,
                 const AdmissionTarget& target, const cel::ExprPtr& bad, Solver& solver,
                 std::map<std::string, symbolic::PathPlan>& plan, bool counted = true);

}  // namespace gpol
