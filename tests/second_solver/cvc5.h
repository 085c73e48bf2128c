// cvc5 (https://cvc5.github.io), as a process.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/solver/solver.h"

namespace gpol::second {

// $GPOL_CVC5, or Debian's; nothing where it is not there.
std::optional<std::string> cvc5();

// `formulas` in one process, question after question. Whatever it says besides is no answer: std::runtime_error, with
// what it said. A question has so many steps, as cvc5's own counter has them; never seconds: every one of today ends
// far below.
inline constexpr unsigned long kSteps = 20'000'000;
std::vector<Answer::Kind> ask_cvc5(const std::string& program, const std::vector<Formula>& formulas);

}  // namespace gpol::second
