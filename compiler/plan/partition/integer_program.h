// A small integer programme, solved exactly. In: costs and constraints in whole numbers, none of a cost negative. Out:
// whole values of least cost, or that there are none, or that the limit in steps was reached, with the bounds known by
// then. By branch and bound over the dual simplex method with Gomory's cuts; all arithmetic is in whole numbers (the
// entries share one denominator), so that a bound is a proof, and the same question has the same answer everywhere.
#pragma once

#include <cstdint>
#include <vector>

namespace gpol {

struct IntegerConstraint {
  std::vector<std::int64_t> factors;  // by variable
  std::int64_t least = 0;             // the sum of factors times variables is at least this
};
struct IntegerProgram {
  std::vector<std::int64_t> costs;  // by variable; every variable is at least 0
  std::vector<IntegerConstraint> constraints;
  std::vector<std::int64_t> known;  // values that satisfy the constraints, of the caller; may be empty
};
struct IntegerSolution {
  enum class State : std::uint8_t { Optimal, None, Undecided } state = State::Undecided;
  std::vector<std::int64_t> values;  // of the least cost; Undecided: the best that was found, or empty
  std::int64_t cost = 0;             // theirs
  std::int64_t at_least = 0;         // no values cost less
  std::int64_t steps = 0;            // that were taken
};

// A step is one entry of the tableau that a pivot changes: some nanoseconds.
IntegerSolution solved(const IntegerProgram& program, std::int64_t most_steps);

}  // namespace gpol
