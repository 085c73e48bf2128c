// What the solver was asked, each distinct question once. Two questions are one when they are equal after their
// constants and facts are renamed in the order in which they occur. Fed by a Solver's ear, so nothing is here that was
// not asked, and nothing was asked that is not here.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "checker/solver/solver.h"

namespace gpol::second {

class Questions {
 public:
  void add(const Formula& formula, const Answer& answer);
  SolverEar ear() {
    return [this](const Formula& formula, const Answer& answer) { add(formula, answer); };
  }

  std::size_t asked() const { return asked_; }
  // In the order in which they were first asked.
  const std::vector<Formula>& distinct() const { return distinct_; }
  const std::vector<Answer::Kind>& answers() const { return answers_; }
  // Questions that were asked again and then answered otherwise; never, if answers are to be trusted.
  const std::vector<std::string>& fickle() const { return fickle_; }

 private:
  std::size_t asked_ = 0;
  std::map<std::string, std::size_t> known_;  // canonical text: place
  std::vector<Formula> distinct_;
  std::vector<Answer::Kind> answers_;
  std::vector<std::string> fickle_;
};

}  // namespace gpol::second
