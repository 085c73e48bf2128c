// Queues that were read before and are not read after, though they are still there: in another bundle, in a file or
// directory that is passed over, outside of the PATHs, in a submodule or as a pointer of git-lfs. What they take nobody
// looks at then. In: both sides of one bundle, the after side's other bundles and its files. Out: one line for each.
#pragma once

#include <vector>

#include "checker/diff/compare.h"
#include "cli/commands/diff_sides.h"
#include "cli/render/run_report.h"

namespace gpol {

std::vector<Removed> unread_queues(const PolicyReport& before, const PolicyReport& after, const RunReport& all_after,
                                   const DiffSources& sources);
// Queues of a bundle that is new which another bundle had before and has still: which of the two is applied?
std::vector<Removed> declared_twice(const PolicyReport& fresh, const RunReport& before, const RunReport& after);

}  // namespace gpol
