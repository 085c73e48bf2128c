// Whether guards among observed manifests keep strangers from giving a namespace the labels that a queue asks for. In:
// a selector that rests on such labels. Out: the policies that do, by meaning. Whom a guard names (a user or group in
// an expression that looks at request.userInfo) is meant to set them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/solver/solver.h"
#include "compiler/cluster/cluster.h"

namespace gpol {

// Nothing where a stranger can, or where it is not known.
std::optional<std::vector<std::string>> guards_of_labels(const Cluster& cluster, const Selector& selector,
                                                         Solver& solver);

}  // namespace gpol
