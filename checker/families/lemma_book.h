// Formulas that are asked once, whatever the number of instances that use them. In: a solver and a formula with a
// stable key. Out: the answer.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "checker/families/families.h"

namespace gpol {

class LemmaBook {
 public:
  explicit LemmaBook(const Proof& proof) : solver_(proof.solver), dump_(proof.dump) {}

  // The solver's answer to the formula with this key; the formula is built only for the first asking.
  const Answer& ask(const std::string& key, const std::function<Formula()>& formula);

  // For a formula that is a lemma: true when proven; false when the solver ran out of steps, and why() then says so.
  // A lemma that the solver refutes is a mistake of this program: InternalError.
  bool holds(const std::string& key, const std::function<Formula()>& formula);
  const std::string& why() const { return why_; }

 private:
  Solver& solver_;
  std::vector<Formula>* dump_;
  std::map<std::string, Answer> known_;
  std::string why_;
};

}  // namespace gpol
