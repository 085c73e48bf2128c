// What a change of windows means on the clock: hours a week in which others can take more or less of a reserve, or in
// which an SLO of a tenant is another. In: both sides of a policy. Out: in words; what the worst of all windows tells
// is left to the table. Windows are known by their hours, never by their names.
#pragma once

#include <string>
#include <vector>

#include "checker/diff/compare.h"
#include "compiler/policy/policy.h"

namespace gpol {

struct PolicySide {
  const Policy& policy;
  const Planned& planned;
};

std::vector<Removed> compare_hours(const PolicySide& before, const PolicySide& after);
// The windows of one name whose text is another.
std::vector<std::string> window_changes(const Policy& before, const Policy& after);

}  // namespace gpol
