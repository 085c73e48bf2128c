// The labels of gpol.dev/ by which somebody says who serves. In: an object. Out: each, with its place.
#pragma once

#include <string>
#include <vector>

#include "checker/observe/existing.h"
#include "checker/observe/problems.h"

namespace gpol::manifest {

void note_role_labels(const Node& object, const std::string& kind, const Place& place, std::vector<RoleLabel>& labels);

}  // namespace gpol::manifest
