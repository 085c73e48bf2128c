// What was dropped or narrowed beside figures. In: two sides. Out: in words, roles and classes, deadlines, queues that
// are called bounded, premises that a guard kept and somebody's word keeps now, trusts that were added.
#pragma once

#include <vector>

#include "checker/diff/subjects.h"

namespace gpol {

std::vector<Removed> removed_from(const DiffSide& before, const DiffSide& after, const Subjects& subjects);

}  // namespace gpol
