// One question to a solver. The solver is created at the first question and not before (a Z3 context costs 10 ms and
// 17 MB). Limits are in solver steps, never seconds, and the seed is fixed: same input, same answer on every machine.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "checker/solver/terms.h"

namespace gpol {

struct SolverLimits {
  std::uint64_t steps = 20'000'000;  // Z3's rlimit for one question: some seconds of work
  std::uint32_t seed = 0;
  bool solve_all = false;  // asks_anew()
};

struct Answer {
  enum class Kind { Unsat, Sat, Unknown } kind = Kind::Unknown;
  std::vector<std::string> core;              // Unsat: names of the facts it needs, sorted
  std::map<std::string, std::int64_t> model;  // Sat: values of the free constants (booleans as 0 and 1)
  std::string why;                            // Unknown: the solver's own reason
  std::uint64_t steps = 0;                    // what it took, of SolverLimits::steps and of what it takes to ask
};

// Called after every question, with what was asked and what was answered: all that a solver is ever asked can be heard
// here, and nowhere else.
using SolverEar = std::function<void(const Formula&, const Answer&)>;

class Solver {
 public:
  explicit Solver(SolverLimits limits = {}, SolverEar ear = {});
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  Answer check(const Formula& formula);
  // The same within a search whose number of questions depends on the models that it is shown: not counted, so that the
  // same input gives the same report.
  Answer check_uncounted(const Formula& formula);
  // Nothing is taken from the table of questions that were answered when gpol was built (guards/answered.h): asked for,
  // or since somebody hears the questions.
  bool asks_anew() const { return limits_.solve_all || ear_ != nullptr; }
  std::uint64_t questions() const { return questions_; }
  // From here on a question that was asked before is answered from memory: for whoever proves nearly the same thing
  // again and again.
  void remember();

 private:
  struct Impl;
  Answer ask(const Formula& formula);
  const Answer& remembered(const Formula& formula);

  std::unique_ptr<Impl> impl_;
  SolverLimits limits_;
  SolverEar ear_;
  std::uint64_t questions_ = 0;
  std::optional<std::unordered_map<std::string, Answer>> memory_;  // by the formula's text
};

}  // namespace gpol
