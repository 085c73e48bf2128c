// Our own small language of formulas between the checker and a solver: linear integer arithmetic with booleans, and
// names, of which nothing counts but which are the same (a solver is far quicker with them than with numbers).
// Built only through the functions below, which check sorts (a mistake there is an internal error, never a user's).
// Terms are immutable and shared. `smtlib` prints any Formula as SMT-LIB 2; z3_solver.cpp is the only file that turns
// terms into Z3's. Every quantity that a scheduler state can vary (usages, requests, priorities, victims) is a free
// constant of the formula.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gpol {

enum class Sort : std::uint8_t { Bool, Int, Name };
enum class Op : std::uint8_t {
  BoolConst,
  IntConst,
  NameConst,
  Symbol,
  Not,
  And,
  Or,
  Implies,
  Equal,
  LessEqual,
  Less,
  Add,
  Subtract,
  Multiply,
  Ite
};

struct TermNode;
using Term = std::shared_ptr<const TermNode>;
struct TermNode {
  Op op;
  Sort sort;
  std::int64_t value = 0;  // BoolConst, IntConst; NameConst: which one
  std::string name;        // Symbol
  std::vector<Term> args;
};

Term boolean(bool value);
Term integer(std::int64_t value);
Term bool_symbol(std::string name);
Term int_symbol(std::string name);
// Another one for each number, 0 to kOtherNames - 1. In a model a symbol that is none of a formula's constants has a
// number from kOtherNames on.
constexpr std::int64_t kOtherNames = std::int64_t{1} << 32U;
Term name_constant(std::int64_t which);
Term name_symbol(std::string name);
Term operator!(Term a);
Term all_of(std::vector<Term> terms);  // empty: true
Term any_of(std::vector<Term> terms);  // empty: false
Term operator&&(Term a, Term b);
Term operator||(Term a, Term b);
Term implies(Term a, Term b);
Term equal(Term a, Term b);
Term operator<=(Term a, Term b);
Term operator<(Term a, Term b);
Term operator>=(Term a, Term b);
Term operator>(Term a, Term b);
Term operator+(Term a, Term b);
Term operator-(Term a, Term b);
Term operator*(std::int64_t factor, Term a);
Term ite(Term condition, Term then, Term otherwise);
Term max(Term a, Term b);
Term min(Term a, Term b);

// The property holds if and only if facts and the negation of the goal cannot be true together.
struct Formula {
  std::string name;      // "claim/leaf-spill"
  std::string sentence;  // what its unsatisfiability means, one sentence
  struct Fact {
    std::string name;  // names an assumption in an unsat core: "reclaim-any"
    Term term;
  };
  std::vector<Fact> facts;
  Term negated_goal;
};

// The free constants of a formula, each once, sorted by name. A name used with two sorts is an internal error.
std::vector<Term> symbols_of(const Formula& formula);

// The value of a term where every free constant has one (booleans as 0 and 1, names as their numbers). It is how a
// model that a solver returns, and a side condition checked by arithmetic, are compared with the formula itself. Throws
// std::logic_error for a constant without a value and std::out_of_range for a sum outside 64 bits.
std::int64_t evaluate(const Term& term, const std::map<std::string, std::int64_t>& values);
// Whether facts and negated goal are all true then; a sum outside 64 bits shows nothing.
bool satisfies(const Formula& formula, const std::map<std::string, std::int64_t>& values);

// SMT-LIB 2 text: declarations, named assertions, check-sat. Deterministic. `(set-info :status unsat)` is not written.
std::string smtlib(const Formula& formula);
// Many in one text, each between push and pop.
std::string smtlib(const std::vector<Formula>& formulas);

}  // namespace gpol
