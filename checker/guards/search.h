// Which policies keep bad requests of one target away: as few as can be.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/guards/reach.h"

namespace gpol {

// The policies in order, those first that are nearest to `bad` by what both speak of: a word that few of them have says
// more.
std::vector<const PreparedPolicy*> nearest_first(std::vector<const PreparedPolicy*> policies, const cel::ExprPtr& bad);

// The names of those of `kin`, sorted, that together deny all that is bad and of which none can be left out (one is
// always named); nothing where none were found, though all together may deny it. They do not depend on which requests
// the solver happens to show: they are what is left of all after each was taken away, the last first, that is not
// needed. `kin`: those that are certain to deny what they deny, in the order in which they are to be tried.
std::optional<std::vector<std::string>> find_deniers(const Cluster& cluster, std::vector<const PreparedPolicy*> kin,
                                                     const AdmissionTarget& target, const cel::ExprPtr& bad,
                                                     Solver& solver);

}  // namespace gpol
