// What was dropped or narrowed beside figures. In: two sides. Out: in words, roles and classes, deadlines, queues that
// are called bounded, premises that a guard kept and somebody's word keeps now, trusts that were added.
#pragma once

#include <vector>

#include "checker/diff/subjects.h"

namespace gpol {

std::vector<Removed> removed_from(const DiffSide& before, const DiffSide& after, const Subjects& subjects);

// What was proven, or kept by a guard, and is not there any more although nobody dropped it by name: statements that
// are not made any more, guards that deny nothing, flavors whose nodes are others.
std::vector<Removed> vanished_from(const DiffSide& before, const DiffSide& after, const Subjects& subjects);

}  // namespace gpol
