// Queues that were read before and are not read after, though they are still there: in another bundle, in a file or
// directory that is passed over, outside of the PATHs, in a submodule or as a pointer of git-lfs. What they take nobody
// looks at then. In: both sides of one bundle, the after side's other bundles and its files. Out: one line for each.
#pragma once

#include <vector>

#include "checker/diff/compare.h"
#include "cli/commands/diff_sides.h"
#include "cli/commands/verify.h"
#include "cli/render/run_report.h"

namespace gpol {

std::vector<Removed> unread_queues(const PolicyReport& before, const PolicyReport& after, const RunReport& all_after,
                                   const DiffSources& sources);
// Files that differ, that the side after did not read (or that are gone, and the side before did not), and that name
// something on which a verdict rests.
std::vector<Removed> not_compared(const Verified& before, const Verified& after, const DiffSources& sources);

// Queues of a bundle that is new which another bundle had before and has still: which of the two is applied?
std::vector<Removed> declared_twice(const PolicyReport& fresh, const RunReport& before, const RunReport& after);

}  // namespace gpol
