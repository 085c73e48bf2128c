// What others can hold while each set of windows of a policy is in force. In: both sides of a policy. Out: a line for
// each tenant that serves, pool and device whose figure differs in some window and not in the worst of all; windows
// whose figures are the same are not told. A window that one side lacks is compared with that side's figure outside of
// all.
#pragma once

#include <string>
#include <vector>

#include "compiler/cluster/intent.h"

namespace gpol {

std::vector<std::string> window_changes(const Planned& before, const Planned& after);

}  // namespace gpol
