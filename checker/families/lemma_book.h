// Formulas that are asked once, whatever the number of instances that use them. In: a solver and a formula with a
// stable key. Out: whether it holds. A lemma that the solver refutes is a mistake of this program: InternalError.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "checker/families/families.h"

namespace gpol {

class LemmaBook {
 public:
  explicit LemmaBook(const Proof& proof) : solver_(proof.solver), dump_(proof.dump) {}

  // True when proven; false when the solver ran out of steps, and why() then says so.
  bool holds(const std::string& key, const std::function<Formula()>& formula);
  const std::string& why() const { return why_; }

 private:
  Solver& solver_;
  std::vector<Formula>* dump_;
  std::map<std::string, bool> known_;
  std::string why_;
};

}  // namespace gpol
