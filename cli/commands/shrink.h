// A smallest set of clauses that something rests on. In: clauses in which blocks come before what is in them, and
// whether it holds without some of them. Out: the clauses that are left out. Without all of them it holds, and without
// any other clause as well (a block with all that is in it) it does not.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "compiler/lint/clauses.h"

namespace gpol {

using Holds = std::function<bool(const std::vector<bool>& out)>;

std::vector<bool> superfluous_clauses(std::span<const Clause> clauses, const Holds& holds);

}  // namespace gpol
