// What was proven, or kept by a guard, and is not there any more although nobody dropped it by name. In: two sides.
// Out: in words: statements that are not made any more, guards that deny nothing, flavors whose nodes are others.
#pragma once

#include <vector>

#include "checker/diff/subjects.h"

namespace gpol {

std::vector<Removed> vanished_from(const DiffSide& before, const DiffSide& after, const Subjects& subjects);

}  // namespace gpol
