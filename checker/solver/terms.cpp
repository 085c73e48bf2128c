#include "checker/solver/terms.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <unordered_set>
#include <utility>

namespace gpol {
namespace {

[[noreturn]] void broken(const char* what) { throw std::logic_error(std::string("terms: ") + what); }

// Never `!term` here: on a Term that is negation.
void need(const Term& term, Sort sort) {
  if (term.get() == nullptr) broken("a term is missing");
  if (term->sort != sort) broken(sort == Sort::Bool ? "a boolean is needed" : "an integer is needed");
}

Term leaf(Op op, Sort sort, std::int64_t value, std::string name = {}) {
  return std::make_shared<const TermNode>(TermNode{op, sort, value, std::move(name), {}});
}

Term make(Op op, Sort sort, std::vector<Term> args) {
  return std::make_shared<const TermNode>(TermNode{op, sort, 0, {}, std::move(args)});
}

Term connective(Op op, std::vector<Term> terms) {
  for (const Term& term : terms) need(term, Sort::Bool);
  if (terms.empty()) return boolean(op == Op::And);
  return terms.size() == 1 ? terms.front() : make(op, Sort::Bool, std::move(terms));
}

Term of_integers(Op op, Sort sort, Term a, Term b) {
  need(a, Sort::Int);
  need(b, Sort::Int);
  return make(op, sort, {std::move(a), std::move(b)});
}
Term comparison(Op op, Term a, Term b) { return of_integers(op, Sort::Bool, std::move(a), std::move(b)); }
Term arithmetic(Op op, Term a, Term b) { return of_integers(op, Sort::Int, std::move(a), std::move(b)); }

void collect(const Term& term, std::map<std::string, Term>& found, std::unordered_set<const TermNode*>& seen) {
  if (!seen.insert(term.get()).second) return;
  if (term->op == Op::Symbol) {
    const auto [at, fresh] = found.emplace(term->name, term);
    if (!fresh && at->second->sort != term->sort) broken("one name has two sorts");
  }
  for (const Term& arg : term->args) collect(arg, found, seen);
}

// `value`: looked at once `overflow` has been found.
std::int64_t unless(bool overflow, const std::int64_t& value) {
  if (overflow) throw std::out_of_range("terms: a value leaves 64 bits");
  return value;
}

}  // namespace

Term boolean(bool value) {
  static const std::array<Term, 2> kBoth = {leaf(Op::BoolConst, Sort::Bool, 0), leaf(Op::BoolConst, Sort::Bool, 1)};
  return kBoth[value ? 1 : 0];
}
Term integer(std::int64_t value) { return leaf(Op::IntConst, Sort::Int, value); }
Term bool_symbol(std::string name) { return leaf(Op::Symbol, Sort::Bool, 0, std::move(name)); }
Term int_symbol(std::string name) { return leaf(Op::Symbol, Sort::Int, 0, std::move(name)); }

Term name_constant(std::int64_t which) { return leaf(Op::NameConst, Sort::Name, which); }
Term name_symbol(std::string name) { return leaf(Op::Symbol, Sort::Name, 0, std::move(name)); }

Term operator!(Term a) {
  need(a, Sort::Bool);
  return make(Op::Not, Sort::Bool, {std::move(a)});
}
Term all_of(std::vector<Term> terms) { return connective(Op::And, std::move(terms)); }
Term any_of(std::vector<Term> terms) { return connective(Op::Or, std::move(terms)); }
Term operator&&(Term a, Term b) { return all_of({std::move(a), std::move(b)}); }
Term operator||(Term a, Term b) { return any_of({std::move(a), std::move(b)}); }
Term implies(Term a, Term b) {
  need(a, Sort::Bool);
  need(b, Sort::Bool);
  return make(Op::Implies, Sort::Bool, {std::move(a), std::move(b)});
}
Term equal(Term a, Term b) {
  if (a.get() == nullptr || b.get() == nullptr) broken("a term is missing");
  need(b, a->sort);
  return make(Op::Equal, Sort::Bool, {std::move(a), std::move(b)});
}
Term operator<=(Term a, Term b) { return comparison(Op::LessEqual, std::move(a), std::move(b)); }
Term operator<(Term a, Term b) { return comparison(Op::Less, std::move(a), std::move(b)); }
Term operator>=(Term a, Term b) { return comparison(Op::LessEqual, std::move(b), std::move(a)); }
Term operator>(Term a, Term b) { return comparison(Op::Less, std::move(b), std::move(a)); }
Term operator+(Term a, Term b) { return arithmetic(Op::Add, std::move(a), std::move(b)); }
Term operator-(Term a, Term b) { return arithmetic(Op::Subtract, std::move(a), std::move(b)); }
Term operator*(std::int64_t factor, Term a) { return arithmetic(Op::Multiply, integer(factor), std::move(a)); }
Term ite(Term condition, Term then, Term otherwise) {
  need(condition, Sort::Bool);
  if (then.get() == nullptr) broken("a term is missing");
  const Sort sort = then->sort;
  need(otherwise, sort);
  return make(Op::Ite, sort, {std::move(condition), std::move(then), std::move(otherwise)});
}
Term max(Term a, Term b) { return ite(a >= b, a, b); }
Term min(Term a, Term b) { return ite(a <= b, a, b); }

std::vector<Term> symbols_of(const Formula& formula) {
  std::map<std::string, Term> found;
  std::unordered_set<const TermNode*> seen;
  for (const auto& fact : formula.facts) collect(fact.term, found, seen);
  collect(formula.negated_goal, found, seen);
  std::vector<Term> symbols;
  symbols.reserve(found.size());
  for (auto& [name, term] : found) symbols.push_back(std::move(term));
  return symbols;
}

std::int64_t evaluate(const Term& term, const std::map<std::string, std::int64_t>& values) {
  const auto arg = [&](std::size_t i) { return evaluate(term->args.at(i), values); };
  std::int64_t result = 0;
  switch (term->op) {
    case Op::BoolConst:
    case Op::IntConst:
    case Op::NameConst:
      return term->value;
    case Op::Symbol: {
      const auto found = values.find(term->name);
      if (found == values.end()) broken("a constant has no value");
      return found->second;
    }
    case Op::Not:
      return arg(0) == 0 ? 1 : 0;
    case Op::And:
      for (std::size_t i = 0; i < term->args.size(); ++i)
        if (arg(i) == 0) return 0;
      return 1;
    case Op::Or:
      for (std::size_t i = 0; i < term->args.size(); ++i)
        if (arg(i) != 0) return 1;
      return 0;
    case Op::Implies:
      return arg(0) == 0 || arg(1) != 0 ? 1 : 0;
    case Op::Equal:
      return arg(0) == arg(1) ? 1 : 0;
    case Op::LessEqual:
      return arg(0) <= arg(1) ? 1 : 0;
    case Op::Less:
      return arg(0) < arg(1) ? 1 : 0;
    case Op::Add:
      return unless(__builtin_add_overflow(arg(0), arg(1), &result), result);
    case Op::Subtract:
      return unless(__builtin_sub_overflow(arg(0), arg(1), &result), result);
    case Op::Multiply:
      return unless(__builtin_mul_overflow(arg(0), arg(1), &result), result);
    case Op::Ite:
      return arg(0) != 0 ? arg(1) : arg(2);
  }
  broken("an operator is not known");
}

bool satisfies(const Formula& formula, const std::map<std::string, std::int64_t>& values) {
  try {
    return evaluate(formula.negated_goal, values) != 0 &&
           std::ranges::all_of(formula.facts, [&](const auto& fact) { return evaluate(fact.term, values) != 0; });
  } catch (const std::out_of_range&) {
    return false;
  }
}

}  // namespace gpol
