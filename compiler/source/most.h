// How many mistakes of one text are told. In: diagnostics. Out: GP0104 in the place of those beyond the limit: nobody
// reads more, and a hostile policy could make them without end.
#pragma once

#include <cstddef>
#include <vector>

#include "compiler/source/diagnostic.h"

namespace gpol {

inline constexpr std::size_t kMostMistakes = 200;

// What is said at the first mistake that is not shown.
Diagnostic too_many_mistakes(Diagnostic first_left_out);

// The first kMostMistakes of them, and where there are more the one above.
void leave_out_the_rest(std::vector<Diagnostic>& sorted);

}  // namespace gpol
