// Formulas that are asked once, whatever the number of instances that use them. In: a solver and a formula with a
// stable key. Out: the answer. One that was proven before gpol was built (lemmas.table, which the test `answered` makes
// anew) is asked of no solver.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "checker/families/families.h"

namespace gpol {

struct ProvenFormula {
  std::string_view digest;  // of its SMT-LIB, digest_of()
  std::string_view core;    // the numbers of the facts that it needs, "0 2"
};
extern const std::span<const ProvenFormula> kProvenFormulas;  // sorted by digest
std::string digest_of(const Formula& formula);                // 32 hex digits
// The formula with a symbol in the place of each integer over 1 that is no factor, and the last fact that they are in
// this order. Where it is unsatisfiable the formula is, too, and every other one with integers in that order.
Formula in_general(const Formula& formula);

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
