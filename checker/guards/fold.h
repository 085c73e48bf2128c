// Terms with what is constant in them worked out at once.
#pragma once

#include "checker/solver/terms.h"

namespace gpol::symbolic {

inline bool is_true(const Term& term) { return term->op == Op::BoolConst && term->value != 0; }
inline bool is_false(const Term& term) { return term->op == Op::BoolConst && term->value == 0; }

inline Term negated(const Term& a) {
  if (a->op == Op::BoolConst) return boolean(a->value == 0);
  return a->op == Op::Not ? a->args[0] : !a;
}
// Of conjunctions and disjunctions the parts, each once: what a path of fields asks for again and again is said once.
Term joined(Op op, const Term& a, const Term& b);
inline Term both_of(const Term& a, const Term& b) {
  if (is_false(a) || is_true(b)) return a;
  if (is_false(b) || is_true(a)) return b;
  return joined(Op::And, a, b);
}
inline Term either_of(const Term& a, const Term& b) {
  if (is_true(a) || is_false(b)) return a;
  if (is_true(b) || is_false(a)) return b;
  return joined(Op::Or, a, b);
}
inline Term same_number(const Term& a, const Term& b) {
  if (a == b || (a->op == Op::Symbol && b->op == Op::Symbol && a->name == b->name)) return boolean(true);
  if (a->op == Op::IntConst && b->op == Op::IntConst) return boolean(a->value == b->value);
  return equal(a, b);
}
inline Term same_truth(const Term& a, const Term& b) {
  if (a->op == Op::BoolConst) return a->value != 0 ? b : negated(b);
  if (b->op == Op::BoolConst) return b->value != 0 ? a : negated(a);
  return a == b ? boolean(true) : equal(a, b);
}
inline Term below(const Term& a, const Term& b) {
  if (a->op == Op::IntConst && b->op == Op::IntConst) return boolean(a->value < b->value);
  return a < b;
}

}  // namespace gpol::symbolic
